"""`accord align`: word alignments on plain files, without a server. numpy is imported only inside commands."""

import click

from alignment_ui.words.cli import convert, scores, suggest


@click.group()
def group() -> None:
    """Word alignment: scores, agreement, phrases, pre-alignment, formats."""


for command in (scores.score, scores.agreement, suggest.phrases, suggest.prealign, convert.convert):
    group.add_command(command)
