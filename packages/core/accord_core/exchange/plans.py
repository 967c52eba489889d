"""Study plans in the form of tables, JSON or sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import isfinite
from typing import Any

from accord_core.exchange.printed_tables import Cell, PrintedTable
from accord_core.numerics.plan_costs import Terms, annotators_for, answers_for, costs_of
from accord_core.numerics.plan_search import BudgetDesign, SearchedDesign, cheapest
from accord_core.numerics.planning import Forecast
from accord_core.numerics.predictions import Prediction
from accord_core.numerics.printed import coefficient, money, places_of

INTERVALS = (
    "The columns low and high are the ends of the 95% prediction interval. If the assumptions hold, the figure of the "
    "finished study lies between these ends in 95% of studies."
)
NO_PILOT = "The figures depend on the assumptions."
CAUGHT_NOBODY = (
    "The plan assumes that the gold questions stop no careless annotator, as is the case if all gold questions are "
    "easy. Gold questions then increase the cost, but not the reliability."
)
MISFIT = (
    "The pilot does not resemble any simulated pilot, so the assumptions do not represent this study. Do not rely on "
    "the figures."
)


@dataclass(frozen=True)
class Advice:
    """Sentences that state where to provide a pilot (`pilot`) and the share of careless annotators that the quality
    rule stops (`caught`). `intervals` describes the prediction intervals.
    """

    pilot: str
    caught: str
    intervals: str = INTERVALS


@dataclass(frozen=True)
class Wording:
    """The words that describe a plan for one kind of study: “judgements per tuple”, “judgements”, “tuples” and “items”.

    `target` names the figure to which a target applies.
    """

    per_question: str
    answers: str
    questions: str
    items: str
    target: str


@dataclass(frozen=True)
class PlannedStudy:
    """The size of a planned study and its terms of work. `assumptions` maps the names of the assumptions to labels."""

    items: int
    questions: int
    terms: Terms
    currency: str = "EUR"
    budget: Decimal | None = None
    days: float | None = None
    careless: float = 0.0
    title: str = ""
    wording: Wording = field(kw_only=True)
    assumptions: Mapping[str, str] = field(kw_only=True)

    def within_budget(self, levels: Sequence[int], fewest: int) -> list[int]:
        """Return the levels that the budget covers, and the largest level that it covers. Raises ValueError if the
        budget is too small for `fewest` answers per question.
        """
        if self.budget is None:
            return list(levels)
        affordable = answers_for(self.budget, self.terms)
        if affordable is None:
            raise ValueError("To plan with a budget, enter the price of a HIT.")
        largest = affordable // self.questions
        if largest < fewest:
            needed = costs_of(fewest * self.questions, self.terms).cost
            enough = affordable * self.items // (self.questions * fewest)
            shown, words = money(self.budget, self.currency), self.wording
            raise ValueError(
                f"A budget of {shown} pays for {affordable:,} {words.answers}, but {self.questions:,} "
                f"{words.questions} need {fewest * self.questions:,} {words.answers} ({fewest} {words.per_question}), "
                f"which cost {money(_cents(needed), self.currency)}. "
                + (f"The budget is sufficient for {enough:,} {words.items}." if enough else "Increase the budget.")
            )
        chosen = [level for level in levels if level <= largest]
        return chosen if largest in chosen or largest > max(levels) else [*chosen, largest]


def plan_table(study: PlannedStudy, forecast: Forecast, notes: Sequence[str]) -> PrintedTable:
    """Return a table with one row per number of answers per question. `low` and `high` belong to the main figure."""
    names = list(forecast.levels[0].figures)
    columns = ["per_question", "answers", "cost", "hours", "annotators", "days", names[0], "low", "high", *names[1:]]
    rows: list[list[Cell]] = []
    for row in _rows(study, forecast):
        main = row["figures"][names[0]]
        others = [row["figures"][name]["value"] for name in names[1:]]
        cost = None if row["cost"] is None else float(row["cost"])
        rows.append([
            row["per_question"], row["answers"], cost, row["hours"], row["annotators"], row["days"],
            main["value"], main["low"], main["high"], *others,
        ])  # fmt: skip
    return PrintedTable(columns, rows, study.title, notes, places_of={"cost": 2, "hours": 1, "days": 0})


def plan_figures(
    study: PlannedStudy,
    forecast: Forecast,
    searched: Sequence[SearchedDesign],
    notes: Sequence[str],
    affordable: Sequence[BudgetDesign] = (),
) -> dict[str, Any]:
    """Return the plan as a JSON object. The entry `target` describes the first of the `searched` designs. The entry
    `cheapest` is the position of the cheapest design in the entry `searched`, or null if no design reaches the target.
    The entry `for_budget` contains the `affordable` designs.
    """
    figures: dict[str, Any] = {
        "items": study.items,
        "questions": study.questions,
        "currency": study.currency,
        "assumptions": {name: _interval(estimate) for name, estimate in forecast.estimates.items()},
        "studies": forecast.studies,
        "designs": list(_rows(study, forecast)),
        "notes": list(notes),
    }
    if searched:
        needed, best = searched[0].needed, cheapest(searched)
        figures["target"] = {
            "value": needed.target, "per_question": needed.answers, "reached": needed.value, "most": needed.most
        }  # fmt: skip
        figures["searched"] = [_searched_row(study, each) for each in searched]
        figures["cheapest"] = None if best is None else searched.index(best)
    if affordable:
        figures["for_budget"] = [_affordable_row(study, each) for each in affordable]
    return figures


def plan_notes(study: PlannedStudy, forecast: Forecast, advice: Advice, *, pilot: bool) -> Iterator[str]:
    """Describe the assumptions and the limits of a plan in sentences."""
    estimates = ", ".join(f"{study.assumptions[name]} {_shown(each)}" for name, each in forecast.estimates.items())
    yield f"{'Estimates from the pilot' if pilot else 'Assumptions'}: {estimates}."
    if pilot and not forecast.fits:
        yield MISFIT
    if not pilot:
        yield f"{NO_PILOT} {advice.pilot}"
    yield advice.intervals
    if study.terms.caught:
        yield "The cost does not include payments to annotators that the quality rule stops."
    if study.terms.gold and not study.terms.caught and study.careless:
        yield f"{CAUGHT_NOBODY} {advice.caught}"


def plan_conclusions(
    study: PlannedStudy, forecast: Forecast, figure: str, searched: Sequence[SearchedDesign]
) -> Iterator[str]:
    """Describe the designs within the budget, and the cheapest design that reaches the target, in sentences. `figure`
    is the name of the figure to which a target applies.
    """
    if study.budget is not None:
        yield from _budget_note(study, forecast, figure)
    if searched:
        yield from _target_note(study, searched)


def _budget_note(study: PlannedStudy, forecast: Forecast, figure: str) -> Iterator[str]:
    words = study.wording
    costs = {level.answers: costs_of(level.answers * study.questions, study.terms) for level in forecast.levels}
    covered = [level for level in forecast.levels if costs[level.answers].cost <= (study.budget or 0)]
    if covered:
        level = covered[-1]
        value, low, high = level.figures[figure]
        budget = f"The budget of {money(study.budget, study.currency)}"
        covers = "covers" if level != forecast.levels[-1] else "is sufficient for the largest compared design,"
        yield (
            f"{budget} {covers} {level.answers} {words.per_question}: "
            f"{costs[level.answers].answers:,} {words.answers} for "
            f"{money(_cents(costs[level.answers].cost), study.currency)}, with {words.target} of "
            f"{coefficient(value, 2)} (95% interval {coefficient(low, 2)} to {coefficient(high, 2)})."
        )


def _target_note(study: PlannedStudy, searched: Sequence[SearchedDesign]) -> Iterator[str]:
    words, stated = study.wording, searched[0].needed.target
    places = places_of(stated)
    target = coefficient(stated, places)
    best = cheapest(searched)
    if best is None:
        best = max(searched, key=lambda each: each.needed.value)
        yield (
            f"The target {target} cannot be reached with {'this design' if len(searched) == 1 else 'these designs'}: "
            f"even {best.needed.most} {words.per_question}{_other_fields(searched[0], best)} give {words.target} of "
            f"{coefficient(best.needed.value, places)}."
        )
        return
    cost = best.costs.cost
    price = f" for {money(_cents(cost), study.currency)}" if cost else ""
    yield (
        f"The cheapest design with {words.target} of at least {target} has {best.needed.answers} "
        f"{words.per_question}{_other_fields(searched[0], best)}: {best.costs.answers:,} {words.answers}{price}."
    )
    if study.budget is not None and cost > study.budget:
        yield f"The budget of {money(study.budget, study.currency)} is too small for this target."


def _other_fields(planned: SearchedDesign, other: SearchedDesign) -> str:
    """Name the fields in which the other design differs from the planned design."""
    changed = [f"{name} {value:g}" for name, value in other.design.items() if value != planned.design[name]]
    return f" with {' and '.join(changed)}" if changed else ""


def _searched_row(study: PlannedStudy, searched: SearchedDesign) -> dict[str, Any]:
    costs, needed = searched.costs, searched.needed
    return {
        "design": dict(searched.design),
        "questions": searched.questions,
        "per_question": needed.answers,
        "reached": needed.value if isfinite(needed.value) else None,
        "most": needed.most,
        "answers": costs.answers,
        "cost": str(_cents(costs.cost)) if study.terms.price else None,
        "hours": costs.hours,
    }


def _affordable_row(study: PlannedStudy, affordable: BudgetDesign) -> dict[str, Any]:
    return {
        "design": dict(affordable.design),
        "questions": affordable.questions,
        "per_question": affordable.per_question,
        "answers": affordable.costs.answers,
        "cost": str(_cents(affordable.costs.cost)) if study.terms.price else None,
        "hours": affordable.costs.hours,
        "figures": {name: value if isfinite(value) else None for name, value in affordable.figures.items()},
    }


def _rows(study: PlannedStudy, forecast: Forecast) -> Iterator[dict[str, Any]]:
    for level in forecast.levels:
        costs = costs_of(level.answers * study.questions, study.terms)
        annotators, days = study.terms.annotators, float(costs.days)
        if study.days is not None:
            days = study.days
            annotators = max(level.answers, annotators_for(costs.answers, days, study.terms))
        yield {
            "per_question": level.answers,
            "answers": costs.answers,
            "gold_answers": costs.gold_answers,
            "hits": costs.hits,
            "cost": str(_cents(costs.cost)) if study.terms.price else None,
            "hours": costs.hours,
            "annotators": annotators,
            "days": days,
            "figures": {name: _interval(figure) for name, figure in level.figures.items()},
        }


def _interval(prediction: Prediction) -> dict[str, float | None]:
    return {name: value if isfinite(value) else None for name, value in prediction._asdict().items()}


def _shown(prediction: Prediction) -> str:
    value, low, high = (f"{each:.2f}" for each in prediction)
    return value if low == high else f"{value} (95% interval {low} to {high})"


def _cents(cost: Decimal) -> Decimal:
    return cost.quantize(Decimal("0.01"))
