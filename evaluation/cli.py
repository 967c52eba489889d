"""`accord evaluate`: systems scored against what was collected, on plain files."""

import click


@click.group()
def group() -> None:
    """Score a system against a finished dataset, with intervals."""
