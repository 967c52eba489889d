"""The command group `accord ists`, which processes interpretable STS files without a server."""

import click

from alignment_ui.chunks.cli import check, scores


@click.group()
def group() -> None:
    """Check and score interpretable STS files in the same way as the official programs."""


for command in (check.check, scores.score):
    group.add_command(command)
