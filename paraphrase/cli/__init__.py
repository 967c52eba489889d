"""The command group `accord paraphrase` creates items and quality-control questions from files, without a server."""

import click

from annotate.cli.options import CommandGroup
from paraphrase.cli import items, quality_control


@click.group(cls=CommandGroup)
def group() -> None:
    """Create items for paraphrase studies, and create quality-control questions from WordNet."""


for command in (items.items, quality_control.quality_control):
    group.add_command(command)
