"""The `accord sample sentences` command extracts sentences of suitable length from texts."""

from __future__ import annotations

from pathlib import Path

import click

from accord_core.exchange.faults import TableError
from accord_core.exchange.files import STANDARD, read_bytes, source_name, write_whole
from annotate.cli.options import output_option
from annotate.cli.types import WholeRange


@click.command()
@click.argument("texts", metavar="TEXTS...", nargs=-1, required=True)
@click.option(
    "--text",
    "text_column",
    metavar="COLUMN",
    help="Column with the texts. The default is the column `text` or `sentence`.",
)
@click.option(
    "--source",
    metavar="NAME",
    help="Source of all texts in files without a `source` column. The default is the file's name without its "
    "extension.",
)
@click.option("--per-line", is_flag=True, help="Treat each line of a plain text file as a separate text.")
@click.option("--no-split", is_flag=True, help="Treat each text as one sentence, without splitting.")
@click.option(
    "--tokens",
    nargs=2,
    type=WholeRange(1),
    default=(5, 25),
    show_default=True,
    metavar="LEAST MOST",
    help="Minimum and maximum sentence length in tokens.",
)
@click.option(
    "--language",
    default="en",
    show_default=True,
    metavar="CODE",
    help="Language of the texts, as a two-letter code that pySBD supports.",
)
@output_option
def sentences(
    texts: tuple[str, ...],
    text_column: str | None,
    source: str | None,
    per_line: bool,
    no_split: bool,
    tokens: tuple[int, int],
    language: str,
    output: str,
) -> None:
    """Split TEXTS into sentences, and keep the sentences with 5 to 25 tokens.

    TEXTS are plain text files, or tables with a column text. The result is a sentence file for `accord sample pairs`.
    Standard error shows the excluded sentences. Splitting needs the extra pysbd: pip install
    'accord-annotation[pysbd]'.

    \b
    Examples:
        accord sample sentences novel.txt news.txt -o sentences.csv
        accord sample sentences reviews.jsonl --text review_text --source goodreads -o sentences.csv
        accord sample sentences captions.csv --no-split | accord sample pairs - --strategy overlap --pairs 750
    """
    from accord_core.bws.sampling.formats.texts import read_texts
    from accord_core.exchange.csvtext import write_csv
    from accord_core.exchange.tables import Limits
    from bws.sampling.sentences import SourceTexts, make_sentences, sentence_splitter, whole_text

    if tokens[0] > tokens[1]:
        raise click.UsageError(f"--tokens: no sentence has at least {tokens[0]} and at most {tokens[1]} tokens.")
    try:
        split = whole_text if no_split else sentence_splitter(language)
    except ValueError as error:
        raise click.UsageError(f"--language: {error}") from error
    files = []
    for path in texts:
        name = "text" if path == STANDARD else Path(path).stem
        read = read_texts(
            read_bytes(path), name=source_name(path), limits=Limits(), text_column=text_column, per_line=per_line
        )
        files.append(SourceTexts(read, source or name, name))
    sample = make_sentences(files, split, tokens)
    for line in sample.lines():
        click.echo(line, err=True)
    if not sample.rows:
        raise click.ClickException("no sentence has a suitable length. The report shows the excluded sentences.")
    _refuse_repeated_ids(sample.rows)
    write_whole(output, write_csv(sample.rows, sample.columns))


def _refuse_repeated_ids(rows: list[list[str]]) -> None:
    """Raise TableError if two files use the same ID, because `accord sample pairs` needs different IDs."""
    earlier: set[str] = set()
    for identity, *_ in rows:
        if identity in earlier:
            raise TableError.of_file(
                "the texts",
                f"two sentences have the ID {identity}. Give each text its own ID, or process the files separately",
            )
        earlier.add(identity)
