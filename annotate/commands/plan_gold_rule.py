"""The command `accord plan gold-rule` calculates how often a quality rule stops careful and careless annotators."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from accord_core.exchange.files import read_bytes, source_name
from accord_core.exchange.numbers import read_number
from annotate.cli.options import format_options, output_option, print_result, seed_option
from annotate.cli.types import NumberRange, WholeRange

if TYPE_CHECKING:
    from accord_core.exchange.printed_tables import PrintedTable
    from accord_core.numerics.gold_report import RuleReport

FRACTION = NumberRange(0, 1)
COLUMN = "correct"
ERROR_RATE = NumberRange(0, 0.5, min_open=True, max_open=True)


@click.command("gold-rule")
@click.option("--threshold", type=FRACTION, default=0.7, show_default=True, help="Pass mark of the quality rule.")
@click.option(
    "--minimum",
    type=WholeRange(1),
    default=10,
    show_default=True,
    help="Minimum number of gold answers before the rule applies.",
)
@click.option(
    "--window",
    type=WholeRange(0),
    default=0,
    show_default=True,
    help="Number of most recent gold answers on which the accuracy is based. 0 includes all gold answers.",
)
@click.option(
    "--gold",
    "gold_questions",
    type=WholeRange(1, 5_000),
    default=60,
    show_default=True,
    help="Number of gold questions.",
)
@click.option(
    "--difficulties",
    metavar="FILE",
    help="Table with one row per gold question. The column “correct” contains a careful annotator's probability of a "
    "correct answer. This table replaces --gold and --accuracy.",
)
@click.option(
    "--accuracy",
    type=FRACTION,
    default=0.9,
    show_default=True,
    help="Probability that a careful annotator answers a gold question correctly.",
)
@click.option(
    "--guess",
    type=FRACTION,
    default=1 / 12,
    show_default="1/12, as in best–worst scaling with four items",
    help="Probability that a guesser answers a gold question correctly.",
)
@click.option("--hits", type=WholeRange(1), default=20, show_default=True, help="Number of HITs per annotator.")
@click.option(
    "--questions-per-hit",
    type=WholeRange(1, 200),
    default=5,
    show_default=True,
    help="Number of questions in a HIT, excluding gold questions.",
)
@click.option(
    "--gold-per-hit",
    type=WholeRange(1, 200),
    default=1,
    show_default=True,
    help="Number of gold questions in a HIT.",
)
@click.option(
    "--false-stops",
    type=ERROR_RATE,
    default=0.05,
    show_default=True,
    help="Highest acceptable probability that the rule stops a careful annotator.",
)
@click.option(
    "--survivors",
    type=ERROR_RATE,
    default=0.05,
    show_default=True,
    help="Highest acceptable probability that the rule does not stop a careless annotator.",
)
@seed_option
@format_options
@output_option
def gold_rule(
    threshold: float,
    minimum: int,
    window: int,
    gold_questions: int,
    difficulties: str | None,
    accuracy: float,
    guess: float,
    hits: int,
    questions_per_hit: int,
    gold_per_hit: int,
    false_stops: float,
    survivors: float,
    seed: int,
    output_format: str,
    output: str,
) -> None:
    """Calculate how often a quality rule stops careful, half-careless and guessing annotators.

    Gold answers are correct or wrong. The probabilities are exact, except for a window of more than 8 answers, which is
    simulated. The last column shows Wald's sequential test for comparison. The settings of a study estimate the
    difficulty of its own gold questions.

    \b
    Examples:
        accord plan gold-rule --threshold 0.7 --minimum 10
        accord plan gold-rule --gold 30 --accuracy 0.95 --false-stops 0.02 --format json
    """
    from accord_core.numerics.gold_advice import obstacle
    from accord_core.numerics.gold_annotators import right_or_wrong
    from accord_core.numerics.gold_figures import as_json
    from accord_core.numerics.gold_report import GoldPlan, Targets, rule_report
    from accord_core.numerics.gold_rules import GoldRule

    correct = _difficulties(difficulties) if difficulties else [accuracy] * gold_questions
    rule, plan = GoldRule(threshold, minimum, window), GoldPlan(hits, questions_per_hit, gold_per_hit)
    if reason := obstacle(rule, plan, len(correct)):
        raise click.ClickException(reason)
    careful, guesser = right_or_wrong(correct), right_or_wrong([guess] * len(correct))
    report = rule_report(careful, guesser, {}, rule, plan, Targets(false_stops, survivors), seed=seed)
    print_result(output_format, _table(report), figures=as_json(report), output=output)


def _difficulties(path: str) -> list[float]:
    """Read the probabilities of correct answers. Raises `TableError`."""
    from accord_core.exchange.faults import Fault, TableError, raise_faults
    from accord_core.exchange.tables import Limits, find_column, read_table

    table = read_table(read_bytes(path), name=source_name(path), limits=Limits())
    column = find_column(table.columns, COLUMN)
    if column is None:
        raise TableError(table.name, [Fault(1, None, f"the column “{COLUMN}” is missing")])
    faults, chances = [], []
    for row in table.rows:
        try:
            chances.append(_probability(row.values[column]))
        except ValueError:
            message = f"“{row.values[column]}” is not a probability. Enter a number from 0 to 1"
            faults.append(Fault(row.line, column, message))
    raise_faults(table.name, faults)
    return chances


def _probability(text: str) -> float:
    chance = read_number(text)
    if not 0 <= chance <= 1:
        raise ValueError("a probability must be between 0 and 1")
    return chance


def _table(report: RuleReport) -> PrintedTable:
    from accord_core.exchange.printed_tables import PrintedTable
    from accord_core.numerics.gold_advice import advice

    plan = f"The figures describe an annotator who gives {report.answers:,} gold answers in {report.plan.hits:,} HITs."
    simulated = f" The probabilities were estimated with {report.runs:,} simulated annotators." if report.runs else ""
    return PrintedTable(
        columns=[
            "annotator",
            "accuracy",
            "stopped",
            "standard error",
            "gold answers",
            "judgements before a stop",
            "judgements that count",
            "stopped by SPRT",
            "gold answers, SPRT",
        ],
        rows=[
            [
                kind.name,
                kind.accuracy,
                kind.stops.stopped,
                kind.stops.standard_error,
                kind.stops.answers,
                kind.judgements_discarded,
                kind.judgements_left,
                kind.sprt.stopped if kind.sprt else None,
                kind.sprt.answers if kind.sprt else None,
            ]
            for kind in report.kinds
        ],
        places_of={
            "gold answers": 1,
            "judgements before a stop": 1,
            "judgements that count": 1,
            "gold answers, SPRT": 1,
        },
        notes=[f"{plan}{simulated}", advice(report)],
    )
