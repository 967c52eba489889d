"""The `accord align join` command combines sure links and all links in one file."""

from __future__ import annotations

import click

from alignment_ui.words.cli.convert import WRITTEN
from alignment_ui.words.cli.files import from_option, read_links, read_sentences_of, sentences_option, write_pairs
from annotate.cli.options import note, output_option, refuse_second_stdin


@click.command()
@click.argument("sure", metavar="SURE")
@click.argument("merged", metavar="ALL")
@sentences_option(required=False)
@from_option
@click.option(
    "--to", "to_format", type=click.Choice(WRITTEN), default="jacana", show_default=True, help="Format of the output."
)
@output_option
def join(
    sure: str, merged: str, sentences: tuple[str, ...], format_name: str | None, to_format: str, output: str
) -> None:
    """Combine the sure links in SURE and the links in ALL into one file of sure and possible links.

    Some corpora are released as two files: SURE with the sure links, and ALL with all links. Links only in ALL become
    possible links.

    \b
    Examples:
        accord align join gold.sure.json gold.sure+poss.json -o gold.json
        accord align join gold.sure.json gold.sure+poss.json --to wpt -o gold.wa
    """
    from accord_core.pairs.formats.joining import joined

    refuse_second_stdin(sure, merged, *sentences)
    words = read_sentences_of(sentences)
    pairs, notes = joined(read_links(sure, format_name, words), read_links(merged, format_name, words))
    for message in notes:
        note(message)
    write_pairs(pairs, to_format, output)
