"""The input for best–worst reports, which consists of arrays of counted judgements, gold answers, items and annotators.

Reports use only these arrays and are stored with them, so every report can be recalculated.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import numpy as np

from accord_core.bws.numerics.scoring import Ints, Judgements
from accord_core.exchange.arrays import json_array, read_json_array
from accord_core.numerics.labels import Labels
from annotate.tasktypes import AnswerRow, Columns, LabelSet, StudyData
from bws.features import features

EPOCH, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


def columns(data: StudyData) -> Columns:
    """Return arrays of the counted judgements (in answer order), the gold answers, the items and the annotators.

    The function needs one pass over the answers and stores only numbers.
    """
    items = [item for item in data.items if not item.held_out]
    index = {item.key: number for number, item in enumerate(items)}
    met: dict[str, int] = {}  # annotators in the order of their first answers
    judgements, seconds, answer_times = array("q"), array("d"), array("q")
    gold, gold_refs = array("q"), []
    for row in data.answers:
        who = met.setdefault(row.pseudonym, len(met))
        if row.counts:
            tuple_items = row.payload["items"]
            choices = (row.value["best"], row.value["worst"])
            judgements.extend(index[key] for key in (*tuple_items, *choices))
            judgements.extend((*(_place(row, tuple_items, choice) for choice in choices), row.round, who))
            seconds.append(np.nan if row.seconds is None else row.seconds)
            answer_times.append((row.given_at - EPOCH) // MICROSECOND)
        if row.kind == "gold" and row.passed is not None:
            gold.extend((who, int(row.passed)))
            gold_refs.append(row.ref)
    names = sorted(met)
    place = {name: number for number, name in enumerate(names)}
    number = np.array([place[name] for name in met], dtype=np.int64)
    size = int(data.facts["options"]["size"])
    order = np.argsort(np.asarray(answer_times), kind="stable")
    table = np.asarray(judgements, dtype=np.int64).reshape(-1, size + 6)[order]
    graded = np.asarray(gold, dtype=np.int64).reshape(-1, 2)
    return {
        "items": table[:, :size].copy(),
        "best": table[:, size].copy(),
        "worst": table[:, size + 1].copy(),
        "best_place": table[:, size + 2].copy(),
        "worst_place": table[:, size + 3].copy(),
        "round": table[:, size + 4].copy(),
        "annotator": number[table[:, size + 5]],
        "seconds": np.asarray(seconds, dtype=np.float64)[order],
        "tuples": _tuples(data, index, size),
        "gold_annotator": number[graded[:, 0]],
        "gold_passed": graded[:, 1].copy(),
        "gold_ref": json_array(gold_refs),
        "keys": json_array(list(index)),
        "metadata": json_array([item.metadata for item in items]),
        "names": json_array(names),
        "target": np.array(float(data.facts["options"]["target"])),
        **{f"feature:{name}": values for name, values in features(items).items()},
    }


def judgements_of(columns: Columns) -> Judgements:
    """Return all judgements in submission order."""
    n_items = len(read_json_array(columns["keys"]))
    return Judgements(columns["items"], columns["best"], columns["worst"], n_items, columns["annotator"])


def design_judgements(columns: Columns) -> Judgements:
    """Return the judgements of the design without adaptive rounds, which would bias reliability and pilots."""
    return judgements_of(columns).take(rounds_of(columns) == 0)


def label_sets(columns: Columns) -> list[LabelSet]:
    """Return the choices of the best and of the worst item as labels of the tuples. A label is the place of the chosen
    item among the sorted items of the tuple.
    """
    judgements = design_judgements(columns)
    if not len(judgements):
        return []
    ordered = np.sort(judgements.items, axis=1)
    tuples, tuple_of = np.unique(ordered, axis=0, return_inverse=True)
    people = len(read_json_array(columns["names"]))
    return [
        LabelSet(
            name,
            Labels(
                tuple_of.ravel(),
                columns["annotator"][rounds_of(columns) == 0],
                (ordered == chosen[:, None]).argmax(axis=1),
                len(tuples),
                people,
                ordered.shape[1],
            ),
        )
        for name, chosen in (("Best item", judgements.best), ("Worst item", judgements.worst))
    ]


def rounds_of(columns: Columns) -> Ints:
    """Return the adaptive round (M,) of each judgement, which is 0 for tuples of the design."""
    return columns["round"]


def _tuples(data: StudyData, index: Mapping[str, int], size: int) -> Ints:
    """Return the item numbers (T, size) of all tuples of the study, including tuples without answers."""
    cells = array("q")
    for question in data.questions:
        cells.extend(index[key] for key in question.payload["items"])
    return np.asarray(cells, dtype=np.int64).reshape(-1, size)


def _place(row: AnswerRow, tuple_items: list[str], key: str) -> int:
    """Return the screen position of the chosen item, counted from 0."""
    index = tuple_items.index(key)
    place: int = row.shown.index(index) if row.shown else index
    return place
