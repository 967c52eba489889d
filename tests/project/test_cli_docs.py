"""docs/cli.md has a section for each command, and the section names every option and argument."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from annotate.commands.main import main

CLI = Path(__file__).resolve().parents[2] / "docs" / "cli.md"


@pytest.mark.parametrize("group", main.list_commands(click.Context(main)))
def test_every_command_and_option_is_documented(group: str) -> None:
    documented = sections()
    command = main.get_command(click.Context(main), group)
    assert command is not None
    for path, each in commands_of(command, f"accord {group}"):
        assert path in documented
        words = described(documented[path], path)
        for parameter in each.params:
            for name in names_of(parameter):
                assert name in words, f"{path} {name} is not in docs/cli.md"


def test_every_documented_option_exists() -> None:
    for path, section in sections().items():
        command: click.Command = main
        for name in path.split()[1:]:
            assert isinstance(command, click.Group)
            subcommand = command.get_command(click.Context(command), name)
            assert subcommand is not None, f"{path} does not exist"
            command = subcommand
        known = {name for parameter in command.params for name in parameter.opts} | {"--help", "-h", "--version"}
        assert set(re.findall(r"^\| `(-[^ `]+)", section, re.MULTILINE)) <= known


def sections() -> dict[str, str]:
    """Return the text of each section of docs/cli.md whose heading is a command."""
    parts = re.split(r"^#+ `(accord[^`]*)`$", CLI.read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def commands_of(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """Yield the command and all its subcommands with their names in full."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            subcommand = command.get_command(context, name)
            assert subcommand is not None
            yield from commands_of(subcommand, f"{path} {name}")


def names_of(parameter: click.Parameter) -> list[str]:
    """Return the names of an option, or the name of an argument as shown in the help."""
    if isinstance(parameter, click.Option):
        return parameter.opts
    return [(parameter.metavar or (parameter.name or "").upper()).strip("[]")]


def described(section: str, path: str) -> set[str]:
    """Return the words in backquotes, and the arguments in the line that shows the call of the command."""
    shown = re.search(rf"^    {path} (.*)$", section, re.MULTILINE)
    arguments = re.findall(r"[A-Z][A-Za-z.]+", shown[1]) if shown else []
    return {*re.findall(r"`([^`]+)`", section), *arguments}
