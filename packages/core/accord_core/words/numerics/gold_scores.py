"""Scores against gold alignments for the three aggregation methods: the majority, the medoid and the model of cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accord_core.evaluation.measures import precision_recall_f1
from accord_core.numerics.bootstrap import ratio
from accord_core.numerics.labels import Floats
from accord_core.pairs.numerics.links import Alignment, identical_links, link_counts, without
from accord_core.words.numerics.aggregation import METHODS
from accord_core.words.numerics.cells import AnnotatedPair
from accord_core.words.numerics.modelled import aggregated
from accord_core.words.numerics.system_scores import compared_sums, figures_of_sums

FEWEST_PAIRS = 20
"""If there are fewer gold pairs, no intervals are calculated, because they would be too narrow."""

SINGLE = "single"
MEASURES = ("precision", "recall", "f1", "aer")


def method_scores(
    pairs: Sequence[AnnotatedPair],
    n_annotators: int,
    gold: Mapping[int, Alignment],
    *,
    ignore_identical: bool,
    resamples: int,
    seed: int,
) -> dict[str, Any]:
    """Score the methods on pairs with at least two annotators and a `gold` alignment, by index.

    The model is estimated from all pairs, and no method sees a gold alignment. `single` contains the scores of the
    annotators without any method: the counts of a pair are the means over its annotators. Precision is |A ∩ P| / |A|,
    recall is |A ∩ S| / |S|, and the alignment error rate is from Och and Ney (2003). S is the set of sure gold links, P
    is the set of all gold links, and A is the set of links to be scored. The 95% intervals come from resampled gold
    pairs.

    Returns the number of `pairs`, the scores of each of the `methods`, and for the medoid and the model the
    `differences` from the majority. Each score has `value`, `low` and `high`, which is None without an interval. With
    fewer than `FEWEST_PAIRS` pairs, there are no intervals.
    """
    chosen = sorted(place for place in gold if len(pairs[place].answers) > 1)
    ignored = [
        identical_links(pairs[place].source, pairs[place].target) if ignore_identical else frozenset()
        for place in chosen
    ]

    def counts(drawn: Sequence[Sequence[Alignment]]) -> Floats:
        rows = [
            np.mean([_counts(without(one, same), without(gold[place], same)) for one in each], axis=0)
            for place, each, same in zip(chosen, drawn, ignored, strict=True)
        ]
        return np.array(rows, dtype=np.float64).reshape(-1, 4)

    by_method = {SINGLE: counts([list(pairs[place].answers.values()) for place in chosen])}
    for method in METHODS:
        alignments = aggregated(pairs, n_annotators, method)
        by_method[method] = counts([[alignments[place] or Alignment()] for place in chosen])
    resamples = resamples if len(chosen) >= FEWEST_PAIRS else 0
    scores: dict[str, Any] = {}
    differences: dict[str, Any] = {}
    for name, each in by_method.items() if chosen else ():
        names = [(name, measure) for measure in MEASURES]
        scores |= figures_of_sums(names, each, _estimate, resamples=resamples, seed=seed)
        if name not in (SINGLE, "majority"):
            found = compared_sums(
                names, each, by_method["majority"], _estimate, resamples=resamples, seed=seed, permutations=0
            )
            differences[name] = {
                measure: {end: figure[end] for end in ("value", "low", "high")}
                for measure, figure in found[name].items()
            }
    return {"pairs": len(chosen), "fewest": FEWEST_PAIRS, "methods": scores, "differences": differences}


def _estimate(sums: Floats) -> Floats:
    """Return the precision, recall, F1 and alignment error rate (4, B) from sums (B, 4) of `_counts`."""
    in_possible, drawn, in_sure, sure = sums.T
    both = drawn + sure
    aer = np.where(both == 0, 0.0, 1 - ratio(in_possible + in_sure, both))  # The error is 0 if neither side has links.
    return np.concatenate([precision_recall_f1(in_possible, drawn, in_sure, sure), aer[None]])


def _counts(drawn: Alignment, gold: Alignment) -> tuple[int, int, int, int]:
    """Return |A ∩ P|, |A|, |A ∩ S| and |S|."""
    counted = link_counts(drawn, gold)
    return counted.pp, counted.all_a, counted.ps, counted.sure_b
