"""The command group `accord bws`, which provides best–worst scaling for plain files, without a server.

NumPy is imported only inside the commands, so that the help text appears quickly.
"""

import click

from bws.cli import design, reliability, scores


@click.group()
def group() -> None:
    """Build best–worst tuples, calculate scores, and estimate their reliability."""


for command in (design.tuples, scores.score, reliability.reliability):
    group.add_command(command)
