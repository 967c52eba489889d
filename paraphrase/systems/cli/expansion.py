"""The `accord evaluate expand-sets` command adds paraphrases with other adjectives and determiners."""

from __future__ import annotations

import click

from accord_core.exchange.files import read_bytes, source_name, write_whole
from annotate.cli.options import note, output_option, refuse_second_stdin
from evaluation.cli.figures import note_warnings


@click.command("expand-sets")
@click.argument("dataset", metavar="DATASET")
@click.argument("templates", metavar="TEMPLATES")
@output_option
def expand_sets(dataset: str, templates: str, output: str) -> None:
    """Add paraphrases with other adjectives and determiners to the paraphrase sets in DATASET.

    TEMPLATES has the columns noun, adjectives and determiners, with words that do not change the meaning, such as
    guitar,acoustic|electric,a|the. “A man plays a guitar” then becomes “A man plays an acoustic guitar” and “A man
    plays the guitar”. Sentences that do not have the form NP V NP are reported and left unchanged. Check the new
    sentences.

    \b
    Examples:
        accord evaluate expand-sets sets.txt templates.csv -o more-sets.txt
        accord evaluate expand-sets sets.txt templates.csv | accord evaluate contrast - -o with-contrasts.txt
    """
    from paraphrase.systems.expansion_files import expanded_sets

    refuse_second_stdin(dataset, templates)
    names = (source_name(dataset), source_name(templates))
    expansion = expanded_sets(read_bytes(dataset), read_bytes(templates), names=names)
    note_warnings(names[0], expansion.warnings)
    for fault in expansion.outside:
        note(f"{names[0]}, {fault}")
    write_whole(output, expansion.chunks)
    note(f"{expansion.added:,} sentences added to {expansion.sentences:,} P sentences")
