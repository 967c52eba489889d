"""A study's plan, compared with its progress: the main figure, the cost and the days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

from accord_core.numerics.plan_costs import costs_of
from accord_core.numerics.predictions import Prediction
from annotate.core.selectors.counts import Hour
from annotate.core.selectors.pace import Finish
from annotate.core.selectors.progress import Progress
from annotate.models import Study
from annotate.planning.models import Plan
from annotate.planning.selectors.checks import PlanCheck, plan_checks
from annotate.planning.selectors.pilots import chosen_pilot
from annotate.planning.selectors.plans import plan_in_use
from annotate.server import clock
from annotate.tasktypes.plan_parameters import PlanParameters

DAY = timedelta(days=1)
CENTS = Decimal("0.01")


@dataclass(frozen=True)
class Amounts:
    """One quantity in the plan, in the study so far, and at the expected end. Unknown amounts are None."""

    planned: float | None
    so_far: float | None
    expected: float | None


@dataclass(frozen=True)
class PlanReality:
    """A plan and the study that uses it.

    `figure` is the name of the main figure, and `label` its label. `at_end` is the predicted main figure of the
    finished study, or None if the plan has predicted this figure only for other designs. The cost includes the platform
    fee of the plan. `complete` is true if no assignment is missing, `ended` if the study is complete or closed, and
    `has_own_pilot` if the plan was estimated from answers of the study itself.
    """

    plan: Plan
    figure: str
    label: str
    checks: Sequence[PlanCheck]
    at_end: Prediction | None
    judgements: Amounts
    cost: Amounts
    days: Amounts
    complete: bool = False
    ended: bool = False
    has_own_pilot: bool = False

    @property
    def latest(self) -> PlanCheck | None:
        return self.checks[-1] if self.checks else None


def plan_reality(study: Study, progress: Progress, worked: Sequence[Hour], finish: Finish | None) -> PlanReality | None:
    """Compare the study so far with its plan, or return None if it has no plan. Needs at most two queries.

    `worked` contains the study's hours, and `finish` the expected end. A study that was closed before its end has no
    expected amounts. Nothing is simulated: the predictions for the answers so far come from stored comparisons.
    """
    plan = plan_in_use(study)
    if plan is None:
        return None
    figure, label = next(iter(plan.result["labels"].items()))
    parameters = PlanParameters(**plan.parameters)
    row, costs = chosen_row(plan), costs_of(_planned_answers(plan), parameters.terms())
    fee = 1 + Decimal(str(parameters.fee))
    same_currency = parameters.price and parameters.currency == study.currency
    checks, at_end = plan_checks(study, plan), _prediction(row["figures"][figure]) if row else None
    closed_early = study.state in (Study.State.CLOSED, Study.State.ARCHIVED) and not progress.complete
    expected = progress.expected_cost(study.reward)
    as_planned = progress.complete and costs.answers == progress.judgements
    if as_planned and at_end and checks and _is_of_plan(checks[-1], parameters, progress):
        checks[-1] = replace(checks[-1], predicted=at_end)  # not a second estimate of the same interval
    return PlanReality(
        plan,
        figure,
        label,
        checks,
        at_end,
        Amounts(costs.answers, progress.judgements, None if closed_early else progress.wanted),
        Amounts(
            float(costs.cost.quantize(CENTS)) if parameters.price else None,
            float((progress.spend.spent * fee).quantize(CENTS)) if same_currency else None,
            float((expected * fee).quantize(CENTS)) if same_currency and not closed_early else None,
        ),
        Amounts(float(row["days"] if row else costs.days), *_days(worked, finish, progress)),
        progress.complete,
        progress.complete or closed_early,
        chosen_pilot(plan.parameters) == study.public_id,
    )


def _is_of_plan(check: PlanCheck, parameters: PlanParameters, progress: Progress) -> bool:
    """Return whether a comparison contains all judgements, from as many annotators as the plan assumes."""
    has_all = check.predicted is not None and check.judgements == progress.judgements
    return has_all and check.annotators == parameters.annotators


def chosen_row(plan: Plan) -> dict[str, Any] | None:
    """Return the predictions for the chosen design, or None if only the search for the target compared this design."""
    chosen = plan.chosen or {}
    if chosen["design"] != plan.parameters["design"]:
        return None
    rows = (row for row in plan.result["designs"] if row["per_question"] == chosen["per_question"])
    return next(rows, None)


def _planned_answers(plan: Plan) -> int:
    chosen, result = plan.chosen or {}, plan.result
    searched = (
        row for row in (*result.get("searched", ()), *result.get("for_budget", ())) if row["design"] == chosen["design"]
    )
    questions = next((row["questions"] for row in searched), result["questions"])
    answers: int = questions * chosen["per_question"]
    return answers


def _prediction(figure: dict[str, Any]) -> Prediction | None:
    return None if figure["low"] is None else Prediction(**figure)


def _days(worked: Sequence[Hour], finish: Finish | None, progress: Progress) -> tuple[float | None, float | None]:
    """Return the days since the first judgement, and the days from the first judgement to the expected end. If the
    study is complete, both periods end with the last judgement.
    """
    times = [hour.at for hour in worked if hour.judgements]
    if not times:
        return None, None
    start, now = min(times), clock.now()
    if progress.complete:
        whole = (max(times) + timedelta(hours=1) - start) / DAY
        return whole, whole
    return (now - start) / DAY, (finish.at - start) / DAY if finish and finish.at else None
