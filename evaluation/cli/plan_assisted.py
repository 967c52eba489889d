"""The `accord plan assisted` command compares people alone with people and a program."""

from __future__ import annotations

from decimal import Decimal

import click

from accord_core.exchange.printed_tables import Cell, PrintedTable
from annotate.cli.options import format_options, print_result
from annotate.cli.types import NumberRange, WholeRange

COLUMNS = ("program", "judged questions", "judgements", "saved", "cost", "hours")


@click.command("assisted")
@click.option(
    "--questions", type=WholeRange(1), required=True, help="Number of questions, all answered by the program."
)
@click.option("--judged", type=WholeRange(1), required=True, help="Number of questions that people alone would judge.")
@click.option(
    "--correlation",
    "correlations",
    type=NumberRange(-1, 1),
    multiple=True,
    default=(0.4, 0.6, 0.8),
    show_default=True,
    help="The program's correlation with the true scores. You can repeat this option.",
)
@click.option(
    "--reliability",
    type=NumberRange(0, 1, min_open=True),
    default=0.8,
    show_default=True,
    help="Reliability of people's answers to one question.",
)
@click.option("--judgements", type=WholeRange(1), default=1, show_default=True, help="Judgements per question.")
@click.option("--price", type=NumberRange(0), default=0.0, help="Payment for a judgement, including the fee.")
@click.option(
    "--seconds", type=NumberRange(0, min_open=True), default=20.0, show_default=True, help="Seconds per judgement."
)
@click.option(
    "--even",
    type=NumberRange(0, 1, min_open=True),
    help="If uncertain questions are drawn more often, the share of the draw that does not depend on the "
    "uncertainty. The result then states how much a misleading uncertainty can widen the intervals.",
)
@format_options
def plan_assisted(
    questions: int,
    judged: int,
    correlations: tuple[float, ...],
    reliability: float,
    judgements: int,
    price: float,
    seconds: float,
    even: float | None,
    output_format: str,
) -> None:
    """Plan a program-assisted study: judgements, cost and hours for people alone and with a program, at the same
    interval width.

    The saving applies to means and label shares. For another system's Spearman correlation, it is about half as large.

    \b
    Examples:
        accord plan assisted --questions 2000 --judged 400 --price 0.05
        accord plan assisted --questions 2000 --judged 400 --correlation 0.7 --reliability 0.9 --even 0.5
    """
    from accord_core.numerics.assisted_plan import judged_with_program, saved_share
    from accord_core.numerics.plan_costs import Terms, costs_of

    if judged > questions:
        raise click.UsageError("--judged must not be larger than --questions.")
    terms = Terms(price=Decimal(str(price)), seconds=seconds)

    def row(name: str, saved: float) -> list[Cell]:
        of_people = judged_with_program(judged, saved)
        costs = costs_of(of_people * judgements, terms)
        return [name, of_people, costs.answers, saved, float(costs.cost), costs.hours]

    rows = [row("none", 0.0)]
    rows += [row(f"{each:g}", saved_share(each, reliability, judged / questions)) for each in correlations]
    notes = []
    if judged == questions:
        notes.append("People judge all questions, so a program saves no judgements.")
    if even is not None:
        notes.append(f"If the uncertainty is misleading, the intervals are at most {even**-0.5:.2f} times as wide.")
    caption = f"Plan: {questions:,} questions, of which people alone would judge {judged:,}"
    table = PrintedTable(COLUMNS, rows, caption=caption, notes=notes, places_of={"saved": 2, "cost": 2, "hours": 1})
    print_result(output_format, table)
