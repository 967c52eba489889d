"""`accord sample`: items made from sentences, on plain files."""

import click


@click.group()
def group() -> None:
    """Make items from sentences."""
