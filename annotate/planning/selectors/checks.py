"""The stored comparisons of a plan with the answers so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from accord_core.numerics.predictions import Prediction
from accord_core.numerics.unfinished import Measured
from annotate.models import Study
from annotate.planning.models import Plan

KIND = "check-plan"
Position = Literal["below", "inside", "above"]


@dataclass(frozen=True)
class PlanCheck:
    """The main figure of the answers of these `annotators` at one time, and the prediction of the plan for exactly
    these answers.

    If there were too few answers, `reason` states what was missing. `simulated` is true if all answers came from
    simulated annotators. `per_question` is the mean number of answers to a question with at least one answer.
    """

    at: datetime
    judgements: int
    measured: Measured
    predicted: Prediction | None
    per_question: float = 0.0
    simulated: bool = False
    reason: str = ""
    annotators: int = 0

    @property
    def position(self) -> Position | None:
        """The position of the measured figure relative to the predicted interval, or None if a figure is undefined."""
        if self.predicted is None or self.measured.value is None:
            return None
        if self.measured.value < self.predicted.low:
            return "below"
        return "above" if self.measured.value > self.predicted.high else "inside"

    @property
    def is_rough(self) -> bool:
        """Whether the interval of the measured figure contains the predicted interval, so that it says little."""
        if self.predicted is None or self.measured.low is None or self.measured.high is None:
            return False
        return self.measured.low <= self.predicted.low and self.predicted.high <= self.measured.high


def plan_checks(study: Study, plan: Plan) -> list[PlanCheck]:
    """Return the comparisons with this plan, oldest first. Needs one query."""
    rows = study.reports.filter(kind=KIND, parameters__plan=plan.number).order_by("number")
    return [_check(created_at, result) for created_at, result in rows.values_list("created_at", "result")]


def latest_check(study: Study, plan: Plan) -> PlanCheck | None:
    """Return the latest comparison with this plan. Needs one query."""
    rows = study.reports.filter(kind=KIND, parameters__plan=plan.number).order_by("-number")
    row = rows.values_list("created_at", "result").first()
    return _check(*row) if row else None


def _check(at: datetime, result: Mapping[str, Any]) -> PlanCheck:
    predicted = result.get("predicted") or {"low": None}
    return PlanCheck(
        at,
        result["judgements"],
        Measured(**result.get("measured", {"value": None})),
        None if predicted["low"] is None else Prediction(**predicted),
        result["answers"] / result["questions"] if result.get("questions") else 0.0,
        result["simulated"],
        result.get("reason", ""),
        result.get("annotators", 0),
    )
