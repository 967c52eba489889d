"""Reports on layout studies: each field's labels, agreement between annotators, and majority labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accord_core.exchange.arrays import finite_or_none, read_json_array
from accord_core.layouts.formats.fields import TEXT
from accord_core.numerics.agreement import agreement
from accord_core.numerics.labels import UNDECIDED, Ints, majority
from accord_core.numerics.still_needed import Attained
from annotate.tasktypes import Columns, End, Headline, LabelSet, Progress, ReportResult
from layouts.columns import FieldLabels, collected, label_order
from layouts.people import annotator_figures
from layouts.targets import attained

HEADLINE = "Krippendorff’s α"
RESAMPLES = 1_000
MOST_LABELS = 50  # different values of a field up to which agreement is calculated
LABELS_SHOWN = 12
NAMED = 5  # fields named under the main figure
NOMINAL, INTERVAL = "krippendorff_alpha_nominal", "krippendorff_alpha_interval"


def results(columns: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress) -> ReportResult:
    """Return the figures for all fields, each question's label, and one row per annotator."""
    if not len(columns["answers"]):
        return ReportResult(0, 0, "No judgements count yet.")
    resamples = int(parameters.get("resamples", RESAMPLES))
    fields = collected(columns)
    rows = []
    for number, field in enumerate(fields):
        progress(number / len(fields), f"agreement on the field {field.name}, {resamples:,} resamples")
        rows.append(_figures(field, resamples, seed))
    main = {field.name for field in main_fields(fields)}
    own = {
        "resamples": resamples,
        "fields": rows,
        "labels": {field.name: _labels(field) for field in fields if is_compared(field)},
        "decided": columns["decided"].tolist(),
        "kept": columns["kept"].tolist() if "kept" in columns else [],  # added after the first reports
    }
    return ReportResult(
        len(columns["answers"]),
        len(np.unique(columns["answers"][:, 1])),
        headline=_headline([row for row in rows if row["name"] in main]).with_attained(
            _attained(columns, fields, seed)
        ),
        people=annotator_figures(columns, main_fields(fields)),
        own=own,
    )


def progress_report(columns: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress) -> ReportResult:
    """Return a short report for an open study, with the main figure and the accuracy on gold questions."""
    passed = columns["gold"][:, 1]
    own = {"gold_right": int(passed.sum()), "gold_given": len(passed)}
    if not len(columns["answers"]):
        return ReportResult(0, own=own)
    fields = collected(columns)
    headline = _headline([_figures(field, 0, seed) for field in main_fields(fields)])
    headline = headline.with_attained(_attained(columns, fields, seed))
    return ReportResult(len(columns["answers"]), headline=headline, own=own)


def _attained(columns: Columns, fields: Sequence[FieldLabels], seed: int) -> list[Attained]:
    return attained(main_fields(fields), len(columns["answers"]), len(read_json_array(columns["refs"])), seed)


def is_compared(field: FieldLabels) -> bool:
    """Return whether agreement can be calculated, which is not the case for free text, because each answer usually has
    a different value.
    """
    return bool(len(field.labels)) and (not field.is_open or len(field.names) <= MOST_LABELS)


def main_fields(fields: Sequence[FieldLabels]) -> list[FieldLabels]:
    """Return the fields in the main figure: those with choices or numbers. Free text is included only if the form has
    no other fields.
    """
    closed = [field for field in fields if not field.is_open]
    return [field for field in closed or fields if is_compared(field)]


def _figures(field: FieldLabels, resamples: int, seed: int) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": field.name,
        "kind": field.kind,
        "answers": len(field.labels),
        "empty": field.empty,
        "different": len(field.names),
        "labels": [[field.shown(label), count] for label, count in label_order(field).items()][:LABELS_SHOWN],
    }
    if not is_compared(field):
        return row
    by_votes = majority(field.labels).label
    coefficients = agreement(
        field.labels,
        resamples=resamples,
        seed=seed,
        level="nominal" if field.values is None else "interval",
        values=field.values,
    )
    if field.values is not None:
        row["mean"] = finite_or_none(float(np.mean(np.array(field.values)[field.labels.label])))
    return row | {
        "agreement": {name: each.as_figure() for name, each in coefficients.items()},
        "questions": int((np.bincount(field.labels.item, minlength=1) > 0).sum()),
        "undecided": int(((by_votes == UNDECIDED) & field.labels.counts.any(axis=1)).sum()),
    }


def alpha_of(row: Mapping[str, Any]) -> float | None:
    """Return Krippendorff's α of a field: the interval α of numbers, otherwise the nominal α."""
    coefficients = row.get("agreement", {})
    alpha: float | None = coefficients.get(INTERVAL, coefficients.get(NOMINAL, {})).get("value")
    return alpha


def averaged(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the names of the fields whose mean is the main figure."""
    closed = [row for row in rows if row["kind"] != TEXT]
    return [row["name"] for row in closed or rows if alpha_of(row) is not None]


def label_sets(columns: Columns) -> list[LabelSet]:
    """Return the labels of each field in the main figure."""
    fields = main_fields(collected(columns)) if len(columns["answers"]) else []
    return [LabelSet(field.name, field.labels, field.values) for field in fields]


def labels_of(field: FieldLabels) -> Ints:
    """Return each question's label: a reviewer's decision or, if there is none, the label that more than half of the
    annotators chose.
    """
    return np.where(field.decided == UNDECIDED, majority(field.labels).label, field.decided)


def _labels(field: FieldLabels) -> dict[str, Any]:
    aggregate = majority(field.labels)
    chosen = labels_of(field)
    votes = field.labels.counts[np.arange(len(chosen)), np.maximum(chosen, 0)]
    return {
        "label": [field.exported(question, label) for question, label in enumerate(chosen.tolist())],
        "votes": np.where(chosen == UNDECIDED, 0, votes).tolist(),
        "n": aggregate.n.tolist(),
    } | ({} if field.values is None else {"mean": _means(field.labels.counts, field.values)})


def _means(counts: Ints, values: Sequence[float]) -> list[float | None]:
    """Return each question's mean of the annotators' numbers, or None for a question without judgements. `counts` has
    the shape (questions, values).
    """
    n = counts.sum(axis=1)
    means = counts @ np.array(values) / np.maximum(n, 1)
    return [mean if number else None for mean, number in zip(means.tolist(), n.tolist(), strict=True)]


def _headline(rows: Sequence[Mapping[str, Any]]) -> Headline:
    """Return the headline figure: the mean of Krippendorff's α over the fields for which it is defined."""
    values = {row["name"]: alpha for row in rows if (alpha := alpha_of(row)) is not None}
    names, defined = list(values), list(values.values())
    mean = sum(defined) / len(defined) if defined else None
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    doubt = f"{'Mean of the fields' if len(names) != 1 else 'Field'}: {', '.join(names[:NAMED])}{more}."
    return Headline(
        HEADLINE,
        [End("alpha", HEADLINE, mean)],
        doubt=doubt if defined else "Undefined: no field has two different values that can be compared.",
        caption="Chance-corrected agreement on the layout's fields, averaged over the fields with choices or numbers.",
    )
