"""The arrays that are stored with a report, and from which it is calculated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord_core.exchange.arrays import Columns, float_array, json_array, read_json_array, table_array
from accord_core.numerics.labels import Labels
from accord_rating.numerics.orders import borda
from accord_rating.options import RANKING, scales_of
from annotate.tasktypes import StudyData, gather

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
ORDER: dict[str, Any] = {"name": "Borda score", "low": 0, "high": 1, "anchors": []}


def columns(data: StudyData) -> Columns:
    """Return the arrays of a study.

    `cells` has one row per judgement, item and scale: the row of the judgement in `answers`, the place of the item in
    its question, the item, and the scale. `values` contains the ratings, or the Borda scores of orders, and `ranks` the
    ranks as they were given.
    """
    gathered = gather(data)
    place = {question.ref: number for number, question in enumerate(data.questions)}
    item = {each.key: number for number, each in enumerate(data.items)}
    cells, values, ranks = [], [], []
    for number, row in enumerate(gathered.judgements):
        keys = row.payload["items"]
        given = row.value.get("ranks")
        rows = [[score] for score in borda(given)] if given else row.value["ratings"]
        for at, (key, scores) in enumerate(zip(keys, rows, strict=True)):
            for scale, score in enumerate(scores):
                cells.append((number, at, item[key], scale))
                values.append(float(score))
                ranks.append(given[at] if given else 0)
    options = data.facts["options"]
    scales = [ORDER] if options["mode"] == RANKING else [scale.as_json() for scale in scales_of(options)]
    return {
        **gathered.columns(place),
        "cells": table_array(cells, 4),
        "values": float_array(values),
        "ranks": np.array(ranks, dtype=np.int64),
        "names": json_array(gathered.names),
        "keys": json_array([each.key for each in data.items]),
        "texts": json_array([each.content["text"] for each in data.items]),
        "refs": json_array([question.ref for question in data.questions]),
        "scales": json_array(scales),
        "mode": json_array(options["mode"]),
    }


@dataclass(frozen=True)
class Judged:
    """The judgements on one scale, as arrays (J,): the question, the place in the question, the item, the annotator and
    the value.
    """

    scale: dict[str, Any]
    question: Ints
    place: Ints
    item: Ints
    annotator: Ints
    value: Floats
    rank: Ints

    @property
    def unit(self) -> Ints:
        """The number of the item in its question, which is the unit that annotators have in common."""
        return self.question * (int(self.place.max(initial=0)) + 1) + self.place

    def labels(self, annotators: int) -> tuple[Labels, list[float], Ints]:
        """Return the values as labels, the number of each label, and the question (U,) of each unit."""
        numbers, label = np.unique(self.value, return_inverse=True)
        units, first, unit = np.unique(self.unit, return_index=True, return_inverse=True)
        labels = Labels(unit, self.annotator, label, len(units), annotators, max(1, len(numbers)))
        return labels, numbers.tolist(), self.question[first]


def judged(stored: Columns) -> list[Judged]:
    """Return the judgements on each scale."""
    answers, cells = stored["answers"], stored["cells"]
    row, place, item, scale = cells.T
    question, annotator = answers[row, 0], answers[row, 1]
    return [
        Judged(
            described,
            *(each[scale == number] for each in (question, place, item, annotator, stored["values"], stored["ranks"])),
        )
        for number, described in enumerate(read_json_array(stored["scales"]))
    ]
