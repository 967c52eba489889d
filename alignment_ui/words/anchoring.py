"""Anchoring: the influence of the initial links on annotators.

A random share of the pairs starts without links although a pre-alignment exists. The report compares how many links of
this pre-alignment annotators draw themselves with how many they keep when the links are shown. The difference is the
effect of the pre-alignment.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean, median
from typing import Any

import numpy as np

from accord_core.numerics.bootstrap import percentile_intervals, ratio
from accord_core.numerics.draws import derived_seed
from accord_core.numerics.labels import Floats
from accord_core.words.numerics.agreement import word_agreement
from alignment_ui.words.columns import Collected, Judgement
from alignment_ui.words.people import edits_of


def anchoring(inputs: Collected, *, resamples: int, seed: int) -> dict[str, Any] | None:
    """Compare the answers to pairs with and without initial links. Return None unless there are answers both with and
    without initial links.

    `suggested` is the share of pre-alignment links that annotators drew or kept: |A ∩ start| / |start|, with sums over
    answers. `difference` is the share with initial links minus the share without them. Confidence intervals are
    percentiles over resampled pairs. Agreement is F1 as in Table 3.
    """
    shown = [judgement for judgement in inputs.judgements if inputs.pairs[judgement.pair].shown is not None]
    empty = [judgement for judgement in inputs.judgements if inputs.pairs[judgement.pair].withheld is not None]
    if not shown or not empty:
        return None
    figures = _suggested(inputs, shown, empty, resamples, seed)
    return {
        "shown": {"suggested": figures[0], **_group(inputs, shown, resamples, seed)},
        "empty": {"suggested": figures[1], **_group(inputs, empty, resamples, seed)},
        "difference": figures[2],
    }


def _suggested(
    inputs: Collected, shown: Sequence[Judgement], empty: Sequence[Judgement], resamples: int, seed: int
) -> list[dict[str, float | None]]:
    """Return the shares of suggested links in answers with and without initial links, and the difference between them.
    The confidence intervals are calculated from resampled pairs.
    """
    sums: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for column, answers in ((0, shown), (2, empty)):
        for judgement in answers:
            pair = inputs.pairs[judgement.pair]
            suggested = pair.shown if pair.shown is not None else pair.withheld
            links = suggested.links if suggested else frozenset()
            sums[judgement.pair][column] += len(links & judgement.alignment.links)
            sums[judgement.pair][column + 1] += len(links)
    numbers = np.array([sums[pair] for pair in sorted(sums)], dtype=np.float64)

    def estimate(weights: Floats) -> Floats:
        unchanged, of, drawn, withheld = (weights @ numbers).T
        with_links, without = ratio(unchanged, of), ratio(drawn, withheld)
        return np.stack([with_links, without, with_links - without])

    values = estimate(np.ones((1, len(numbers))))[:, 0].tolist()
    intervals = percentile_intervals(
        estimate,
        np.ones(len(numbers), dtype=np.int64),
        resamples=resamples,
        seed=derived_seed(seed, "anchoring"),
        width=4,
    )
    return [
        {"value": None if np.isnan(value) else value, "low": interval.low, "high": interval.high}
        for value, interval in zip(values, intervals, strict=True)
    ]


def _group(inputs: Collected, answers: Sequence[Judgement], resamples: int, seed: int) -> dict[str, Any]:
    pairs = {judgement.pair for judgement in answers}
    refs = {inputs.pairs[place].ref for place in pairs}
    compared = [two.aligned(corrected=False) for two in inputs.compared if two.pair.ref in refs]
    seconds = [judgement.seconds for judgement in answers if judgement.seconds is not None]
    row = word_agreement(
        compared,
        resamples=resamples,
        seed=seed,
        ignore_identical=inputs.ignore_identical,
        interchangeable=inputs.interchangeable,
        samples=0,
    )
    return {
        "pairs": len(pairs),
        "answers": len(answers),
        "links": fmean(len(judgement.alignment.links) for judgement in answers),
        "edits": fmean(edits_of(inputs.pairs[judgement.pair], judgement.alignment) for judgement in answers),
        "operations": fmean(judgement.operations for judgement in answers),
        "seconds": median(seconds) if seconds else None,
        "comparisons": len(compared),
        "f1": row["och_ney"]["f1"],
    }
