"""The `accord align pairings` command pairs all translations of each sentence with each other."""

from __future__ import annotations

import click

from accord_core.exchange.files import read_bytes, source_name, write_whole
from annotate.cli.options import output_option


@click.command()
@click.argument("file", metavar="TRANSLATIONS")
@click.option(
    "--column",
    "columns",
    metavar="NAME",
    multiple=True,
    help="Column with translations. Can be repeated. The default is all columns except id.",
)
@output_option
def pairings(file: str, columns: tuple[str, ...], output: str) -> None:
    """Write all pairs of translations of each sentence in TRANSLATIONS.

    TRANSLATIONS is a table with one row per sentence and one column per translator, with tokenised sentences. Cohn,
    Callison-Burch and Lapata (2008) trained an aligner on all 55 pairs of 11 translations.

    \b
    Examples:
        accord align pairings translations.csv -o extra.tsv
        accord align pairings translations.csv --column anna --column ben --column cleo
    """
    from accord_core.pairs.formats.pairings import pairings as pairs_of
    from accord_core.pairs.formats.pairings import write_pairings

    write_whole(output, write_pairings(pairs_of(read_bytes(file), columns, name=source_name(file))))
