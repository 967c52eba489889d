"""The `accord evaluate contrast` command creates sentences that look similar but have a different meaning."""

from __future__ import annotations

from typing import Any

import click

from accord_core.exchange.files import read_bytes, source_name, write_whole
from annotate.cli.options import note, output_option
from evaluation.cli.figures import note_warnings


@click.command()
@click.argument("sentences", metavar="SENTENCES")
@click.option(
    "--adjectives",
    type=click.Choice(["both", "with", "without"]),
    default="both",
    show_default=True,
    help="Whether to swap nouns together with their adjectives, on their own, or in both ways.",
)
@output_option
def contrast(sentences: str, adjectives: Any, output: str) -> None:
    """Create sentences that look similar to those in SENTENCES but have a different meaning.

    For “A man plays a guitar”, S swaps the nouns (“A guitar plays a man”), D changes a determiner to no (“No man plays
    a guitar”), and SD does both. Variants of P sentences are added to their sets. For one sentence per line, the result
    is CSV. Sentences that do not have the form NP V NP are reported and left unchanged.

    \b
    Examples:
        accord evaluate contrast sets.txt -o with-contrasts.txt
        accord evaluate contrast sentences.txt --adjectives with -o contrasts.csv
    """
    from paraphrase.systems.contrast_files import contrasts_of_file

    contrasts = contrasts_of_file(read_bytes(sentences), name=source_name(sentences), adjectives=adjectives)
    note_warnings(source_name(sentences), contrasts.warnings)
    for fault in contrasts.outside:
        note(f"{source_name(sentences)}, {fault}")
    write_whole(output, contrasts.chunks)
    note(
        f"{contrasts.variants:,} variants of {contrasts.sentences - len(contrasts.outside):,} of "
        f"{contrasts.sentences:,} sentences"
    )
