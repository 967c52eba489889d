"""The command group `accord align`, which processes word-alignment files without a server.

NumPy is imported only inside the commands, so that the help text appears quickly.
"""

import click

from alignment_ui.words.cli import agreement, convert, scores, suggest


@click.group()
def group() -> None:
    """Score, compare, suggest and convert word alignments."""


for command in (scores.score, agreement.agreement, suggest.phrases, suggest.prealign, convert.convert):
    group.add_command(command)
