"""The command group `accord plan`, whose commands are registered as entry points named "accord.plan"."""

import click

from annotate.commands.main import EntryPointGroup


@click.group(cls=EntryPointGroup, source="accord.plan")
def group() -> None:
    """Plan a study before you pay for it: predicted quality, cost, hours and days."""
