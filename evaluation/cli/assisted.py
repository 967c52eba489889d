"""The `accord evaluate assisted` command calculates figures from people's answers and a program's answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from accord_core.exchange.files import read_bytes, source_name
from annotate.cli.options import format_options, note, print_result

if TYPE_CHECKING:
    from accord_core.numerics.assisted import Drawn

drawn_option = click.option(
    "--drawn",
    metavar="FILE",
    help="File from `accord evaluate draw` with each pair's probability. By default, all pairs were drawn with the "
    "same probability.",
)


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
    """Calculate figures for a dataset in which a program answers all questions and people answer a random part.

    TABLE has the columns item, program and people. People is empty for questions that people have not answered. Three
    columns are optional. With annotator, each answer by people has its own row. With question, items such as the
    candidates of a sentence can be drawn together. With probability, questions can be drawn with different
    probabilities. People's answers correct the program, and the command prints people's figures without the program
    beside each corrected figure.

    \b
    Examples:
        accord evaluate assisted answers.csv
        accord evaluate assisted answers.csv --system small --system large --over both
        accord evaluate assisted scores.csv --numeric --system baseline --json
    """
    from accord_core.evaluation.formats.assisted_tables import read_assisted
    from evaluation.assisted import label_figures, number_figures

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
    print_result(output_format, result.as_table(), figures={"over": over, **result.as_json()})


def drawn_of(path: str | None, keys: Sequence[str | None], judged: Sequence[int], questions: int) -> Drawn:
    """Return the draw of the judged questions with these `keys` and places. Raises TableError if the file of the option
    `--drawn` does not contain a judged question.
    """
    import numpy as np

    from accord_core.evaluation.formats.assisted_tables import read_probabilities
    from accord_core.exchange.faults import Fault, raise_faults
    from accord_core.numerics.assisted import Drawn

    probability = np.ones(len(keys))
    if path is not None:
        name = source_name(path)
        known = read_probabilities(read_bytes(path), name=name)
        raise_faults(name, [Fault(None, None, f"{key} is missing") for key in keys if key not in known])
        probability = np.array([known[key] for key in keys if key is not None])
    return Drawn(np.array(judged, dtype=np.int64), probability, questions)
