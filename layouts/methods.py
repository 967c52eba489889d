"""Sentences about studies with a layout for the methods section of a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_lowercase
from typing import Any

from accord_core.numerics.printed import coefficient
from annotate.tasktypes import Methods, MethodText, with_interval
from annotate.tasktypes.methods import KRIPPENDORFF
from layouts.report import INTERVAL, NOMINAL, averaged

MOST_NAMED = 8  # fields with a sentence
ALPHAS = {NOMINAL: "α", INTERVAL: "the interval α"}


def methods(result: Mapping[str, Any]) -> Methods:
    """Return the sentences that hold for a report."""
    fields = result.get("fields", ())
    if not fields:
        return Methods()
    task = MethodText("Annotators filled in a form with {fields:field} for each item.", {"fields": "result.fields"})
    label = MethodText(
        "The label of a field is the answer of more than half of the annotators who filled in the field. Without such "
        "an answer, the field has no label."
    )
    decision = MethodText("A decision replaces the label.")
    return Methods([task], aggregation=[label], agreement=_agreement(fields), adjudication=[decision])


def _agreement(fields: Sequence[Mapping[str, Any]]) -> list[MethodText]:
    """Return one sentence for each of the first fields whose coefficient has an interval, and the mean."""
    texts = [
        MethodText(
            "We calculated Krippendorff’s α {@krippendorff-2019} for each field with choices or numbers, as the "
            "interval α for numbers and scales. Its mean over these fields is {alpha_mean}.",
            {"alpha_mean": ("result.headline.ends[0].value", coefficient)},
            [KRIPPENDORFF],
        )
    ]
    named = []
    for place, row in enumerate(fields):
        name = INTERVAL if INTERVAL in row.get("agreement", {}) else NOMINAL
        if row["name"] in averaged(fields) and row["agreement"][name].get("low") is not None:
            named.append((place, name))
    for letter, (place, name) in zip(ascii_lowercase, named[:MOST_NAMED], strict=False):
        path, found = f"result.fields[{place}]", fields[place]["agreement"][name]
        figures = with_interval(f"alpha_{letter}", f"{path}.agreement.{name}")
        interval = f", with a 95% confidence interval from {{alpha_{letter}_low}} to {{alpha_{letter}_high}}"
        if found["low"] == found["high"]:  # as after complete agreement, which no resample changes
            interval, figures = "", {f"alpha_{letter}": figures[f"alpha_{letter}"]}
        else:
            interval += " over resampled items"
        texts.append(
            MethodText(
                f"For the field “{{field_{letter}}}”, {ALPHAS[name]} is {{alpha_{letter}}}{interval}.",
                {f"field_{letter}": f"{path}.name"} | figures,
            )
        )
    return texts
