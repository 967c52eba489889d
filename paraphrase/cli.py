"""`accord paraphrase`: quality-control questions on plain files, without a server."""

import click


@click.group()
def group() -> None:
    """Paraphrase in context: quality-control questions from WordNet."""
