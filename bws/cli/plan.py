"""The `accord plan bws` command, which plans a best–worst study from simulated studies."""

from __future__ import annotations

import click

from annotate.cli_plans import PlanRequest, RangeOrValue, plan_options, print_plan, stated_ranges
from annotate.cli_types import NumberRange


@click.command()
@click.option("--items", type=click.IntRange(1), required=True, help="Number of items.")
@click.option("--size", type=click.IntRange(3, 6), default=4, show_default=True, help="Number of items in each tuple.")
@click.option(
    "--factor",
    type=NumberRange(0, min_open=True),
    default=2.0,
    show_default=True,
    help="Number of tuples per item.",
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
    help="File with the judgements of a pilot, from which the command estimates the spread and the share of careless "
    "annotators.",
)
@plan_options
def bws(
    items: int,
    size: int,
    factor: float,
    spread: tuple[float, float] | None,
    careless: tuple[float, float] | None,
    pilot: str | None,
    request: PlanRequest,
) -> None:
    """Plan a best–worst study: reliability, cost and days for several numbers of judgements per tuple.

    The command simulates studies under the assumptions, or under assumptions that agree with a pilot. The column
    reliability is the split-half reliability that `accord bws reliability --unit judgements` will print.

    \b
    Examples:
        accord plan bws --items 2000 --price 0.05 --budget 1500
        accord plan bws --items 2000 --price 0.50 --per-hit 10 --gold 0.1 --fee 0.33 --target 0.9
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
    title = f"Plan: {items:,} items in {questions_of(plan):,} tuples of {size}, {request.annotators} annotators"
    print_plan(PLANNING, plan, request, title=title)
