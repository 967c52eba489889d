"""The command group `accord evaluate`, whose commands are registered as entry points named "accord.evaluate"."""

import click

from annotate.cli import EntryPointGroup


@click.group(cls=EntryPointGroup, source="accord.evaluate")
def group() -> None:
    """Score a system against a finished dataset, with confidence intervals."""
