"""The `accord plan bws` command plans a best–worst study from simulated studies."""

from __future__ import annotations

from math import inf
from typing import Any

import click

from accord_core.exchange.numbers import read_number
from annotate.cli.plans import PlanRequest, RangeOrValue, plan_options, print_plan, stated_ranges
from annotate.cli.types import NumberRange, WholeRange


class Factors(click.ParamType):
    """Numbers greater than 0 separated by commas, such as 1.5,2,3."""

    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, ...]:
        if isinstance(value, tuple):
            return value
        try:
            factors = tuple(read_number(part) for part in str(value).split(","))
        except ValueError:
            self.fail(f"{value} must be numbers separated by commas, such as 1.5,2,3.", param, ctx)
        if not all(0 < factor < inf for factor in factors):
            self.fail(f"Each of the factors {value} must be a number greater than 0.", param, ctx)
        return factors


@click.command()
@click.option("--items", type=WholeRange(1), required=True, help="Number of items.")
@click.option("--size", type=WholeRange(3, 6), default=4, show_default=True, help="Number of items in each tuple.")
@click.option(
    "--factor",
    type=NumberRange(0, min_open=True),
    default=2.0,
    show_default=True,
    help="Number of tuples per item.",
)
@click.option(
    "--factors",
    type=Factors(),
    metavar="1.5,2,3",
    help="Further numbers of tuples per item, which the search for the target also tries. Needs --target.",
)
@click.option(
    "--spread",
    type=RangeOrValue(0.01, 20),
    metavar="SD",
    help="Standard deviation of the items' utilities in logits, or a range such as 1-2. Larger values mean clearer "
    "differences. The default is 1.5, or 0.3-6 with --pilot.",
)
@click.option(
    "--careless",
    type=RangeOrValue(0, 0.95),
    metavar="SHARE",
    help="Share of annotators who answer at random, or a range such as 0.05-0.2. The default is 0.1, or 0-0.4 with "
    "--pilot.",
)
@click.option(
    "--pilot",
    metavar="ANNOTATIONS.csv",
    help="File with a pilot's judgements. The command estimates the spread and the share of careless annotators from "
    "it.",
)
@plan_options
def bws(
    items: int,
    size: int,
    factor: float,
    factors: tuple[float, ...] | None,
    spread: tuple[float, float] | None,
    careless: tuple[float, float] | None,
    pilot: str | None,
    request: PlanRequest,
) -> None:
    """Plan a best–worst study: reliability, cost and days for several numbers of judgements per tuple.

    The assumptions are options, or come from a pilot. The column reliability is the reliability of all judgements,
    2r/(1 + r) for the split-half reliability r that `accord bws reliability --unit judgements` will print.

    \b
    Examples:
        accord plan bws --items 2000 --price 0.05 --budget 1500
        accord plan bws --items 2000 --price 0.50 --per-hit 10 --gold 0.1 --fee 0.33 --target 0.9
        accord plan bws --items 2000 --target 0.9 --factors 1.5,3,4
        accord plan bws --items 2000 --pilot pilot.csv --annotators 40 --days 14
        accord plan bws --items 500 --spread 1-2 --careless 0.05-0.2 --json
    """
    from annotate.tasktypes.planning import PlanInput
    from bws.cli.files import annotations_of
    from bws.planning import PLANNING, questions_of

    plan = PlanInput(
        items,
        {"size": size, "factor": factor},
        request.annotators,
        request.caught,
        stated_ranges(spread=spread, careless=careless),
        None if pilot is None else annotations_of(pilot).judgements,
        request.seed,
    )
    if factors and request.target is None:
        raise click.UsageError("--factors needs --target. The command compares factors only if you set a target.")
    others = [{"size": size, "factor": other} for other in factors or () if other != factor]
    title = f"Plan: {items:,} items in {questions_of(plan):,} tuples of {size}, {request.annotators} annotators"
    print_plan(PLANNING, plan, request, title=title, others=others)
