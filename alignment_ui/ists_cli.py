"""`accord ists`: interpretable STS on plain files, without a server."""

import click


@click.group()
def group() -> None:
    """Interpretable STS: the official checker and scorer."""
