"""A comparison of the `accord align aggregate` methods with gold alignments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from alignment_ui.words.cli.files import read_links
from annotate.cli.options import note, print_result

if TYPE_CHECKING:
    from accord_core.pairs.formats.annotations import Annotations
    from accord_core.pairs.formats.corpus import IdKind
    from accord_core.pairs.numerics.links import Alignment
    from accord_core.words.numerics.cells import AnnotatedPair


def print_gold_scores(
    gold_file: str,
    rows: Sequence[Annotations],
    pairs: Sequence[AnnotatedPair],
    n_annotators: int,
    *,
    ignore_identical: bool,
    resamples: int,
    seed: int,
    output_format: str,
    output: str,
) -> None:
    """Print the scores of the majority, medoid and model methods on the pairs that have gold alignments."""
    from accord_core.words.formats.figures import method_table
    from accord_core.words.numerics.gold_scores import FEWEST_PAIRS, method_scores

    scores = method_scores(
        pairs,
        n_annotators,
        _gold_by_place(gold_file, rows),
        ignore_identical=ignore_identical,
        resamples=resamples,
        seed=seed,
    )
    if not scores["pairs"]:
        raise click.ClickException(f"{gold_file}: no pair of this file was aligned by two or more annotators.")
    if scores["pairs"] < FEWEST_PAIRS:
        note(
            f"only {scores['pairs']:,} gold pairs have two or more annotators. With fewer than {FEWEST_PAIRS} pairs, "
            "no confidence intervals are calculated, and the figures are too imprecise for choosing a method."
        )
    print_result(output_format, method_table(scores), figures=scores, output=output)


def _gold_by_place(gold_file: str, rows: Sequence[Annotations]) -> dict[int, Alignment]:
    """Return the gold alignments by pair index. A file with IDs can contain a subset of the pairs."""
    from accord_core.pairs.formats.corpus import Corpus
    from accord_core.pairs.formats.matching import match, refuse_links_outside

    gold = read_links(gold_file)
    pairs = [row.pair for row in rows]
    ids: IdKind = "own" if all(pair.id for pair in pairs) else "none"
    places = list(range(len(pairs)))
    if ids == gold.ids == "own":
        known = {pair.id for pair in gold.pairs}
        places = [place for place in places if pairs[place].id in known]
    chosen = Corpus("--sentences", "sentences", ids, [pairs[place] for place in places])
    matched = match(chosen, gold)
    refuse_links_outside(matched.pairs, gold.name)
    return {place: pair.alignment for place, (_, pair) in zip(places, matched.pairs, strict=True)}
