"""The main figure of a paraphrase report: Fleiss' κ with its confidence interval."""

from __future__ import annotations

from typing import Any

from annotate.numerics.bootstrap import Coefficient

NAME = "Fleiss’ κ"


def headline(kappa: Coefficient, resamples: int) -> dict[str, Any]:
    return {
        "name": NAME,
        "ends": [{"name": "fleiss", "label": NAME, "value": kappa.value}],
        "target": None,
        "needed": None,
        "unit": "judgements",
        "doubt": _doubt(kappa, resamples),
        "caption": "Chance-corrected agreement of the votes on candidates. The paper reports κ = .65 for its data.",
    }


def _doubt(kappa: Coefficient, resamples: int) -> str:
    if kappa.value is None:
        return f"Undefined: {kappa.reason}."
    if kappa.low is None or kappa.high is None:
        return "Without an interval."
    return f"95 % interval {_printed(kappa.low)} to {_printed(kappa.high)}, {resamples:,} resamples of candidates."


def _printed(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1).replace("-", "−")
