"""The command group `accord align` processes word-alignment files without a server.

NumPy is imported only inside the commands, so that the help text appears quickly.
"""

import click

from alignment_ui.pairs.cli.error_samples import corrected_precision
from alignment_ui.words.cli import (
    aggregate,
    agreement,
    assisted,
    convert,
    doubles,
    errors,
    join,
    pairings,
    phrase_scores,
    rules,
    scores,
    suggest,
    symmetrize,
    train,
)
from annotate.cli.options import CommandGroup


@click.group(
    cls=CommandGroup,
    sections={
        "Before the annotation": ["pairings", "train", "prealign", "symmetrize"],
        "Several annotators": ["doubles", "agreement", "aggregate"],
        "Phrase pairs and grammar rules": ["phrases", "rules"],
        "Scores of systems": ["score", "assisted", "score-phrases", "sample-errors", "corrected-precision"],
        "Alignment files": ["join", "convert"],
    },
)
def group() -> None:
    """Score, compare, suggest and convert word alignments."""


COMMANDS = (
    scores.score,
    assisted.assisted,
    phrase_scores.score_phrases,
    errors.sample_errors,
    corrected_precision,
    doubles.doubles,
    agreement.agreement,
    aggregate.aggregate,
    suggest.phrases,
    rules.rules,
    train.train,
    suggest.prealign,
    pairings.pairings,
    symmetrize.symmetrize,
    join.join,
    convert.convert,
)
for command in COMMANDS:
    group.add_command(command)
