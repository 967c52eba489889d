"""Write the generated part of docs/cli.md: each command's usage, help text, options and examples, taken from Click."""

import inspect
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from annotate.commands.main import main

CLI = Path(__file__).resolve().parents[2] / "docs" / "cli.md"
START = "## Common options\n"
WIDTH = 120
# Options that as many commands share are described once.
SHARED = 4
# The help shows further examples.
EXAMPLES = 1

Option = tuple[str, ...]


def document() -> str:
    """Return docs/cli.md with its prose as it is and with a new reference."""
    prose = CLI.read_text(encoding="utf-8").partition(START)[0]
    return prose + "\n".join([START, *reference()]).rstrip() + "\n"


def reference() -> Iterator[str]:
    """Yield the lines of the common options and then of every command."""
    paths = list(commands_of(main, "accord"))[1:]
    common = common_options([command for _, command in paths])
    yield "The reference below is generated from the help texts of the commands. Many commands share these options:\n"
    yield from table(common.values())
    for path, command in paths:
        yield from section(path, command, common)


def section(path: str, command: click.Command, common: dict[Option, tuple[str, str]]) -> Iterator[str]:
    """Yield the lines of one command."""
    context = click.Context(command, info_name=path)
    text, _, examples = inspect.cleandoc(command.help or "").partition("Examples:\n")
    yield f"{'#' * len(path.split())} `{path}`"
    yield from (f"{paragraph}\n" for paragraph in paragraphs(text))
    usage = [] if isinstance(command, click.Group) else command.collect_usage_pieces(context)
    # An example shows how to call a command that has only options.
    shown = [" ".join([path, *usage])] if usage and (len(usage) > 1 or not examples) else []
    calls = [*shown, *re.findall(r"(?:.*\\\\\n)*.+", inspect.cleandoc(examples))[:EXAMPLES]]
    yield from (textwrap.indent(call, "    ") for call in calls)
    options = [option for option in command.params if isinstance(option, click.Option)]
    rows = [row(option, context) for option in options if key(option) not in common]
    shared = ", ".join(names(option) for option in options if key(option) in common)
    if rows:
        yield from table([*rows, (shared, "See [Common options](#common-options).")] if shared else rows)
    elif shared:
        yield "\n" * bool(calls) + wrapped(f"Options: {shared} (see [Common options](#common-options)).") + "\n"
    elif calls:
        yield ""


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help text: its prose as one, and lists, which start with a backspace, as they are."""
    prose: list[str] = []
    for paragraph in text.strip("\b \n").split("\n\n"):
        if not paragraph.startswith("\b"):
            prose.append(paragraph)
            continue
        yield from [wrapped(" ".join(prose))] if prose else []
        prose = []
        yield textwrap.indent(paragraph.strip("\b\n"), "    ")
    yield from [wrapped(" ".join(prose))] if prose else []


def commands_of(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """Yield the command and all its subcommands with their names in full."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            subcommand = command.get_command(context, name)
            assert subcommand is not None
            yield from commands_of(subcommand, f"{path} {name}")


def common_options(commands: list[click.Command]) -> dict[Option, tuple[str, str]]:
    """Return the rows of all options that several commands share."""
    rows: dict[Option, set[tuple[str, str]]] = {}
    uses: Counter[Option] = Counter()
    for command in commands:
        for option in command.params:
            if isinstance(option, click.Option):
                rows.setdefault(key(option), set()).add(row(option, click.Context(command)))
                uses[key(option)] += 1
    return {option: min(rows[option]) for option, n in uses.items() if n >= SHARED and len(rows[option]) == 1}


def key(option: click.Option) -> Option:
    return (*option.opts, option.help or "")


def row(option: click.Option, context: click.Context) -> tuple[str, str]:
    """Return the option's names and values, and its description with the default."""
    record = option.get_help_record(context)
    assert record is not None, f"{option.name} is hidden"
    values = record[0].rpartition(option.opts[-1])[2].strip()
    described = re.sub(r"\s+\[(default|required|x|\d)(.*)\]$", r" (\1\2)", record[1])
    return f"{names(option)} {values}".strip().replace("|", r"\|"), described.replace("|", r"\|")


def names(option: click.Option) -> str:
    return ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))


def table(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    yield from ("| option | meaning |", "|---|---|")
    yield from (f"| {name} | {meaning} |" for name, meaning in rows)
    yield ""


def wrapped(paragraph: str) -> str:
    return textwrap.fill(" ".join(paragraph.split()), WIDTH, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    CLI.write_text(document(), encoding="utf-8")
