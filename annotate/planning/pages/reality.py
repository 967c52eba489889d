"""The “Planned and actual” panel of the overview: a sentence, a table and a chart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from django.template.loader import render_to_string

from accord_core.numerics.predictions import Prediction
from accord_core.numerics.printed import NONE, coefficient, count, money, with_noun
from annotate.core.selectors.counts import Hour
from annotate.core.selectors.pace import Finish
from annotate.core.selectors.progress import Progress
from annotate.models import Study
from annotate.planning.selectors.checks import PlanCheck
from annotate.planning.selectors.reality import Amounts, PlanReality, plan_reality
from annotate.web.pages.charts import Chart

# Smaller differences between the plan and the forecast cause no warning.
TOLERATED = 1.1


@dataclass(frozen=True)
class Advice:
    """A sentence about a difference between the plan and the study. `level` is `good`, `warn` or `info`.

    If `again` is true, the page offers to calculate a new plan from the study's answers.
    """

    level: str
    text: str
    again: bool = False


class Row(NamedTuple):
    """A row of the table: the name of a quantity, and the quantity in the plan, so far, and expected at the end."""

    name: str
    planned: str
    so_far: str = NONE
    expected: str = NONE


@dataclass(frozen=True)
class RealityPanel:
    """The contents of the panel. If `ended` is true, the amounts so far are final, and none is expected."""

    number: int
    ended: bool
    advice: Sequence[Advice]
    rows: Sequence[Row]
    chart: Chart | None


def overview_part(study: Study, progress: Progress, worked: Sequence[Hour], finish: Finish | None) -> str:
    """Return the panel of a study for its overview, or an empty string if the study uses no plan."""
    reality = plan_reality(study, progress, worked, finish)
    if reality is None:
        return ""
    return render_to_string("planning/reality.html", {"study": study, "reality": reality_panel(reality)})


def reality_panel(reality: PlanReality) -> RealityPanel:
    """Return the contents of the panel."""
    advice, rows = list(_advice(reality)), list(_rows(reality))
    return RealityPanel(reality.plan.number, reality.ended, advice, rows, reality_chart(reality))


def reality_chart(reality: PlanReality) -> Chart | None:
    """Return the chart of the predicted intervals and the measured figures by number of judgements, or None before the
    second measured figure.
    """
    checks = {check.judgements: check for check in reality.checks if check.measured.value is not None}
    if len(checks) < 2:
        return None
    ordered = [checks[number] for number in sorted(checks)]
    last = ordered[-1]
    return Chart(
        "plan-reality",
        "plan_reality",
        f"{reality.label}, planned and actual",
        f"{reality.label} by number of judgements: {coefficient(last.measured.value)} measured and "
        f"{_range(last.predicted)} predicted, at {with_noun(last.judgements, 'judgement')}",
        {"points": [_point(check) for check in ordered]},
        ("Judgements", "Predicted", "Measured", "95% interval"),
        [
            (
                count(check.judgements),
                _range(check.predicted),
                coefficient(check.measured.value),
                _ends(check.measured.low, check.measured.high),
            )
            for check in ordered
        ],
        "The band shows the 95% interval that the plan predicts for the answers at each time. The points show the "
        "measured figures.",
        [("dashed", "Prediction of the plan"), ("bar0", "Measured figure")],
        axes=("Judgements", reality.label),
        explanation="plan_reality",
    )


def _advice(reality: PlanReality) -> Iterator[Advice]:
    latest = reality.latest
    if latest is None:
        next_figure = "with the next calculation of the figure above"
        when = next_figure if reality.judgements.so_far else "after the first judgements"
        yield Advice("info", f"The comparison with the plan appears {when}.")
    elif latest.reason:
        when = f"After {with_noun(latest.judgements, 'judgement')}"
        yield Advice("info", f"{when}, the quality could not be compared with the plan. {latest.reason}")
    else:
        yield _quality(reality, latest)
    yield from _cost(reality)
    yield from _days(reality)


def _quality(reality: PlanReality, check: PlanCheck) -> Advice:
    label = reality.label
    figure = f"{label}{'' if reality.ended else ' so far'}: {coefficient(check.measured.value)}."
    predicted = f"the predicted interval ({_range(check.predicted)})"
    if check.position is None:
        return Advice("info", f"{label} cannot be compared with the plan, because the figure is undefined.")
    if check.position == "inside":
        return Advice("good", f"{figure} This figure is inside {predicted}, so the study agrees with the plan.")
    if check.is_rough:
        return Advice(
            "info",
            f"{figure} This figure is {check.position} {predicted}, but its own interval is so wide that it does not "
            "contradict the plan.",
        )
    if reality.has_own_pilot:
        return Advice(
            "warn",
            f"{figure} This figure is {check.position} {predicted}, although the plan was estimated from this study. "
            "Either the annotators have changed, or the simulated studies do not represent this study. Do not rely on "
            "the predictions of the plan.",
        )
    if check.position == "below":
        return Advice(
            "warn",
            f"{figure} This figure is below {predicted}. Annotators are less careful or questions are more difficult "
            f"than the plan assumes. Check the annotators with the lowest agreement.",
            again=True,
        )
    return Advice(
        "info",
        f"{figure} This figure is above {predicted}. Annotators agree more than the plan assumes.",
        again=True,
    )


def _cost(reality: PlanReality) -> Iterator[Advice]:
    planned, expected = reality.cost.planned, reality.cost.expected
    if not (planned and expected and expected > planned * TOLERATED):
        return
    currency = reality.plan.parameters["currency"]
    amounts = f"{_money(expected, currency)} instead of the planned {_money(planned, currency)}"
    if reality.complete:
        yield Advice("info", f"The study cost {amounts}.")
        return
    judgements = reality.judgements
    advice = "Check the reward in the settings."
    if judgements.planned and judgements.expected and judgements.expected > judgements.planned:
        advice = f"The study asks for {judgements.expected:,.0f} judgements instead of {judgements.planned:,.0f}."
    yield Advice("warn", f"The expected total cost is {amounts}. {advice}")


def _days(reality: PlanReality) -> Iterator[Advice]:
    planned, expected = reality.days.planned, reality.days.expected
    if not (planned and expected and expected > max(planned * TOLERATED, planned + 1)):
        return
    numbers = f"{_day_count(expected)} days instead of the planned {_day_count(planned)}"
    if reality.complete:
        yield Advice("info", f"The study took {numbers}.")
        return
    yield Advice("warn", f"At the current pace, the study takes {numbers}. Invite more annotators to finish earlier.")


def _rows(reality: PlanReality) -> Iterator[Row]:
    latest, currency = reality.latest, reality.plan.parameters["currency"]
    if latest is not None and latest.predicted is not None:
        yield Row(
            f"{reality.label} at {with_noun(latest.judgements, 'judgement')}",
            _range(latest.predicted),
            coefficient(latest.measured.value),
        )
    is_final = reality.complete and latest is not None and latest.judgements == reality.judgements.so_far
    if reality.at_end is not None and not is_final:
        yield Row(f"{reality.label} at the end", _range(reality.at_end))
    judgements, cost, days = reality.judgements, reality.cost, reality.days
    yield _row("Judgements", judgements, lambda number: count(int(number)))
    if cost.planned is not None:
        yield _row("Cost with fees", cost, lambda amount: _money(amount, currency))
    yield _row("Days", days, _day_count)


def _row(name: str, amounts: Amounts, shown: Callable[[float], str]) -> Row:
    numbers = (amounts.planned, amounts.so_far, amounts.expected)
    return Row(name, *(NONE if each is None else shown(each) for each in numbers))


def _point(check: PlanCheck) -> dict[str, float | int | None]:
    predicted = check.predicted
    return {
        "answers": check.judgements,
        "value": check.measured.value,
        "predicted": predicted and predicted.value,
        "low": predicted and predicted.low,
        "high": predicted and predicted.high,
    }


def _range(predicted: Prediction | None) -> str:
    return NONE if predicted is None else _ends(predicted.low, predicted.high)


def _ends(low: float | None, high: float | None) -> str:
    return NONE if low is None or high is None else f"{coefficient(low)} to {coefficient(high)}"


def _money(amount: float, currency: str) -> str:
    return money(Decimal(str(amount)), currency)


def _day_count(days: float) -> str:
    return f"{days:,.1f}" if days < 10 else f"{days:,.0f}"
