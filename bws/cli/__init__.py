"""The command group `accord bws` provides best–worst scaling for plain files, without a server.

NumPy is imported only inside the commands, so that the help text appears quickly.
"""

import click

from annotate.cli.options import CommandGroup
from bws.cli import annotators, design, reliability, scores


@click.group(cls=CommandGroup)
def group() -> None:
    """Build best–worst tuples, check annotators, calculate scores, and estimate their reliability."""


for command in (design.tuples, annotators.check_annotators, scores.score, reliability.reliability):
    group.add_command(command)
