"""`accord align`: word alignments on plain files, without a server. numpy is imported only inside commands."""

import click

from alignment_ui import cli_convert, cli_scores, cli_suggest


@click.group()
def group() -> None:
    """Word alignment: scores, agreement, phrases, pre-alignment, formats."""


for command in (cli_scores.score, cli_scores.agreement, cli_suggest.phrases, cli_suggest.prealign, cli_convert.convert):
    group.add_command(command)
