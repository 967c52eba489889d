"""Comparisons between a study's plan and the answers so far. Each comparison is stored as a report."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np

from accord_core.numerics.planning import draw_parameters
from accord_core.numerics.predictions import DRAWS, Floats
from accord_core.numerics.unfinished import predict_unfinished
from annotate import tasktypes
from annotate.core.permissions import Action, Actor, permitted_study
from annotate.core.selectors.progress import judgements_counted
from annotate.core.services.writing import write
from annotate.models import Report, Study
from annotate.planning.models import Plan
from annotate.planning.selectors.answers import PlanAnswers, plan_answers
from annotate.planning.selectors.checks import KIND, latest_check
from annotate.planning.selectors.plans import plan_in_use
from annotate.results.services import save_report
from annotate.tasktypes import Planning, Progress, TooFewAnswers
from annotate.tasktypes.plan_parameters import PlanParameters

Json = Any


def check_plan(study_id: int, *, user: Actor, progress: Progress) -> Report | None:
    """Compare the main figure so far with the prediction of the study's plan, and store the comparison. Returns None if
    the study uses no plan.

    The prediction simulates studies with exactly the questions, annotators and numbers of answers of the study so far.
    If there are too few answers, the report contains the reason instead of figures.
    """
    study = permitted_study(study_id, user, Action.CALCULATE_REPORTS)
    plan, planning = plan_in_use(study), tasktypes.get(study.task_type).planning
    if plan is None or planning is None:
        return None
    progress(0.0, "reading the answers")
    judgements = judgements_counted(study, in_scores=True)
    answers = plan_answers(study, with_pilot=False)
    result = {"judgements": judgements, "simulated": answers.simulated}
    result |= _compared(planning, plan, answers, study.seed, progress)
    with write():
        return save_report(
            study,
            kind=KIND,
            parameters={"plan": plan.number},
            seed=study.seed,
            columns=None,
            result=result,
            user=user,
        )


def needs_check(study: Study, growth: float) -> bool:
    """Return whether the number of judgements has grown by the factor `growth`, or has fallen, since the latest
    comparison with the study's plan.
    """
    plan = plan_in_use(study)
    if plan is None:
        return False
    counted, last = judgements_counted(study, in_scores=True), latest_check(study, plan)
    if last is None:
        return counted > 0
    before = last.judgements
    return counted >= max(before * growth, before + 1) or counted < before


def _compared(planning: Planning, plan: Plan, answers: PlanAnswers, seed: int, progress: Progress) -> dict[str, Json]:
    try:
        so_far = planning.pilot(answers.columns)
    except TooFewAnswers as error:
        return {"reason": str(error)}
    parameters = PlanParameters(**plan.parameters)
    model = planning.model(parameters.plan_input(so_far.pilot))
    predicted = predict_unfinished(
        model,
        draws_of(plan, planning, parameters),
        seed=parameters.seed,
        progress=lambda done, draws: progress(0.1 + 0.8 * done / draws, f"{done:,} of {draws:,} studies simulated"),
    )
    measured = planning.measured(answers.columns, seed)
    return {
        "figure": next(iter(model.figures)),
        "answers": so_far.answers,
        "questions": so_far.questions,
        "annotators": so_far.annotators,
        "measured": measured._asdict(),
        "predicted": {name: value if isfinite(value) else None for name, value in predicted._asdict().items()},
    }


def draws_of(plan: Plan, planning: Planning, parameters: PlanParameters) -> Floats:
    """Return equally probable values (D, P) of the assumptions. They are stored with plans that were estimated from a
    pilot, and are random values from the stated ranges in other plans. Assumptions that are newer than the plan also
    have random values from their ranges.
    """
    stored: Mapping[str, list[float]] | None = plan.result.get("draws")
    model = planning.model(parameters.plan_input())
    drawn = draw_parameters(model, DRAWS, seed=parameters.seed)
    if stored is None:
        return drawn
    return np.column_stack([stored.get(each.name, drawn[:, n]) for n, each in enumerate(model.assumptions)])
