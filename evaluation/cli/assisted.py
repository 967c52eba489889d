"""The `accord evaluate assisted` command calculates figures from people's answers and a program's answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from annotate.cli.options import format_options, note, print_result
from annotate.exchange.files import read_bytes, source_name
from annotate.exchange.printed_tables import PrintedTable

if TYPE_CHECKING:
    from evaluation.assisted import AssistedResult, NamedFigure

COLUMNS = ("system", "figure", "assisted", "low", "high", "people alone", "people low", "people high", "saved", "note")


@click.command()
@click.argument("table", metavar="TABLE")
@click.option(
    "--system",
    "systems",
    metavar="COLUMN",
    multiple=True,
    help="Column of TABLE that contains the answers of a system to score. You can repeat this option.",
)
@click.option(
    "--numeric",
    is_flag=True,
    help="Read answers as numbers, such as scores, and score systems by Spearman's correlation. By default, answers "
    "are labels.",
)
@click.option(
    "--over",
    type=click.Choice(["questions", "both"]),
    default="questions",
    show_default=True,
    help="What the intervals generalise to: other questions, or both other questions and other annotators. Spearman's "
    "correlation always generalises to other questions.",
)
@format_options
def assisted(table: str, systems: tuple[str, ...], numeric: bool, over: str, output_format: str) -> None:
    """Calculate figures of a dataset in which a program answers all questions, and people a random part.

    TABLE has the columns item, program and people. People is empty for questions that people have not answered. The
    optional columns are annotator, with one row per answer by people, and probability, the probability with which each
    question was drawn. Without it, all questions must have had the same probability. People's answers correct the
    program, and the command prints people's figures without the program beside each corrected figure.

    \b
    Examples:
        accord evaluate assisted answers.csv
        accord evaluate assisted answers.csv --system small --system large --over both
        accord evaluate assisted scores.csv --numeric --system baseline --json
    """
    from evaluation.assisted import label_figures, number_figures
    from evaluation.formats.assisted_tables import read_assisted

    name = source_name(table)
    if len(set(systems)) < len(systems):
        raise click.UsageError("Name each system only once.")
    read = read_assisted(read_bytes(table), systems, name=name)
    over_annotators = over == "both"
    if over_annotators and not read.has_annotators:
        raise click.UsageError(f"--over both needs the column annotator in {name}.")
    if numeric:
        result = number_figures(read, over_annotators=over_annotators, name=name)
    else:
        result = label_figures(read, over_annotators=over_annotators)
    for system, answers in read.systems.items():
        if answers == read.program:
            note(f"{system} is the program itself, so the program cannot help to score it")
    figures = {
        "questions": result.questions,
        "judged": result.judged,
        "over": over,
        "figures": [each.as_json() for each in result.figures],
        "ranks": {system: rank._asdict() for system, rank in result.ranks.items()},
    }
    print_result(output_format, _table(result), figures=figures)


def _table(result: AssistedResult) -> PrintedTable:
    questions = f"{result.questions:,} questions, {result.judged:,} of them judged by people"
    return PrintedTable(
        COLUMNS,
        [_row(each) for each in result.figures],
        caption=f"Program-assisted figures of {questions}",
        notes=[*_rank_notes(result), _saving_note(result)],
        places_of={"saved": 2},
    )


def _row(each: NamedFigure) -> list[str | float | None]:
    of = each.figure
    ends = (of.assisted.value, of.assisted.low, of.assisted.high, of.people.value, of.people.low, of.people.high)
    return [each.system, each.name, *ends, of.saved, of.assisted.reason or of.people.reason]


def _rank_notes(result: AssistedResult) -> list[str]:
    if not result.ranks:
        return []
    ranks = "; ".join(
        f"{system} {rank.value}" + (f" ({rank.low} to {rank.high})" if rank.low < rank.high else "")
        for system, rank in sorted(result.ranks.items(), key=lambda pair: pair[1].value)
    )
    return [f"Ranks, with ranges that together contain all true ranks with a probability of at least 95%: {ranks}."]


def _saving_note(result: AssistedResult) -> str:
    if result.judged == result.questions:
        return "People have judged all questions, so the program saves no judgements."
    return "Saved is the share of judgements that the program saves, compared with people alone at the same error."
