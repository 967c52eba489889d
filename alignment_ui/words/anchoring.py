"""Anchoring: how much the initial links influence annotators.

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

from alignment_ui.words.columns import Collected, Given
from alignment_ui.words.numerics.agreement import word_agreement
from alignment_ui.words.people import edits_of
from annotate.numerics.bootstrap import percentile_intervals, ratio
from annotate.numerics.draws import derived_seed
from annotate.numerics.labels import Floats


def anchoring(found: Collected, *, resamples: int, seed: int) -> dict[str, Any] | None:
    """Compare answers to pairs with and without initial links. Return None if there are no answers of one kind.

    `suggested` is the share of pre-alignment links that annotators drew or kept: |A ∩ start| / |start|, with sums over
    answers. `difference` is the share with initial links minus the share without them. Confidence intervals are
    percentiles over resampled pairs. Agreement is F1 as in Table 3.
    """
    shown = [given for given in found.given if found.pairs[given.pair].shown is not None]
    empty = [given for given in found.given if found.pairs[given.pair].withheld is not None]
    if not shown or not empty:
        return None
    figures = _suggested(found, shown, empty, resamples, seed)
    return {
        "shown": {"suggested": figures[0], **_group(found, shown, resamples, seed)},
        "empty": {"suggested": figures[1], **_group(found, empty, resamples, seed)},
        "difference": figures[2],
    }


def _suggested(
    found: Collected, shown: Sequence[Given], empty: Sequence[Given], resamples: int, seed: int
) -> list[dict[str, float | None]]:
    """Return the share of suggested links with initial links, the share without them, and the difference, with
    confidence intervals over resampled pairs.
    """
    sums: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for column, answers in ((0, shown), (2, empty)):
        for given in answers:
            pair = found.pairs[given.pair]
            suggested = pair.shown if pair.shown is not None else pair.withheld
            links = suggested.links if suggested else frozenset()
            sums[given.pair][column] += len(links & given.alignment.links)
            sums[given.pair][column + 1] += len(links)
    numbers = np.array([sums[pair] for pair in sorted(sums)], dtype=np.float64)

    def estimate(weights: Floats) -> Floats:
        kept, of, drawn, withheld = (weights @ numbers).T
        with_links, without = ratio(kept, of), ratio(drawn, withheld)
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


def _group(found: Collected, answers: Sequence[Given], resamples: int, seed: int) -> dict[str, Any]:
    pairs = {given.pair for given in answers}
    refs = {found.pairs[place].ref for place in pairs}
    compared = [two.aligned(corrected=False) for two in found.compared if two.pair.ref in refs]
    seconds = [given.seconds for given in answers if given.seconds is not None]
    row = word_agreement(compared, resamples=resamples, seed=seed, ignore_identical=found.ignore_identical, samples=0)
    return {
        "pairs": len(pairs),
        "answers": len(answers),
        "links": fmean(len(given.alignment.links) for given in answers),
        "edits": fmean(edits_of(found.pairs[given.pair], given.alignment) for given in answers),
        "operations": fmean(given.operations for given in answers),
        "seconds": median(seconds) if seconds else None,
        "comparisons": len(compared),
        "f1": row["och_ney"]["f1"],
    }
