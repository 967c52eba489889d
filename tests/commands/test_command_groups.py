"""The help of command groups: the order of the commands, their sections and their descriptions."""

import click
import pytest
from click.testing import CliRunner

from annotate.cli.options import CommandGroup
from annotate.commands.main import main

CONTEXT = click.Context(main)
GROUPS = [name for name in main.list_commands(CONTEXT) if isinstance(main.get_command(CONTEXT, name), click.Group)]


def group_named(name):
    return main.get_command(click.Context(main), name) if name else main


def help_of(name):
    return CliRunner().invoke(main, [*name.split(), "--help"]).output


@click.group(cls=CommandGroup, sections={"First": ["prepare"], "Later": ["finish", "not-installed"]})
def example():
    """Show an example."""


for each in ("finish", "also", "prepare"):
    example.command(each, help=f"Run the step {each}, {'which needs many words, ' * 4}and stop. Then rest.")(
        lambda: None
    )


def test_sections_have_the_given_order_and_other_commands_follow():
    assert example.list_commands(click.Context(example)) == ["prepare", "finish", "also"]
    shown = CliRunner().invoke(example, ["--help"]).output
    titles = [line for line in shown.splitlines() if line.endswith(":")]
    assert titles == ["Options:", "First:", "Later:", "Other commands:"]


def test_a_description_is_a_complete_sentence():
    shown = " ".join(CliRunner().invoke(example, ["--help"]).output.split())
    assert shown.count("and stop.") == 3
    assert "Then rest" not in shown


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["", *GROUPS])
def test_every_command_has_a_section_and_a_description(name):
    group = group_named(name)
    commands = group.list_commands(click.Context(group))
    assert isinstance(group, CommandGroup)
    assert {each for members in group.sections.values() for each in members} in (set(), set(commands))
    assert all(len(group.described(each)) > 10 for each in commands)
    assert "..." not in help_of(name).partition("Options:")[2]


def test_commands_follow_the_order_of_work():
    shown = help_of("bws")
    places = [shown.index(f"\n  {name} ") for name in ("tuples", "check-annotators", "score", "reliability")]
    assert places == sorted(places)
