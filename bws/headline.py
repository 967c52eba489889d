"""The figure that a best–worst report leads with: split-half reliability both ways, and what would reach the target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAME = "Split-half reliability (Spearman)"
ENDS = (("whole", "splitting whole tuples"), ("within", "splitting within tuples"))
UNIT = "judgements, as new tuples"
CAPTION = (
    "Splitting within tuples is optimistic, splitting whole tuples conservative; the truth for half the data lies "
    "between."
)


def headline(reliability: Mapping[str, Any]) -> dict[str, Any]:
    """A report's `headline` from its `reliability`; `needed` brackets the forecasts that there are."""
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
    return "Whole tuples to within." if sd is None else f"Whole tuples to within, SD {_printed(sd)} over splits."


def _printed(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")
