"""The `accord ists aggregate` command combines the annotations of several annotators."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from accord_core.exchange.files import read_bytes, source_name, write_whole
from annotate.cli.options import note, output_option, place_for_file, refuse_second_stdin, seed_option

if TYPE_CHECKING:
    from accord_core.chunks.formats.annotators import Annotations
    from accord_core.chunks.numerics.aggregation import Method
    from accord_core.chunks.numerics.modelled import Modelled
    from accord_core.exchange.printed_tables import Cell

METHODS = ("majority", "medoid", "model")
ANNOTATORS = (
    "annotator", "pairs", "links", "precision", "precision_se", "recall", "recall_se", "type_accuracy",
    "type_accuracy_se", "score_bias", "score_sd",
)  # fmt: skip
LINKS = ("pair", "source", "target", "drawn", "annotators", "linked", "types", "score")


@click.command()
@click.argument("files", metavar="FILES.wa...", nargs=-1, required=True)
@click.option(
    "--version",
    type=click.Choice(["2015", "2016"]),
    required=True,
    help="Year of the guidelines. Under the 2015 guidelines, a chunk can have only one link. Under the 2016 "
    "guidelines, a chunk can have several links.",
)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="majority",
    show_default=True,
    help="Method for combining the annotations of a pair.",
)
@click.option(
    "--initial",
    metavar="FILE.wa",
    help="File with the annotators' initial chunks and links.",
)
@click.option(
    "--annotators",
    "annotators_file",
    metavar="FILE.csv",
    callback=place_for_file,
    help="If the model is used, write each annotator's estimated reliability to this file.",
)
@click.option(
    "--probabilities",
    "links_file",
    metavar="FILE.csv",
    callback=place_for_file,
    help="If the model is used, write each link's probability, types and score to this file.",
)
@seed_option
@output_option
def aggregate(
    files: tuple[str, ...],
    version: str,
    method: str,
    initial: str | None,
    annotators_file: str | None,
    links_file: str | None,
    seed: int,
    output: str,
) -> None:
    """Combine the annotations of several annotators into one annotation per sentence pair.

    FILES.wa are one file per annotator, or the download annotations.wa of a study. The majority contains the links that
    more than half of the annotators drew. The medoid is the annotation that agrees best with the others. The model
    estimates the error rates of each annotator with the probability, type and score of each link.

    \b
    Examples:
        accord ists aggregate anna.wa ben.wa cem.wa --version 2015 -o majority.wa
        accord ists aggregate annotations.wa --version 2016 --method model --annotators people.csv
    """
    from accord_core.chunks.formats.annotators import read_annotations, read_initial
    from accord_core.chunks.formats.ists import write_wa
    from accord_core.chunks.numerics.link_cells import AnnotatedPair
    from accord_core.chunks.numerics.modelled import aggregated, modelled

    refuse_second_stdin(*files, initial)
    if method != "model" and (annotators_file or links_file):
        raise click.UsageError("--annotators and --probabilities need --method model.")
    if len(set(files)) < len(files):
        raise click.UsageError("You can specify each file only once.")
    rows = read_annotations({source_name(file): read_bytes(file) for file in files}, _names(files))
    begun = read_initial(read_bytes(initial), rows, name=source_name(initial)) if initial else {}
    names = sorted({name for row in rows for name in row.by_annotator})
    number = {name: place for place, name in enumerate(names)}
    pairs = [
        AnnotatedPair({number[name]: pair for name, pair in sorted(row.by_annotator.items())}, begun.get(row.id))
        for row in rows
    ]
    many_to_many = version == "2016"
    if method == "model":
        model = modelled(pairs, len(names), many_to_many=many_to_many)
        for warning in model.warnings():
            note(warning)
        combined = model.annotations()
        if annotators_file:
            _write_annotators(annotators_file, model, names, seed)
        if links_file:
            _write_links(links_file, model, rows)
    else:
        simple: Method = "medoid" if method == "medoid" else "majority"
        combined = aggregated(pairs, len(names), simple, many_to_many=many_to_many)
    write_whole(output, write_wa(pair for pair in combined if pair is not None))


def _names(files: Sequence[str]) -> list[str]:
    """Return each annotator's name: the file name or, if two files have the same name, the path."""
    stems = [Path(file).name.removesuffix(".wa") for file in files]
    return stems if len(set(stems)) == len(stems) else list(files)


def _write_annotators(place: str, model: Modelled, names: Sequence[str], seed: int) -> None:
    from accord_core.exchange.printed_tables import PrintedTable, table_in

    rates = model.annotators(seed=seed)
    order = (
        rates.precision, rates.precision_error, rates.recall, rates.recall_error, rates.type_accuracy,
        rates.type_error, rates.score_bias, rates.score_sd,
    )  # fmt: skip
    rows: list[list[Cell]] = []
    for number, name in enumerate(names):
        own = [pair.answers[number] for pair in model.pairs if number in pair.answers]
        links = sum(bool(link.source and link.target) for answer in own for link in answer.links)
        rows.append([name, len(own), links, *(column[number].item() for column in order)])
    write_whole(place, table_in(PrintedTable(ANNOTATORS, rows, places=4), "csv"))


def _write_links(place: str, model: Modelled, rows: Sequence[Annotations]) -> None:
    from accord_core.chunks.formats.estimate_cells import estimate_cells, tokens_cell
    from accord_core.exchange.csvtext import write_csv

    cells = []
    for number, (row, estimates) in enumerate(zip(rows, model.estimates(), strict=True)):
        drawn = [{(link.source, link.target) for link in each.links} for each in row.by_annotator.values()]
        for cell, estimate in sorted(estimates.items()):
            chunks = model.chunks(number, cell)
            times = sum(chunks in links for links in drawn)
            counts = [str(times), str(len(drawn))]
            cells.append([row.id, *map(tokens_cell, chunks), *counts, *estimate_cells(estimate)])
    write_whole(place, write_csv(cells, LINKS))
