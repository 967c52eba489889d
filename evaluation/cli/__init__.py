"""The command group `accord evaluate`, whose commands are registered as entry points named "accord.evaluate"."""

import click

from annotate.commands.main import EntryPointGroup


@click.group(
    cls=EntryPointGroup,
    source="accord.evaluate",
    sections={
        "Relatedness scores": ["relatedness", "ceiling", "features", "parse", "baseline", "word-vectors"],
        "Labels": ["labels", "perspectives", "paraphrase-tables", "alt-test"],
        "Paraphrase sets": ["paraphrase-sets", "contrast", "expand-sets", "check-sets"],
        "All datasets": ["split", "draw", "assisted"],
    },
)
def group() -> None:
    """Score systems against finished datasets, and split, parse, check and extend datasets."""
