"""Command-line options that several commands share, and functions that print results and notes."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from accord_core.exchange.compared_systems import ComparedSystems, compared_systems
from accord_core.exchange.files import STANDARD, write_whole
from accord_core.exchange.printed_tables import TABLE_FORMATS, PrintedTable, table_in
from annotate.cli.types import WholeRange

F = TypeVar("F", bound=Callable[..., Any])
_JSON = "annotate.cli.options.json"


class CommandGroup(click.Group):
    """A command group whose help keeps the order of the commands.

    The help shows a whole sentence about each command, because Click cuts off long sentences. `sections` divides the
    list: the keys are titles, and the values are the names of the commands in each section. Commands that no section
    names follow at the end.
    """

    def __init__(self, *args: Any, sections: Mapping[str, Sequence[str]] | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.sections = sections or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for _, names in self._listed() for name in names]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max((len(name) for _, names in self._listed() for name in names), default=0)
        for title, names in self._listed():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), self.described(name)) for name in names])

    def names(self) -> list[str]:
        """Return the names of all commands in their default order."""
        return list(self.commands)

    def described(self, name: str) -> str:
        """Return the first sentence of the help text of a command."""
        return first_sentence(self.commands[name].help or "")

    def _listed(self) -> list[tuple[str, list[str]]]:
        """Return the title of each section that has at least one command, and the names of its commands."""
        available = self.names()
        chosen = [(title, [name for name in names if name in available]) for title, names in self.sections.items()]
        others = [name for name in available if not any(name in names for _, names in chosen)]
        chosen.append(("Other commands" if self.sections else "Commands", others))
        return [(title, names) for title, names in chosen if names]


def first_sentence(text: str) -> str:
    """Return the first sentence of a help text or docstring, including its full stop."""
    paragraph, _, _ = text.partition("\n\n")
    # In an example such as “[ . ]”, the full stop follows a space and does not end the sentence.
    sentence = re.split(r"(?<=\S)\. ", " ".join(paragraph.split()), maxsplit=1)[0].rstrip(".")
    return f"{sentence}." if sentence else ""


def place_for_file(_: click.Context, __: click.Parameter, path: str | None) -> str | None:
    """Check that the output file is writable before a long calculation starts."""
    if path is not None and path != STANDARD:
        folder = Path(path).resolve().parent
        if not folder.is_dir():
            raise click.BadParameter(f"the folder {folder} does not exist.")
        if Path(path).is_dir():
            raise click.BadParameter(f"{path} is a folder.")
    return path


output_option = click.option(
    "-o",
    "--output",
    default=STANDARD,
    metavar="FILE",
    callback=place_for_file,
    help="Write to FILE instead of standard output. FILE is written either completely or not at all.",
)
seed_option = click.option(
    "--seed",
    type=WholeRange(0),
    default=1,
    show_default=True,
    help="Seed for the random draws. The same seed always gives the same result.",
)


def resamples_option(resampled: str = "") -> Callable[[click.decorators.FC], click.decorators.FC]:
    """Return the option --resamples. `resampled` names the resampled units, such as “sentence pairs”."""
    of_units = f" of {resampled}" if resampled else ""
    return click.option(
        "--resamples",
        type=WholeRange(0),
        default=1000,
        show_default=True,
        help=f"Number of resamples{of_units} for the confidence intervals. 0 turns off the intervals.",
    )


def systems_argument(metavar: str = "SYSTEM...") -> Callable[[click.decorators.FC], click.decorators.FC]:
    """Return the argument `systems`, which lists the files of one or more systems, each as FILE or NAME=FILE."""
    return click.argument("systems", metavar=metavar, nargs=-1, required=True)


baseline_option = click.option(
    "--baseline",
    metavar="SYSTEM",
    help="Compare each system only with this system. Enter the name of one of the systems, or an additional file. "
    "By default, all pairs of systems are compared.",
)


def chosen_systems(systems: Sequence[str], baseline: str | None) -> ComparedSystems:
    """Return the systems and comparisons given on the command line. Raises a usage error if two systems have the same
    name.
    """
    try:
        return compared_systems(systems, baseline)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


file_format_option = click.option(
    "--format",
    "output_format",
    type=click.Choice([*TABLE_FORMATS, "json"]),
    default="csv",
    show_default=True,
    help="Format of the result: a table as csv, markdown, latex or aligned text, or json.",
)


def format_options(command: F) -> F:
    """Add the options --format and --json. Both options set the command's parameter `output_format`, which is one of
    `TABLE_FORMATS` or "json".
    """
    chosen = click.option(
        "--format",
        "output_format",
        type=click.Choice([*TABLE_FORMATS, "json"]),
        callback=_chosen_format,
        help="Format of the result: text for the terminal (default), or a table as csv, markdown or latex, or json.",
    )
    return chosen(
        click.option("--json", is_flag=True, expose_value=False, is_eager=True, callback=_json, help="Print JSON.")(
            command
        )
    )


missing_option = click.option(
    "--missing",
    metavar="LABEL",
    multiple=True,
    help="Label that does not count as a vote, such as UNSURE. You can repeat this option.",
)
LABEL_COLUMNS = ("item", "annotator", "label")


def all_options(*options: Callable[[Any], Any]) -> Callable[[F], F]:
    """Return a decorator that adds several options. The help lists the options in this order."""

    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


# The options --item, --annotator and --label, which name the columns of a label file.
label_column_options = all_options(
    *(
        click.option(
            f"--{name}",
            f"{name}_columns",
            metavar="COLUMN",
            multiple=True,
            help=f"Column that contains the {name}, if the column has another name than {name}."
            + (" To join several columns, use this option several times." if name == "item" else ""),
        )
        for name in LABEL_COLUMNS
    )
)


def chosen_label_columns(options: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return the columns that the options in `label_column_options` name, in the order item, annotator, label."""
    return {name: chosen for name in LABEL_COLUMNS if (chosen := options[f"{name}_columns"])}


def print_result(
    output_format: str,
    table: PrintedTable,
    *,
    text: Iterable[str] | None = None,
    figures: Any = None,
    output: str = STANDARD,
) -> None:
    """Write a command's result in the format set by `format_options` or `file_format_option`.

    `text` is the result for the terminal, as lines that end with a line break. The default is the table. `figures` is
    the object for JSON. The default is one object per row of the table, with unrounded numbers.
    """
    if output_format == "json":
        rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        write_whole(output, [json.dumps(rows if figures is None else figures, indent=2, ensure_ascii=False), "\n"])
    elif output_format == "text" and text is not None:
        write_whole(output, text)
    else:
        write_whole(output, table_in(table, output_format))
    if output_format == "csv":
        for each in table.notes:
            note(each)


def note(message: str) -> None:
    """Print a note to standard error, so that it stays separate from the result."""
    click.echo(f"accord: note: {message}", err=True)


def refuse_second_stdin(*paths: str | None) -> None:
    """Raise a usage error if more than one file is standard input, which can be read only once."""
    if paths.count(STANDARD) > 1:
        raise click.UsageError("Only one file can be read from standard input.")


def _json(context: click.Context, _: click.Parameter, chosen: bool) -> None:
    if chosen:
        context.meta[_JSON] = True


def _chosen_format(context: click.Context, _: click.Parameter, chosen: str | None) -> str:
    if not context.meta.get(_JSON):
        return chosen or "text"
    if chosen not in (None, "json"):
        raise click.UsageError(f"--json and --format {chosen} exclude each other.")
    return "json"
