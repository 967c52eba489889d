"""The charts, tables and sentences of a stored plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.text import capfirst

from accord_core.exchange.plans import Wording
from accord_core.numerics.printed import NONE, annotators, coefficient, money, places_of
from annotate.core.permissions import Action, permitted_studies
from annotate.models import Study, User
from annotate.planning.models import Plan
from annotate.tasktypes import Planning
from annotate.tasktypes.options import Option
from annotate.templatetags.figures import count
from annotate.web.pages.charts import Chart, Table

DIFFERENCE = "smallest_difference"
Row = Mapping[str, Any]


def plan_charts(plan: Plan, words: Wording) -> list[Chart]:
    """Return the charts of the figure to which a target applies, and of the smallest detectable difference. A figure
    that is undefined for all designs has no chart, such as the difference in a study of few items.
    """
    names = dict.fromkeys([plan.result["target_figure"], DIFFERENCE])
    return [
        plan_chart(plan.result, plan.parameters, name, words)
        for name in names
        if any(row["figures"][name]["value"] is not None for row in plan.result["designs"])
    ]


def plan_chart(result: Row, parameters: Row, name: str, words: Wording) -> Chart:
    """Return the chart of one figure against the cost, or against the number of answers if the plan has no price."""
    title, priced = result["labels"][name], bool(parameters["price"])
    points = [_point(row, name, priced) for row in result["designs"]]
    ends = points[0], points[-1]
    shown = [f"{coefficient(each['value'])} for {_amount(each['x'], parameters)} {words.answers}" for each in ends]
    if priced:
        shown = [f"{coefficient(each['value'])} for {_amount(each['x'], parameters)}" for each in ends]
    ends_text = f"from {shown[0]} to {shown[1]}" if len(points) > 1 else shown[0]
    has_target = name == result["target_figure"]
    return Chart(
        f"plan-{name.replace('_', '-')}",
        "plan",
        title,
        f"{title} by {'cost' if priced else 'number of ' + words.answers}: {ends_text}",
        {
            "points": points,
            "target": parameters["target"] if has_target else None,
            "budget": parameters["budget"] if priced else None,
            "zero": name == DIFFERENCE,
        },
        (capfirst(words.per_question), "Cost" if priced else capfirst(words.answers), title, "95% interval"),
        [
            (count(each["per_question"]), _amount(each["x"], parameters), coefficient(each["value"]), _interval(each))
            for each in points
        ],
        f"Each point is labelled with its number of {words.per_question}. The band shows the 95% prediction interval.",
        axes=(f"Cost ({parameters['currency']})" if priced else capfirst(words.answers), title),
        explanation="plan",
    )


def designs_table(plan: Plan, words: Wording) -> Table:
    """Return the table of all numbers of answers per question that the plan compares."""
    result, labels = plan.result, plan.result["labels"]
    return Table(
        (
            capfirst(words.per_question),
            capfirst(words.answers),
            "Cost",
            "Hours",
            "Annotators",
            "Days",
            *(f"{label} (95% interval)" for label in labels.values()),
        ),
        [
            (
                count(row["per_question"]),
                count(row["answers"]),
                _cost(row, plan),
                f"{row['hours']:,.1f}",
                count(row["annotators"]),
                f"{row['days']:,g}",
                *(_figure(row["figures"][name]) for name in labels),
            )
            for row in result["designs"]
        ],
    )


def searched_table(plan: Plan, words: Wording, fields: Sequence[Option]) -> Table | None:
    """Return the table of the designs that the search for the target compared, or None without a search."""
    searched = plan.result.get("searched", ())
    varied = [each for each in fields if len({row["design"][each.name] for row in searched}) > 1]
    if not searched or not varied:
        return None
    return Table(
        (
            *(option.label for option in varied),
            capfirst(words.questions),
            capfirst(words.per_question),
            capfirst(words.answers),
            "Cost",
            plan.result["labels"][plan.result["target_figure"]],
        ),
        [
            (
                *(f"{row['design'][option.name]:g}" for option in varied),
                count(row["questions"]),
                count(row["per_question"]) if row["per_question"] else f"more than {row['most']}",
                count(row["answers"]) if row["per_question"] else NONE,
                _cost(row, plan) if row["per_question"] else NONE,
                coefficient(row["reached"]),
            )
            for row in searched
        ],
    )


def budget_table(plan: Plan, words: Wording, planning: Planning) -> Table | None:
    """Return the table of the designs that use the budget, or None without a budget."""
    affordable = plan.result.get("for_budget", ())
    if not affordable:
        return None
    return Table(
        (
            *(option.label for option in planning.design),
            capfirst(words.per_question),
            capfirst(words.answers),
            "Cost",
            *(planning.figures[name] for name in planning.best),
        ),
        [
            (
                *(f"{row['design'][option.name]:g}" for option in planning.design),
                count(row["per_question"]),
                count(row["answers"]),
                _cost(row, plan),
                *(coefficient(row["figures"][name]) for name in planning.best),
            )
            for row in affordable
        ],
    )


def pilot_text(plan: Plan, words: Wording, study: Study, user: User) -> str:
    """Return a sentence about the pilot of a plan, or an empty string for a plan without a pilot. The title of another
    study is shown only to its members.
    """
    pilot = plan.result.get("pilot")
    if not pilot:
        return ""
    source = "this study"
    if pilot["study"] != study.public_id:
        other = permitted_studies(user, Action.LOOK).filter(public_id=pilot["study"]).first()
        source = f"the study “{other.title}”" if other else "another study"
    people = annotators(pilot["annotators"], pilot["annotators"] if pilot["simulated"] else 0)
    return f"Estimated from {count(pilot['answers'])} {words.answers} of {people} in {source}."


def estimates_table(plan: Plan, labels: Mapping[str, str]) -> Table | None:
    """Return the estimates of a plan with a pilot, with their 95% intervals, or None without a pilot."""
    if not plan.result.get("pilot"):
        return None
    estimates = plan.result["assumptions"]
    return Table(
        ("Assumption", "Estimate", "95% interval"),
        [
            (capfirst(labels[name]), f"{each['value']:.2f}", f"{each['low']:.2f} to {each['high']:.2f}")
            for name, each in estimates.items()
        ],
    )


@dataclass(frozen=True)
class Summary:
    """A stored plan in the list of plans. `best` describes the cheapest design that reaches the target, or else the
    largest design within the budget.
    """

    plan: Plan
    items: str
    budget: str
    target: str
    design: str
    cost: str
    value: str
    figure: str


def summaries(plans: Iterable[Plan], words: Wording) -> list[Summary]:
    """Return a summary of each plan."""
    return [_summary(plan, words) for plan in plans]


def choices_of(plan: Plan, designs: Sequence[Row], words: Wording) -> list[tuple[int, str]]:
    """Return the designs of a plan as choices of a form, by position in `designs`."""
    return [
        (place, f"{each['per_question']} {words.per_question}{_changed(each['design'], plan)}")
        for place, each in enumerate(designs)
    ]


def chosen_text(plan: Plan, words: Wording) -> str:
    """Return the chosen design in words."""
    chosen = plan.chosen or {}
    return f"{chosen['per_question']} {words.per_question}{_changed(chosen['design'], plan)}"


def _summary(plan: Plan, words: Wording) -> Summary:
    result, parameters = plan.result, plan.parameters
    figure, best, target = result["target_figure"], result.get("cheapest"), parameters["target"]
    if best is not None:
        row = result["searched"][best]
        value, design = row["reached"], row["design"]
    else:
        row = _largest_within_budget(plan)
        value, design = row["figures"][figure]["value"], parameters["design"]
    currency = parameters["currency"]
    return Summary(
        plan,
        count(parameters["items"]),
        NONE if parameters["budget"] is None else money(Decimal(str(parameters["budget"])), currency),
        NONE if target is None else coefficient(target, places_of(target)),
        f"{row['per_question']} {words.per_question}{_changed(design, plan)}",
        _cost(row, plan),
        coefficient(value),
        result["labels"][figure],
    )


def _largest_within_budget(plan: Plan) -> Row:
    budget, rows = plan.parameters["budget"], plan.result["designs"]
    within = [row for row in rows if budget is None or float(row["cost"] or 0) <= budget]
    largest: Row = (within or rows)[-1]
    return largest


def _changed(design: Row, plan: Plan) -> str:
    """Name the fields in which a design differs from the parameters of the plan."""
    own = plan.parameters["design"]
    changed = [f"{name} {value:g}" for name, value in design.items() if value != own[name]]
    return f", {', '.join(changed)}" if changed else ""


def _point(row: Row, name: str, priced: bool) -> dict[str, Any]:
    return {
        "x": float(row["cost"]) if priced else row["answers"],
        "per_question": row["per_question"],
        **row["figures"][name],
    }


def _amount(value: float, parameters: Row) -> str:
    return money(Decimal(str(value)), parameters["currency"]) if parameters["price"] else count(int(value))


def _cost(row: Row, plan: Plan) -> str:
    return NONE if row["cost"] is None else money(Decimal(row["cost"]), plan.parameters["currency"])


def _figure(figure: Row) -> str:
    value = coefficient(figure["value"])
    return value if figure["low"] is None else f"{value} ({_interval(figure)})"


def _interval(figure: Row) -> str:
    if figure["low"] is None:
        return NONE
    return f"{coefficient(figure['low'])} to {coefficient(figure['high'])}"
