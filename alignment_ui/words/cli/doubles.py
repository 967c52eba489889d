"""The `accord align doubles` command writes the two annotations of each pair in a study to two files."""

from __future__ import annotations

import click

from accord_core.exchange.files import read_bytes, source_name, write_whole
from alignment_ui.words.cli.files import read_sentences_of, sentences_option
from annotate.cli.options import note, place_for_file, refuse_second_stdin


@click.command()
@click.argument("file", metavar="ANNOTATIONS.jsonl")
@click.argument("first", metavar="A.json", callback=place_for_file)
@click.argument("second", metavar="B.json", callback=place_for_file)
@click.option(
    "--prealignment",
    metavar="FILE.json",
    callback=place_for_file,
    help="Also write the initial links, and exclude pairs without initial links.",
)
@sentences_option(required=True)
def doubles(file: str, first: str, second: str, prealignment: str | None, sentences: tuple[str, ...]) -> None:
    """Write the two annotations of each pair in a study to the files A.json and B.json.

    ANNOTATIONS.jsonl and --sentences are the downloads annotations.jsonl and pairs.tsv of a study. A.json and B.json
    are jacana JSON with the annotators of each pair sorted by name, for `accord align agreement`.

    \b
    Examples:
        accord align doubles annotations.jsonl a.json b.json --sentences pairs.tsv
        accord align doubles annotations.jsonl a.json b.json --sentences pairs.tsv --prealignment begun.json
        accord align agreement a.json b.json --sentences a.json --prealignment begun.json --phrases
    """
    from accord_core.pairs.formats.annotations import read_doubles
    from accord_core.pairs.formats.jacana import write_jacana

    refuse_second_stdin(file, *sentences)
    places = [first, second, *([prealignment] if prealignment else [])]
    if len(set(places)) < len(places):
        raise click.UsageError("Specify two different output files.")
    corpus = read_sentences_of(sentences)
    if corpus is None or corpus.ids != "own":
        raise click.UsageError("--sentences needs a file with the IDs of the pairs, such as pairs.tsv of the study.")
    found = read_doubles(read_bytes(file), corpus, name=source_name(file), prealigned=prealignment is not None)
    for place, pairs in zip(places, (found.first, found.second, found.initial), strict=False):
        write_whole(place, write_jacana(pairs))
    excluded = f". Annotations after the second were excluded: {found.more:,}" if found.more else ""
    note(f"pairs with two annotations: {len(found.first):,}{excluded}")
