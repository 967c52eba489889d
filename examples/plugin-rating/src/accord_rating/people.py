"""Figures for each annotator: gold results, agreement with the others, and time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord_core.exchange.arrays import Columns, read_json_array
from accord_rating.columns import Floats, Judged
from annotate.tasktypes import Flag, Person

FEWEST = 10  # ratings from which equal ratings are a sign


def annotator_figures(stored: Columns, on_scales: Sequence[Judged]) -> list[Person]:
    """Return one row per annotator. The agreement is the correlation of the annotator's values with the mean values of
    the others, over the items that both have judged.
    """
    annotator, seconds = stored["answers"][:, 1], stored["seconds"]
    gold_annotator, passed = stored["gold"].T
    own, others, of = _beside_others(on_scales)
    every = np.concatenate([each.value for each in on_scales])
    every_of = np.concatenate([each.annotator for each in on_scales])
    people = []
    for number, name in enumerate(read_json_array(stored["names"])):
        times = seconds[(annotator == number) & np.isfinite(seconds)]
        mine, values = of == number, every[every_of == number]
        constant = len(values) >= FEWEST and len(np.unique(values)) == 1
        people.append(
            Person(
                name,
                judgements=int((annotator == number).sum()),
                gold_given=int((gold_annotator == number).sum()),
                gold_right=int(passed[gold_annotator == number].sum()),
                agreement=_correlation(own[mine], others[mine]),
                shared=int(mine.sum()),
                median_seconds=round(float(np.median(times)), 1) if len(times) else None,
                flags=[Flag("All values are equal", f"{len(values)} judgements with the same value")]
                if constant
                else [],
            )
        )
    return people


def _beside_others(on_scales: Sequence[Judged]) -> tuple[Floats, Floats, np.ndarray]:
    """Return all values that other annotators have judged too, the mean of the others, and the annotator. Values are
    shares of their scale.
    """
    own, others, of = [], [], []
    for each in on_scales:
        value = (each.value - each.scale["low"]) / (each.scale["high"] - each.scale["low"])
        unit = np.unique(each.unit, return_inverse=True)[1]
        total, count = np.bincount(unit, value)[unit], np.bincount(unit)[unit]
        several = count > 1
        own.append(value[several])
        others.append((total - value)[several] / (count - 1)[several])
        of.append(each.annotator[several])
    return np.concatenate(own), np.concatenate(others), np.concatenate(of)


def _correlation(one: Floats, other: Floats) -> float | None:
    if len(one) < 3 or one.std() == 0 or other.std() == 0:
        return None
    return round(float(np.corrcoef(one, other)[0, 1]), 4)
