"""Wrong links in the first 10% of the list *Likely wrong first*, for real alignments with planted errors.

Three of ten simulated annotators of mixed quality annotate each sentence pair
of the gold files, as in `bench.annotator_models` and `bench.chunk_annotators`. The list has one row per pair. A gain of
2 means that the first 10% of the pairs contain twice as many wrong links as 10% of the pairs drawn at random. A link of
the final alignment is wrong if gold does not contain it or has another kind or type, and missing links count as wrong
if an annotator drew them. *Disagreement* sorts pairs by the study's agreement measure, as Review does without a report.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean

import numpy as np

from accord_core.chunks.formats.ists import read_wa
from accord_core.chunks.formats.ists_guidelines import guideline_faults
from accord_core.chunks.numerics import modelled as chunk_models
from accord_core.chunks.numerics.aggregation import pair_f1
from accord_core.chunks.numerics.chunks import IstsPair
from accord_core.pairs.numerics.links import Alignment
from accord_core.pairs.numerics.links import pair_f1 as link_pair_f1
from accord_core.words.numerics import modelled as word_models
from alignment_ui.chunks.columns import final_annotation
from alignment_ui.words.final import final_alignment
from bench import annotator_models, chunk_annotators

SEEDS = 10
LISTED = 0.1
ORDERS = ("likely wrong first", "disagreement", "most wrong links first")


def print_links(folder: Path) -> None:
    """Print the gains for the folders `edinburgh` and `ists`."""
    print("| corpus | pairs | wrong links per pair | " + " | ".join(ORDERS) + " |")
    print("|---|---|---|" + "---|" * len(ORDERS))
    corpus = annotator_models.Corpus(folder / "edinburgh")
    for suggested in (True, False):
        rows = [edinburgh(corpus, seed, suggested=suggested) for seed in range(SEEDS)]
        print_row(f"Edinburgh, {'from suggested links' if suggested else 'without suggested links'}", rows)
    path = folder / "ists" / "images.gold.wa"
    pairs = read_wa(path.read_bytes(), name=path.name)
    gold = [pair for pair in pairs if not guideline_faults(pair, many_to_many=False)]
    print_row("iSTS", [ists(gold, seed) for seed in range(SEEDS)])


def print_row(name: str, rows: Sequence[Sequence[float]]) -> None:
    pairs, wrong, *gains = np.mean(rows, axis=0)
    errors = np.std(rows, axis=0)[2:] / np.sqrt(len(rows))
    cells = [f"{gain:.2f} ± {error:.2f}" for gain, error in zip(gains, errors, strict=True)]
    print(f"| {name} | {pairs:.0f} | {wrong:.1f} | {' | '.join(cells)} |", flush=True)


def edinburgh(corpus: annotator_models.Corpus, seed: int, *, suggested: bool) -> list[float]:
    qualities = annotator_models.MIXED
    pairs, gold = corpus.simulated(qualities, 3, annotator_models.PAIRS, suggested=suggested, seed=seed)
    answers = [[each for _, each in sorted(pair.answers.items())] for pair in pairs]
    final = [final_alignment(None, drawn) or Alignment() for drawn in answers]
    expected = word_models.modelled(pairs, len(qualities)).wrong_links(dict(enumerate(final)))
    wrong = []
    for one, true, drawn in zip(final, gold, answers, strict=True):
        links = {link for each in drawn for link in each.links}
        wrong.append(sum(_kind(one, link) != _kind(true, link) for link in links))
    agreement = [fmean(link_pair_f1(one, other) for one, other in combinations(drawn, 2)) for drawn in answers]
    return gains(expected, agreement, wrong)


def _kind(alignment: Alignment, link: tuple[int, int]) -> int:
    return (link in alignment.links) + (link in alignment.sure)


def ists(gold: Sequence[IstsPair], seed: int) -> list[float]:
    qualities = chunk_annotators.MIXED
    pairs = chunk_annotators.simulated(gold, qualities, 3, seed)
    answers = [list(pair.answers.values()) for pair in pairs]
    final = [final_annotation(None, drawn) for drawn in answers]
    model = chunk_models.modelled(pairs, len(qualities), many_to_many=False)
    expected = model.wrong_links({place: pair for place, pair in enumerate(final) if pair is not None})
    wrong = []
    for one, true, drawn in zip(final, gold, answers, strict=True):
        assert one is not None
        cells = {chunks for each in drawn for chunks in _types(each)}
        wrong.append(sum(_types(one).get(chunks) != _types(true).get(chunks) for chunks in cells))
    agreement = [fmean(pair_f1(one, other) for one, other in combinations(drawn, 2)) for drawn in answers]
    return gains(expected, agreement, wrong)


def _types(pair: IstsPair) -> dict[tuple[tuple[int, ...], tuple[int, ...]], str]:
    return {(link.source, link.target): link.type for link in pair.links if link.source and link.target}


def gains(expected: dict[int, float], agreement: Sequence[float], wrong: Sequence[int]) -> list[float]:
    """Return the number of pairs, the mean number of wrong links, and the gain of each order."""
    counts = np.array(wrong, dtype=np.float64)
    listed = round(LISTED * len(counts))
    keys = ([-expected[place] for place in range(len(counts))], agreement, -counts)
    firsts = [np.argsort(np.asarray(key), kind="stable")[:listed] for key in keys]
    return [len(counts), counts.mean(), *(counts[first].mean() / counts.mean() for first in firsts)]
