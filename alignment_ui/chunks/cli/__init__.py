"""The command group `accord ists` processes interpretable STS files without a server."""

import click

from alignment_ui.chunks.cli import aggregate, assisted, check, chunker, convert, errors, items, scores
from alignment_ui.pairs.cli.error_samples import corrected_precision
from annotate.cli.options import CommandGroup


@click.group(cls=CommandGroup)
def group() -> None:
    """Check and score interpretable STS files as the official programs do, and create items and chunks."""


COMMANDS = (
    check.check,
    scores.score,
    assisted.assisted,
    convert.convert,
    chunker.chunk,
    items.items,
    chunker.score_chunks,
    aggregate.aggregate,
    errors.sample_errors,
    corrected_precision,
)
for command in COMMANDS:
    group.add_command(command)
