"""Calculation of study plans for the page Plan and for the API: predictions, costs and the search for a target."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.utils.text import get_text_list

from accord_core.exchange.plans import Advice, PlannedStudy, plan_conclusions, plan_figures, plan_notes
from accord_core.numerics.plan_costs import answers_for
from accord_core.numerics.plan_search import (
    BudgetDesign,
    Candidate,
    SearchedDesign,
    best_for_budget,
    designs_for_budget,
    search_designs,
)
from accord_core.numerics.planning import Forecast, StudyModel, forecast
from accord_core.numerics.printed import coefficient
from annotate.tasktypes.plan_parameters import PlanParameters
from annotate.tasktypes.planning import PlanInput, Planning

Json = Any
Progress = Callable[[float, str], None]

ADVICE = Advice(
    "Collect a pilot first to replace the assumptions with estimates.",
    "Enter the share of careless annotators that the quality rule stops, if you know it.",
    "If the assumptions hold, the 95% prediction interval contains the figures of 95% of studies.",
)
SEARCH = 0.8  # the share of the progress at which the search for the target begins


@dataclass(frozen=True)
class PreparedPlan:
    """A plan before the simulation. `levels` are the numbers of answers per question to simulate."""

    planning: Planning
    parameters: PlanParameters
    plan: PlanInput
    model: StudyModel
    study: PlannedStudy
    levels: Sequence[int]


def prepare_plan(planning: Planning, parameters: PlanParameters, pilot: Any = None) -> PreparedPlan:
    """Check a plan without simulating studies. Raises ValueError with a message for researchers if the plan is
    impossible, for example because the budget is too small.
    """
    plan = parameters.plan_input(pilot)
    model = planning.model(plan)
    careless = max((each.high for each in model.assumptions if each.name == "careless"), default=0.0)
    budget = None if parameters.budget is None else Decimal(str(parameters.budget))
    study = PlannedStudy(
        plan.items, planning.questions(plan), parameters.terms(), parameters.currency, budget, parameters.days,
        careless, wording=planning.wording, assumptions=planning.labels,
    )  # fmt: skip
    words = planning.wording
    possible = [level for level in parameters.answers if level <= model.most]
    if not possible:
        raise ValueError(
            f"The plan compares {parameters.answers[0]} or more {words.per_question}, but {model.most} annotators can "
            f"give at most {model.most}, because each annotator answers a question only once."
        )
    affordable = study.within_budget(possible, planning.fewest)
    levels = sorted({*possible, *(level for level in affordable if level <= model.most)})
    return PreparedPlan(planning, parameters, plan, model, study, levels)


def calculate_plan(prepared: PreparedPlan, progress: Progress) -> dict[str, Json]:
    """Simulate the studies and return the plan as JSON.

    The JSON contains the entries of `plan_figures`, sentences about the budget and the target (`conclusions`), the
    figure to which a target applies, and the labels of all figures. If the plan has a target, the search compares all
    alternatives of the design. A plan with a pilot also contains equally probable values of the assumptions (`draws`),
    from which the figures of the unfinished study are predicted.
    """
    parameters, planning = prepared.parameters, prepared.planning
    share = SEARCH if parameters.target else 1.0
    start = 0.0 if prepared.model.observed is None else share / 2  # the pilots are simulated before the studies
    predicted = forecast(
        prepared.model,
        prepared.levels,
        studies=parameters.studies,
        seed=parameters.seed,
        progress=lambda done, studies: progress(
            start + (share - start) * done / studies, f"{done:,} of {studies:,} studies simulated"
        ),
        pilot_progress=lambda done, pilots: progress(start * done / pilots, f"{done:,} of {pilots:,} pilots simulated"),
    )
    draws = {}
    if prepared.model.observed is not None:
        names = [assumption.name for assumption in prepared.model.assumptions]
        draws = {"draws": dict(zip(names, predicted.draws.T.round(6).tolist(), strict=True))}
    searched = list(_searched(prepared, predicted, progress))
    affordable = for_budget(planning, prepared.plan, prepared.study, predicted, seed=parameters.seed)
    study, figure = prepared.study, prepared.model.target_figure
    notes = list(plan_notes(study, predicted, ADVICE, pilot=prepared.model.observed is not None))
    notes.extend(_excluded_note(prepared))
    return {
        **plan_figures(study, predicted, searched, notes, affordable),
        "conclusions": [
            *plan_conclusions(study, predicted, figure, searched),
            *budget_conclusions(study, affordable, planning),
        ],
        "target_figure": figure,
        "labels": dict(planning.figures),
        **draws,
    }


def _excluded_note(prepared: PreparedPlan) -> Iterator[str]:
    """Name the requested numbers of answers per question that exceed the number of annotators."""
    excluded = [str(level) for level in prepared.parameters.answers if level > prepared.model.most]
    if excluded:
        yield (
            f"The plan excludes {get_text_list(excluded, 'and')} {prepared.planning.wording.per_question}, because "
            f"each of the {prepared.model.most} annotators answers a question only once."
        )


def _searched(prepared: PreparedPlan, predicted: Forecast, progress: Progress) -> Iterator[SearchedDesign]:
    parameters, planning, plan = prepared.parameters, prepared.planning, prepared.plan
    if parameters.target is None:
        return
    yield from search_designs(
        list(candidates(planning, plan, prepared.model, alternatives(planning, plan.design))),
        predicted,
        parameters.target,
        prepared.study.terms,
        seed=parameters.seed,
        fewest=planning.search_from,
        step=planning.step,
        largest=planning.largest_study,
        progress=lambda done, designs: progress(
            SEARCH + (1 - SEARCH) * done / designs, f"{done} of {designs} designs compared"
        ),
    )


def candidates(
    planning: Planning, plan: PlanInput, model: StudyModel, others: Iterable[Mapping[str, Json]]
) -> Iterator[Candidate]:
    """Yield the design of the plan, and the `others` that are possible with this number of items."""
    yield Candidate(plan.design, planning.questions(plan), model)
    for design in others:
        if other := possible_candidate(planning, plan, design):
            yield other


def possible_candidate(planning: Planning, plan: PlanInput, design: Mapping[str, Json]) -> Candidate | None:
    """Return the plan with another design, or None if the items do not allow this design."""
    changed = replace(plan, design=design)
    try:
        return Candidate(design, planning.questions(changed), planning.model(changed))
    except ValueError:
        return None


def for_budget(
    planning: Planning, plan: PlanInput, study: PlannedStudy, predicted: Forecast, *, seed: int
) -> list[BudgetDesign]:
    """Return the designs that use the plan's budget as fully as possible, with their expected figures. The list is
    empty if there is no budget, if the task type does not compare designs, or if the budget pays for more answers than
    a plan simulates.
    """
    answers = None if study.budget is None else answers_for(study.budget, study.terms)
    if planning.for_budget is None or answers is None or answers > planning.largest_study:
        return []
    possible = []
    for design, per_question in planning.for_budget(plan, answers):
        each = possible_candidate(planning, plan, design)
        if each is not None and per_question <= each.model.most:
            possible.append((each, per_question))
    return designs_for_budget(possible, predicted, study.terms, seed=seed)


def budget_conclusions(study: PlannedStudy, designs: Sequence[BudgetDesign], planning: Planning) -> Iterator[str]:
    """Name the design with the best value of each figure for the budget, or say why there is none."""
    answers = None if study.budget is None else answers_for(study.budget, study.terms)
    if planning.for_budget is not None and answers is not None and answers > planning.largest_study:
        yield (
            f"The budget pays for {answers:,} {planning.wording.answers}, but plans simulate at most "
            f"{planning.largest_study:,}. Therefore, no designs are compared for the budget."
        )
    best = {
        name: best_for_budget(designs, name, lowest=goal == "lowest") for name, goal in planning.best.items() if designs
    }
    varied = [option for option in planning.design if len({each.design[option.name] for each in designs}) > 1]
    for name, each in best.items():
        if each is not None:
            values = [f"{option.name} {each.design[option.name]:g}" for option in varied]
            fields = f" with {' and '.join(values)}" if values else ""
            label = planning.figures[name]
            yield (
                f"For the budget, {each.per_question} {study.wording.per_question}{fields} have the "
                f"{planning.best[name]} {label[0].lower()}{label[1:]}: {coefficient(each.figures[name], 3)}."
            )
    if len({(each.per_question, tuple(each.design.values())) for each in best.values() if each is not None}) > 1:
        yield planning.best_note


def alternatives(planning: Planning, design: Mapping[str, Json]) -> Iterator[dict[str, Json]]:
    """Yield the designs that differ from `design` in one of the fields that the search varies."""
    for name, values in planning.alternatives.items():
        for value in values:
            if value != design[name]:
                yield {**design, name: value}
