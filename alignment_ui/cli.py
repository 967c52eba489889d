"""`accord align`: word alignments on plain files, without a server."""

import click


@click.group()
def group() -> None:
    """Word alignment: scores, agreement, phrases, pre-alignment, formats."""
