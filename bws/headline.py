"""The main figure of a best–worst report: split-half reliability for both kinds of split, and the number of judgements
that would reach the target.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAME = "Split-half reliability (Spearman)"
ENDS = (("whole", "splitting whole tuples"), ("within", "splitting within tuples"))
UNIT = "judgements, as new tuples"
CAPTION = (
    "Splits within tuples are optimistic, and splits of whole tuples are conservative. The reliability for half of "
    "the data lies between them."
)


def headline(reliability: Mapping[str, Any]) -> dict[str, Any]:
    """Return the report's `headline` from its `reliability`. `needed` is the range of the available forecasts."""
    forecast = reliability["forecast"]
    needed = [forecast[name] for name, _ in ENDS if forecast[name] is not None]
    return {
        "name": NAME,
        "ends": [
            {"name": name, "label": label, "value": reliability[name]["spearman"]["mean"]} for name, label in ENDS
        ],
        "target": forecast["target"],
        "needed": [min(needed), max(needed)] if needed else None,
        "unit": UNIT,
        "doubt": _doubt(reliability["within"]["spearman"]["sd"]),
        "caption": CAPTION,
    }


def _doubt(sd: float | None) -> str:
    return (
        "From splits of whole tuples to splits within tuples."
        if sd is None
        else f"From splits of whole tuples to splits within tuples, SD {_printed(sd)} over splits."
    )


def _printed(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")
