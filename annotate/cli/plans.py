"""Options and output that all `accord plan` commands share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from accord_core.exchange.numbers import is_whole_number, read_decimal
from annotate.cli.options import all_options, format_options, print_result, seed_option
from annotate.cli.support import progress_bar
from annotate.cli.types import NumberRange, WholeRange
from annotate.tasktypes.plan_parameters import LARGEST_AMOUNT, range_of

if TYPE_CHECKING:
    from accord_core.numerics.plan_costs import Terms
    from annotate.tasktypes.planning import PlanInput, Planning

F = TypeVar("F", bound=Callable[..., Any])


class RangeOrValue(click.ParamType):
    """A number such as 0.1, or a range such as 0.05-0.2. The value is a pair (low, high)."""

    name = "number or range"

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        if isinstance(value, tuple):
            return value
        try:
            return range_of(str(value), self.low, self.high)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Amount(click.ParamType):
    """An amount of money from 0 to `LARGEST_AMOUNT`."""

    name = "amount"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Decimal:
        try:
            amount = read_decimal(str(value))
        except ValueError:
            self.fail(f"{value} is not an amount of money.", param, ctx)
        if not 0 <= amount <= LARGEST_AMOUNT:
            self.fail(f"The amount must be from 0 to {LARGEST_AMOUNT:,}, not {value}.", param, ctx)
        return amount


SHARE = NumberRange(0, 1)
_OPTIONS = (
    click.option(
        "--answers",
        metavar="2,4,6",
        help="Numbers of answers per question to compare. With --budget, numbers that cost more are excluded.",
    ),
    click.option(
        "--target",
        type=NumberRange(0, 1, min_open=True, max_open=True),
        metavar="R",
        help="Find the cheapest design whose main figure is at least R.",
    ),
    click.option("--budget", type=Amount(), help="Largest total cost. Needs --price."),
    click.option("--price", type=Amount(), default="0", help="Payment for one HIT."),
    click.option(
        "--per-hit",
        type=WholeRange(1),
        default=1,
        show_default=True,
        help="Questions in each HIT, including gold questions.",
    ),
    click.option("--currency", default="EUR", show_default=True, help="Currency of the price and the budget."),
    click.option(
        "--fee",
        type=NumberRange(0, 100),
        default=0.0,
        show_default=True,
        help="Platform fee as a share of the payment, such as 0.33.",
    ),
    click.option(
        "--gold",
        type=NumberRange(0, 1, max_open=True),
        default=0.0,
        show_default=True,
        help="Share of gold questions among all questions.",
    ),
    click.option(
        "--caught",
        type=SHARE,
        default=0.0,
        show_default=True,
        help="Share of careless annotators who are stopped by the quality rule and replaced by other annotators.",
    ),
    click.option(
        "--annotators", type=WholeRange(2), default=20, show_default=True, help="Number of annotators in the study."
    ),
    click.option(
        "--seconds",
        type=NumberRange(0, 1_000_000, min_open=True),
        default=20.0,
        show_default=True,
        help="Seconds that an annotator needs for one question.",
    ),
    click.option(
        "--hours-per-day",
        type=NumberRange(0, 24, min_open=True),
        default=2.0,
        show_default=True,
        help="Hours that each annotator works per day.",
    ),
    click.option(
        "--days",
        type=NumberRange(0, 1_000_000, min_open=True),
        help="Print the number of annotators who can finish the study within this number of days.",
    ),
    click.option(
        "--studies",
        type=WholeRange(20),
        help="Number of simulated studies. The default is 300, or 100 for alignments.",
    ),
    seed_option,
)


@dataclass(frozen=True)
class PlanRequest:
    """The values of the options that all plan commands share."""

    answers: str | None
    target: float | None
    budget: Decimal | None
    price: Decimal
    per_hit: int
    currency: str
    fee: float
    gold: float
    caught: float
    annotators: int
    seconds: float
    hours_per_day: float
    days: float | None
    studies: int | None
    seed: int
    output_format: str

    def terms(self) -> Terms:
        """Return the terms of work. Raises a usage error if the options exclude each other."""
        from accord_core.numerics.plan_costs import Terms

        if self.budget is not None and not self.price:
            raise click.UsageError("--budget needs --price. Without a price, Accord cannot calculate the cost.")
        return Terms(
            price=self.price,
            per_hit=self.per_hit,
            fee=self.fee,
            gold=self.gold,
            seconds=self.seconds,
            hours_per_day=self.hours_per_day,
            annotators=self.annotators,
            caught=self.caught,
        )


def plan_options(command: F) -> F:
    """Add the options of all `accord plan` commands, and pass their values as the argument `request`."""

    @wraps(command)
    def with_request(**options: Any) -> Any:
        shared = {name: options.pop(name) for name in PlanRequest.__dataclass_fields__}
        return command(request=PlanRequest(**shared), **options)

    command_with_options: Any = all_options(*_OPTIONS, format_options)(with_request)
    return cast(F, command_with_options)


def stated_ranges(**ranges: tuple[float, float] | None) -> dict[str, tuple[float, float]]:
    """Return the ranges of the assumptions that the user states, by name."""
    return {name: each for name, each in ranges.items() if each is not None}


def print_plan(
    planning: Planning,
    plan: PlanInput,
    request: PlanRequest,
    *,
    title: str,
    others: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Simulate the studies and print the plan. The options --answers and --studies override the usual numbers of
    answers per question and of simulated studies. The search for a target also tries the designs in `others`.
    """
    from accord_core.exchange.plans import Advice, PlannedStudy, plan_conclusions, plan_figures, plan_notes, plan_table
    from accord_core.numerics.plan_search import search_designs
    from accord_core.numerics.planning import forecast
    from annotate.tasktypes.plan_calculation import budget_conclusions, candidates, for_budget

    try:
        model = planning.model(plan)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    careless = max((each.high for each in model.assumptions if each.name == "careless"), default=0.0)
    study = PlannedStudy(
        plan.items, planning.questions(plan), request.terms(), request.currency, request.budget, request.days, careless,
        title, wording=planning.wording, assumptions=planning.labels,
    )  # fmt: skip
    fewest = planning.fewest
    chosen = _levels(request.answers, fewest, model.most) if request.answers else planning.levels
    try:
        affordable = study.within_budget([each for each in chosen if each <= model.most], fewest)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    affordable = [each for each in affordable if each <= model.most]
    if not affordable:
        raise click.ClickException("The budget does not cover any of these numbers of answers per question.")
    count = request.studies or planning.studies
    with progress_bar("Simulating studies") as show:
        progress = None if show is None else lambda done, studies: show(done / studies)
        predicted = forecast(model, affordable, studies=count, seed=request.seed, progress=progress)
    searched = []
    if request.target is not None:
        searched = search_designs(
            list(candidates(planning, plan, model, others)),
            predicted,
            request.target,
            study.terms,
            seed=request.seed,
            fewest=planning.search_from,
            step=planning.step,
        )
    designs = for_budget(planning, plan, study, predicted, seed=request.seed)
    advice = Advice(
        "Use --pilot with the data of a pilot to estimate the assumptions.",
        "Use --caught to state the share of careless annotators that the quality rule stops.",
    )
    notes = [
        *plan_notes(study, predicted, advice, pilot=model.observed is not None),
        *plan_conclusions(study, predicted, model.target_figure, searched),
        *budget_conclusions(study, designs, planning),
    ]
    print_result(
        request.output_format,
        plan_table(study, predicted, notes),
        figures=plan_figures(study, predicted, searched, notes, designs),
    )


def _levels(text: str, fewest: int, most: int) -> tuple[int, ...]:
    numbers = [part.strip() for part in text.split(",")]
    if not all(is_whole_number(number) and fewest <= int(number) <= most for number in numbers):
        raise click.UsageError(
            f"--answers needs numbers from {fewest} to {most} separated by commas, such as 2,4,6, not {text}. Each "
            "annotator answers a question only once."
        )
    return tuple(sorted({int(number) for number in numbers}))
