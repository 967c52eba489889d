"""Evaluates majority, medoid and the model of cells on gold alignments that no method sees.

    CORPORA=folder python -m bench.annotator_models

CORPORA contains `edinburgh/gold.train.sure.json` and `gold.train.sure+poss.json`. Simulated annotators of different
quality align the pairs in `bench/edinburgh_held_out.txt`, either from the built-in aligner's links or from the start.
The model was developed on the other pairs. The simulated errors differ from those that the model assumes: annotators
miss possible links more often than sure links, move links to a neighbouring word, and accept whole pairs without
reading them. The last two tables compare the estimated precision and recall of annotators, and their standard errors,
with the gold alignments.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np

from accord_core.pairs.numerics.links import Alignment, Link, word_scores
from accord_core.pairs.numerics.prealign import prealign
from accord_core.words.numerics.cells import AnnotatedPair
from accord_core.words.numerics.modelled import aggregated, modelled
from bench.prealign import HELD_OUT, read_corpus

SEEDS = 5
PAIRS = 150
MISLED = 0.7


class Quality(NamedTuple):
    """The probabilities of each error: a missed link, a wrong initial link that is kept, a moved link, a link of the
    other kind, and a pair that the annotator does not read.
    """

    missed: float
    kept: float
    moved: float
    kind: float
    unread: float


GOOD, FAIR, POOR, LAZY = (
    Quality(0.03, 0.1, 0.01, 0.05, 0.0),
    Quality(0.1, 0.3, 0.04, 0.15, 0.02),
    Quality(0.3, 0.7, 0.12, 0.4, 0.2),
    Quality(0.1, 0.5, 0.05, 0.2, 0.8),
)
MIXED = (*[GOOD] * 3, *[FAIR] * 4, *[POOR] * 3)
GROUPS: dict[str, tuple[Sequence[Quality], int]] = {
    "2 fair": ([FAIR] * 2, 2),
    "1 good, 1 poor": ([GOOD, POOR], 2),
    "3 good": ([GOOD] * 3, 3),
    "3 fair": ([FAIR] * 3, 3),
    "1 good, 2 poor": ([GOOD, POOR, POOR], 3),
    "2 good, 3 who do not read": ([GOOD, GOOD, LAZY, LAZY, LAZY], 5),
    "5 who do not read": ([LAZY] * 5, 5),
    "10 of mixed quality, 2 each": (MIXED, 2),
    "10 of mixed quality, 3 each": (MIXED, 3),
    "10 of mixed quality, 5 each": (MIXED, 5),
}


class Corpus:
    def __init__(self, folder: Path) -> None:
        self.sentences, self.gold = read_corpus(folder)
        held_out = {line for line in HELD_OUT.read_text(encoding="utf-8").splitlines() if not line.startswith("#")}
        self.keys = [key for key in self.gold if key in held_out]
        links = prealign(list(self.sentences.values()))
        self.initial = dict(zip(self.sentences, map(Alignment.of, links), strict=True))

    def simulated(
        self, qualities: Sequence[Quality], each: int, number: int, *, suggested: bool, seed: int, hard: float = 0.0
    ) -> tuple[list[AnnotatedPair], list[Alignment]]:
        """Return `number` pairs, each aligned by `each` of the annotators, and their gold alignments.

        A share `hard` of the true and of the wrong initial links misleads annotators: 7 of 10 annotators make an error.
        """
        draw = np.random.default_rng(seed)
        keys = [self.keys[place] for place in draw.permutation(len(self.keys))[:number]]
        pairs = []
        for key in keys:
            start = self.initial[key] if suggested else None
            who = draw.permutation(len(qualities))[:each].tolist()
            links = sorted(self.gold[key].links | (start.links if start else frozenset()))
            misleading = frozenset(link for link in links if draw.random() < hard)
            size = len(self.sentences[key][1])
            answers = {one: _answer(self.gold[key], start, size, qualities[one], misleading, draw) for one in who}
            pairs.append(AnnotatedPair(*self.sentences[key], answers, start))
        return pairs, [self.gold[key] for key in keys]


def main() -> None:
    corpus = Corpus(Path(os.environ["CORPORA"]) / "edinburgh")
    print(f"F1 of all links and AER, mean of {SEEDS} simulations of {PAIRS} pairs of the {len(corpus.keys)} held out")
    for suggested in (False, True):
        print("\nfrom suggested links" if suggested else "\nwithout suggested links")
        for name, (qualities, each) in GROUPS.items():
            print_methods(corpus, name, qualities, each, PAIRS, suggested=suggested)
    print("\n10 of mixed quality, 3 each, from suggested links, by number of pairs")
    for number in (5, 10, 20, 50, 150, 300):
        print_methods(corpus, f"{number} pairs", MIXED, 3, number, suggested=True)
    print("\nfrom suggested links, by the share of links that mislead 7 of 10 annotators of any quality")
    for hard in (0.02, 0.05, 0.1, 0.2):
        for name, people in (("3 good", [GOOD] * 3), ("3 fair", [FAIR] * 3)):
            print_methods(corpus, f"{name}, {hard:.0%}", people, 3, PAIRS, suggested=True, hard=hard)
    print("\nestimated precision and recall of 10 annotators of mixed quality, compared with the gold alignments")
    for each in (2, 3, 5):
        print_annotators(corpus, each)


def print_methods(
    corpus: Corpus,
    name: str,
    qualities: Sequence[Quality],
    each: int,
    number: int,
    *,
    suggested: bool,
    hard: float = 0.0,
) -> None:
    scores: dict[str, list[tuple[float, float]]] = {}
    for seed in range(SEEDS):
        pairs, gold = corpus.simulated(qualities, each, number, suggested=suggested, seed=seed, hard=hard)
        alignments = {
            "majority": aggregated(pairs, len(qualities), "majority"),
            "at least half": [_half(list(pair.answers.values())) for pair in pairs],
            "medoid": aggregated(pairs, len(qualities), "medoid"),
            "model": aggregated(pairs, len(qualities), "model"),
        }
        for method, chosen in alignments.items():
            found = word_scores((true, one or Alignment()) for true, one in zip(gold, chosen, strict=True))
            scores.setdefault(method, []).append((found.possible["f1"] or 0.0, found.aer))
    figures = (
        f"{method} {fmean(f1 for f1, _ in of):.3f} {fmean(aer for _, aer in of):.3f}" for method, of in scores.items()
    )
    print(f"  {name:<28} {'   '.join(figures)}", flush=True)


def print_annotators(corpus: Corpus, each: int) -> None:
    errors, covered = [], []
    for seed in range(SEEDS):
        pairs, gold = corpus.simulated(MIXED, each, PAIRS, suggested=True, seed=seed)
        rates = modelled(pairs, len(MIXED)).annotators(seed=1)
        for one in range(len(MIXED)):
            own = [(true, pair.answers[one]) for pair, true in zip(pairs, gold, strict=True) if one in pair.answers]
            hits = sum(len(true.links & drawn.links) for true, drawn in own)
            bases = [sum(len(drawn.links) for _, drawn in own), sum(len(true.links) for true, _ in own)]
            for estimate, error, base in (
                (rates.precision[one], rates.precision_error[one], bases[0]),
                (rates.recall[one], rates.recall_error[one], bases[1]),
            ):
                errors.append(estimate - hits / base)
                covered.append(abs(estimate - hits / base) <= 1.96 * error)
    print(
        f"  {each} each: mean error {np.mean(errors):+.3f}, mean absolute error {np.mean(np.abs(errors)):.3f}, "
        f"within 1.96 standard errors {np.mean(covered):.2f}"
    )


def _half(drawn: Sequence[Alignment]) -> Alignment:
    """Return the links that at least half of the annotators drew: with two annotators, all links of both."""
    links = {
        link for one in drawn for link in one.links if 2 * sum(link in other.links for other in drawn) >= len(drawn)
    }
    sure = {link for link in links if all(link in one.sure for one in drawn if link in one.links)}
    return Alignment.of(sure, links - sure)


def _answer(
    gold: Alignment,
    start: Alignment | None,
    size: int,
    quality: Quality,
    misleading: frozenset[Link],
    draw: np.random.Generator,
) -> Alignment:
    unread = draw.random() < quality.unread
    if unread and start is not None:
        return start
    missed = min(0.9, 5 * quality.missed) if unread else quality.missed
    initial = start.links if start else frozenset()
    kinds: dict[Link, bool] = {
        link: True
        for link in sorted(initial - gold.links)
        if draw.random() < (MISLED if link in misleading else quality.kept)
    }
    for link in sorted(gold.links):
        possible = link in gold.possible
        chance = missed * (0.3 if link in initial else 1.5) * (2 if possible else 1)
        if draw.random() < (MISLED if link in misleading else chance):
            continue
        sure = possible == (draw.random() < quality.kind * (3 if possible else 0.5))
        if draw.random() < quality.moved:
            link = (link[0], min(max(link[1] + int(draw.choice([-1, 1])), 0), size - 1))
        kinds[link] = sure
    return Alignment.of(
        (link for link, sure in kinds.items() if sure), (link for link, sure in kinds.items() if not sure)
    )


if __name__ == "__main__":
    main()
