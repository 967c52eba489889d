"""`accord evaluate`: systems scored against what was collected; numpy is imported only inside commands."""

import click

from evaluation import cli_paraphrase, cli_relatedness


@click.group()
def group() -> None:
    """Score a system against a finished dataset, with intervals."""


for command in (
    cli_relatedness.relatedness,
    cli_paraphrase.paraphrase_sets,
    cli_paraphrase.paraphrase_tables,
    cli_paraphrase.contrast,
):
    group.add_command(command)
