"""The probability that the final label of a field is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accord_core.exchange.arrays import json_array
from accord_core.numerics.label_errors import wrong_probabilities
from layouts.columns import collected
from layouts.errors import final_labels

VOTES = [[0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1], [0, 0, 0], [2, 0, 1]]  # by question and annotator
GOLD = [(0, 1)] * 6 + [(1, 1)] * 6 + [(2, 0)] * 6  # annotator 2 is always wrong


def columns(gold: Any = (), *, fields: int = 1) -> dict[str, Any]:
    rows = [(question, annotator) for question in range(len(VOTES)) for annotator in range(3)]
    arrays = {
        "answers": np.array(rows),
        "gold": np.array(gold, dtype=np.int64).reshape(-1, 2),
        "names": json_array(["a", "b", "c"]),
        "refs": json_array([f"q{n}" for n in range(len(VOTES))]),
        "fields": json_array([(f"field {n}", "choice") for n in range(fields)]),
        "decided": np.array([4]),
        "kept": np.array([], dtype=np.int64),
    }
    for number in range(fields):
        arrays |= {
            f"field-{number}": np.array(VOTES).ravel(),
            f"decided-{number}": np.array([1]),
            f"labels-{number}": json_array(["red", "green", "blue"]),
        }
    return arrays


def test_labels_are_those_of_the_votes() -> None:
    labels = final_labels(columns())
    assert labels.label == ["red", "green", "green", "green", "red", None]
    assert labels.part == ["field 0"] * 6
    assert labels.decided.tolist() == [False] * 4 + [True, False]
    (field,) = collected(columns())
    expected = wrong_probabilities(field.labels, [0, 1, 1, 1, 0, -1])
    assert labels.wrong == pytest.approx(expected, nan_ok=True)
    assert labels.repairs() == pytest.approx(
        {f"q{n}": wrong for n, wrong in enumerate([*expected[:4], None, 1.0]) if wrong is not None}
    )


def test_gold_answers_show_whose_votes_are_wrong() -> None:
    """Annotator 2 is always wrong on gold, so a label that only annotators 0 and 1 chose becomes more certain."""
    without, known = final_labels(columns()).wrong, final_labels(columns(GOLD)).wrong
    assert known[0] < without[0]
    assert known[2] > without[2]


def test_several_fields_ignore_the_grade_of_the_whole_form() -> None:
    both = final_labels(columns(GOLD, fields=2))
    assert both.wrong == pytest.approx(np.tile(final_labels(columns()).wrong, 2), nan_ok=True)
    assert both.part == ["field 0"] * 6 + ["field 1"] * 6
