"""The `accord align aggregate` command combines the alignments of several annotators."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from accord_core.exchange.files import read_bytes, source_name, write_whole
from alignment_ui.words.cli.convert import WRITTEN
from alignment_ui.words.cli.files import from_option, read_links, read_sentences_of, sentences_option, write_pairs
from alignment_ui.words.cli.gold_methods import print_gold_scores
from annotate.cli.options import (
    format_options,
    note,
    output_option,
    place_for_file,
    refuse_second_stdin,
    resamples_option,
    seed_option,
)

if TYPE_CHECKING:
    from accord_core.exchange.printed_tables import Cell
    from accord_core.pairs.formats.annotations import Annotations
    from accord_core.pairs.formats.corpus import Corpus
    from accord_core.words.numerics.modelled import Modelled

METHODS = ("majority", "medoid", "model")
ANNOTATORS = (
    "annotator", "pairs", "links", "precision", "precision_se", "recall", "recall_se", "wrong_initial_links_kept",
)  # fmt: skip
LINKS = ("pair", "source", "target", "drawn", "annotators", "possible", "sure", "linked")


@click.command()
@click.argument("files", metavar="FILES...", nargs=-1, required=True)
@sentences_option(required=True)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="majority",
    show_default=True,
    help="Method for combining the alignments of a pair.",
)
@click.option(
    "--prealignment",
    metavar="FILE",
    help="File with the annotators' initial links. The file annotations.jsonl already contains these links.",
)
@click.option(
    "--annotators",
    "annotators_file",
    metavar="FILE",
    callback=place_for_file,
    help="If the model is used, write each annotator's precision and recall to this CSV file.",
)
@click.option(
    "--probabilities",
    "links_file",
    metavar="FILE",
    callback=place_for_file,
    help="If the model is used, write each link's probability to this CSV file.",
)
@click.option(
    "--gold",
    metavar="FILE",
    help="Gold alignments for some of the pairs. The command then prints each method's precision, recall, F1 and "
    "alignment error rate on these pairs, instead of an alignment.",
)
@click.option("--ignore-identical", is_flag=True, help="With --gold, ignore links between identical words.")
@resamples_option("gold pairs")
@from_option
@click.option(
    "--to", "to_format", type=click.Choice(WRITTEN), default="jacana", show_default=True, help="Format of the output."
)
@seed_option
@format_options
@output_option
def aggregate(
    files: tuple[str, ...],
    sentences: tuple[str, ...],
    method: str,
    prealignment: str | None,
    annotators_file: str | None,
    links_file: str | None,
    gold: str | None,
    ignore_identical: bool,
    resamples: int,
    format_name: str | None,
    to_format: str,
    seed: int,
    output_format: str,
    output: str,
) -> None:
    """Combine the alignments of several annotators into one alignment per pair.

    FILES are one alignment file per annotator, or the file annotations.jsonl of a study. The majority contains the
    links that more than half of the annotators drew. The medoid is the alignment that agrees best with the others. The
    model estimates the error rates of each annotator together with the probability of each link.

    \b
    Examples:
        accord align aggregate anna.wa ben.wa cem.wa --sentences pairs.tsv -o majority.json
        accord align aggregate annotations.jsonl --sentences pairs.tsv --method model --annotators people.csv
        accord align aggregate a.wa b.wa --sentences pairs.tsv --prealignment begun.wa --method model --to wpt
        accord align aggregate a.wa b.wa --sentences pairs.tsv --gold gold.wa --format markdown
    """
    from accord_core.words.numerics.cells import AnnotatedPair
    from accord_core.words.numerics.modelled import aggregated, modelled

    refuse_second_stdin(*files, *sentences, prealignment, gold)
    one_method = method != "majority" or bool(annotators_file or links_file)
    _refuse_mixed(gold=gold, one_method=one_method, output_format=output_format, ignore_identical=ignore_identical)
    if method != "model" and (annotators_file or links_file):
        raise click.UsageError("--annotators and --probabilities need --method model.")
    corpus = read_sentences_of(sentences)
    rows = _annotations(files, corpus, format_name) if corpus else []
    begun = read_links(prealignment, sentences=corpus).pairs if prealignment else None
    names = sorted({name for row in rows for name in row.by_annotator})
    number = {name: place for place, name in enumerate(names)}
    pairs = [
        AnnotatedPair(
            row.pair.source or (),
            row.pair.target or (),
            {number[name]: drawn for name, drawn in row.by_annotator.items()},
            begun[place].alignment if begun else row.initial,
        )
        for place, row in enumerate(rows)
    ]
    if gold:
        print_gold_scores(
            gold,
            rows,
            pairs,
            len(names),
            ignore_identical=ignore_identical,
            resamples=resamples,
            seed=seed,
            output_format=output_format,
            output=output,
        )
        return
    if method == "model":
        model = modelled(pairs, len(names))
        for warning in model.warnings():
            note(warning)
        alignments = model.alignments()
        if annotators_file:
            _write_annotators(annotators_file, model, names, seed)
        if links_file:
            _write_links(links_file, model, rows)
    else:
        alignments = aggregated(pairs, len(names), "medoid" if method == "medoid" else "majority")
    combined = [
        row.pair._replace(alignment=alignment)
        for row, alignment in zip(rows, alignments, strict=True)
        if alignment is not None
    ]
    if missing := len(rows) - len(combined):
        note(f"pairs without annotations, which are not in the output: {missing:,}")
    write_pairs(combined, to_format, output)


def _refuse_mixed(*, gold: str | None, one_method: bool, output_format: str, ignore_identical: bool) -> None:
    """Raise a usage error for options that do not apply to the selected output, which is scores or alignments."""
    if gold and one_method:
        raise click.UsageError("--gold compares all methods, so it cannot be combined with the options of one method.")
    if not gold and (ignore_identical or output_format != "text"):
        raise click.UsageError("--ignore-identical, --format and --json need --gold. Use --to for alignments.")


def _annotations(files: Sequence[str], corpus: Corpus, format_name: str | None) -> list[Annotations]:
    from accord_core.pairs.formats.annotations import Annotations, read_annotations

    if len(files) == 1 and files[0].endswith(".jsonl"):
        if corpus.ids != "own":
            raise click.UsageError(
                "--sentences needs a file with the IDs of the pairs, such as pairs.tsv of the study."
            )
        return read_annotations(read_bytes(files[0]), corpus, name=source_name(files[0]))
    if len(files) == 1:
        raise click.UsageError("Specify one alignment file per annotator, or a study's file annotations.jsonl.")
    if len(set(files)) < len(files):
        raise click.UsageError("You can specify each file only once.")
    stems = [Path(file).stem for file in files]
    names = stems if len(set(stems)) == len(stems) else list(files)
    drawn = [read_links(file, format_name, corpus).pairs for file in files]
    return [
        Annotations(pair, {name: pairs[place].alignment for name, pairs in zip(names, drawn, strict=True)}, None)
        for place, pair in enumerate(corpus.pairs)
    ]


def _write_annotators(place: str, model: Modelled, names: Sequence[str], seed: int) -> None:
    from accord_core.exchange.printed_tables import PrintedTable, table_in

    rates = model.annotators(seed=seed)
    rows: list[list[Cell]] = []
    for number, name in enumerate(names):
        own = [pair.answers[number] for pair in model.pairs if number in pair.answers]
        links = sum(len(alignment.links) for alignment in own)
        precision, recall, kept, precision_error, recall_error = (column[number].item() for column in rates)
        rows.append([name, len(own), links, precision, precision_error, recall, recall_error, kept])
    write_whole(place, table_in(PrintedTable(ANNOTATORS, rows, places=4), "csv"))


def _write_links(place: str, model: Modelled, rows: Sequence[Annotations]) -> None:
    from accord_core.exchange.printed_tables import PrintedTable, table_in

    cells: list[list[Cell]] = []
    for number, (row, links) in enumerate(zip(rows, model.probabilities(), strict=True), start=1):
        drawn = list(row.by_annotator.values())
        for (i, j), (possible, sure) in sorted(links.items()):
            times = sum((i, j) in alignment.links for alignment in drawn)
            cells.append([row.pair.id or str(number), i, j, times, len(drawn), possible, sure, possible + sure])
    write_whole(place, table_in(PrintedTable(LINKS, cells, places=6), "csv"))
