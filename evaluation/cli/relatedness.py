"""The `accord evaluate relatedness` command compares predictions with collected scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from accord_core.exchange.compared_systems import title
from accord_core.exchange.faults import Fault, TableError
from accord_core.exchange.files import read_bytes, source_name, write_whole
from accord_core.exchange.numbers import read_number
from accord_core.exchange.tables import find_column
from annotate.cli.options import (
    baseline_option,
    chosen_systems,
    format_options,
    note,
    place_for_file,
    print_result,
    refuse_second_stdin,
    resamples_option,
    seed_option,
    systems_argument,
)
from annotate.cli.types import WholeRange
from evaluation.cli.figures import difference_line, figure_line
from evaluation.cli.relatedness_figures import DICE, as_object, comparisons
from evaluation.cli.split import items_in_part, split_options

if TYPE_CHECKING:
    from accord_core.evaluation.formats.predictions import ScoreFile

SOURCE = "source"


@click.command()
@click.argument("scores", metavar="SCORES.csv")
@systems_argument("PREDICTIONS.csv...")
@click.option(
    "--items", metavar="FILE", help="Item file with the sentences and sources, if they are not in SCORES.csv."
)
@baseline_option
@click.option(
    "--by",
    metavar="COLUMN",
    help="Column of SCORES.csv whose values define groups. The default is the column `source`, if it exists.",
)
@click.option(
    "--bins",
    metavar="COLUMN",
    help="Column of SCORES.csv that contains a second set of scores. The command also prints figures for each bin "
    "of these scores.",
)
@click.option(
    "--edges",
    metavar="A,B,…",
    help="Bounds of the bins in ascending order. A bin contains its upper bound. The default is five bins of equal "
    "width.",
)
@click.option(
    "--folds", type=WholeRange(2), default=5, show_default=True, help="Number of test folds over which to average."
)
@click.option(
    "--write-folds",
    metavar="FILE",
    callback=place_for_file,
    help="Write each item's test fold to FILE (columns: item, fold), so that you can train models on the same folds.",
)
@split_options
@resamples_option()
@seed_option
@format_options
def relatedness(
    scores: str,
    systems: tuple[str, ...],
    items: str | None,
    baseline: str | None,
    by: str | None,
    bins: str | None,
    edges: str | None,
    folds: int,
    write_folds: str | None,
    split: str | None,
    splits: str | None,
    resamples: int,
    seed: int,
    output_format: str,
) -> None:
    """Calculate the correlation between each system's predictions and the scores in SCORES.csv.

    All files have the columns item and score. The command prints Spearman's correlation over all items, by source, and
    as the mean over test folds. If the sentences are known, it also prints the correlation of the word overlap (Dice).
    A hash of the item and the seed determines the fold. Name a system with NAME=FILE. Holm's method corrects the
    p-values.

    \b
    Examples:
        accord evaluate relatedness scores.csv sbert.csv --items items.csv
        accord evaluate relatedness scores.csv sbert.csv word2vec.csv --by domain
        accord evaluate relatedness scores.csv SBERT=runs/1.csv SimCSE=runs/2.csv --baseline word2vec.csv
        accord evaluate relatedness scores.csv sbert.csv --bins sts --edges 0,1,2,3,4,5 --json
        accord evaluate relatedness scores.csv sbert.csv --by domain --format latex
        accord evaluate relatedness scores.csv sbert.csv --seed 3 --write-folds folds.csv
        accord evaluate relatedness scores.csv sbert.csv --split test --splits splits.csv
    """
    from accord_core.evaluation.formats.folds import write_folds as folds_file
    from accord_core.evaluation.formats.predictions import only_items, read_predictions, read_scores, with_items
    from accord_core.evaluation.numerics.relatedness import relatedness_scores
    from evaluation.cli.relatedness_table import relatedness_table

    compared = chosen_systems(systems, baseline)
    refuse_second_stdin(scores, *compared.paths, items, splits)
    if edges is not None and bins is None:
        raise click.UsageError("--edges sets the bounds of the bins and needs --bins COLUMN.")
    collected = read_bytes(scores)
    file = read_scores(collected, name=source_name(scores))
    if items is not None:
        file = with_items(file, read_bytes(items), name=source_name(items))
    if file.unscored:
        note(f"{len(file.unscored):,} items have no score and are excluded")
    part = items_in_part(split, splits, collected, scores)
    if part is not None:
        file = only_items(file, part, name=source_name(scores))
    by = SOURCE if by is None and find_column(list(file.columns), SOURCE) else by
    groups = None if by is None else file.columns[_column(file, by, scores)]
    bin_column = None if bins is None else _column(file, bins, scores)
    predicted = {system.name: _predictions(read_predictions, system.path, file) for system in compared.systems}
    overlap = _dice(file)
    resampling = {"resamples": resamples, "seed": seed}

    def scored(predictions: list[float]) -> dict[str, Any]:
        return relatedness_scores(file.items, file.scores, predictions, groups, folds=folds, **resampling)

    by_system = {name: scored(each) for name, each in predicted.items()}
    if bin_column is not None:
        for name, each in predicted.items():
            by_system[name]["bins"] = _bins(file, each, bin_column, edges, scores, seed, resamples)
    differences = comparisons(file.scores, predicted, compared.pairs, overlap, **resampling)
    figures = as_object(by_system, differences, None if overlap is None else scored(overlap), by)
    if write_folds is not None:
        write_whole(write_folds, folds_file(file.items, folds, seed))
    table = relatedness_table(by_system, figures)
    print_result(output_format, table, text=_lines(by_system, figures, table.notes), figures=figures)


def _predictions(read: Any, path: str, file: ScoreFile) -> list[float]:
    values, further = read(read_bytes(path), file.items, name=source_name(path))
    if further:
        note(f"{source_name(path)}: {further:,} additional items without a collected score are excluded")
    predicted: list[float] = values
    return predicted


def _dice(file: ScoreFile) -> list[float] | None:
    if file.sentences is None:
        return None
    import numpy as np

    from accord_core.evaluation.numerics.overlap import dice, word_sets

    count = len(file.items)
    sets = word_sets([one for one, _ in file.sentences] + [two for _, two in file.sentences])
    overlaps: list[float] = dice(sets, np.arange(count), np.arange(count) + count).tolist()
    return overlaps


def _bins(
    file: ScoreFile, predicted: list[float], column: str, edges: str | None, path: str, seed: int, resamples: int
) -> list[dict[str, Any]]:
    import numpy as np

    from accord_core.evaluation.formats.predictions import numbers_in
    from accord_core.evaluation.numerics.correlation import bin_scores

    outside = numbers_in(file, column, name=source_name(path))
    placed = [n for n, value in enumerate(outside) if value is not None]
    if len(placed) < len(outside):
        note(f"{len(outside) - len(placed):,} items have no {column} and are not in any bin")
    values = [value for value in outside if value is not None]
    ends = _edges(edges) if edges else (np.linspace(min(values), max(values), 6).tolist() if values else [])
    try:
        bins_of_scores = bin_scores(
            [file.scores[n] for n in placed],
            [predicted[n] for n in placed],
            values,
            ends,
            seed=seed,
            resamples=resamples,
        )
    except ValueError as error:
        raise click.ClickException(f"{column}: {error}") from error
    beyond = len(placed) - sum(each["items"] for each in bins_of_scores)
    if beyond:
        note(f"{beyond:,} items are outside the bounds and are not in any bin")
    return bins_of_scores


def _edges(text: str) -> list[float]:
    try:
        return [read_number(part) for part in text.split(",")]
    except ValueError as error:
        raise click.UsageError(
            f"--edges needs numbers separated by commas, such as 0,1,2,3,4,5, not {text}."
        ) from error


def _column(file: ScoreFile, requested: str, path: str) -> str:
    column = find_column(list(file.columns), requested)
    if column is None:
        available = ", ".join(file.columns) or "none"
        message = f"the column is missing. The columns other than item and score are {available}"
        raise TableError(source_name(path), [Fault(1, requested, message)])
    return column


def _lines(
    by_system: Mapping[str, Mapping[str, Any]], figures: Mapping[str, Any], notes: Sequence[str]
) -> Iterator[str]:
    dice = {DICE: figures["dice"]} if "dice" in figures else {}
    yield f"Spearman's correlation, {next(iter(by_system.values()))['items']:,} items\n"
    for name, each in {**by_system, **dice}.items():
        yield f"{name}\n"
        yield from _system_lines(each)
    for difference in figures["differences"]:
        yield f"{title(difference['one'], difference['other'])}\n"
        yield difference_line("difference", difference)
        yield _detectable_line(difference["detectable"])
    yield from (f"{note}\n" for note in notes)


def _detectable_line(value: float | None) -> str:
    reason = "no difference is detectable with these correlations" if value is None else ""
    figure = {"value": value, "low": None, "high": None, "reason": reason}
    return figure_line("smallest detectable", figure)


def _system_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    folds = figures["folds"]
    yield figure_line("all", figures["spearman"])
    yield figure_line(f"mean of {folds['folds']} test folds", folds)
    for number, (items, value) in enumerate(zip(folds["items"], folds["each"] or (), strict=False), 1):
        yield f"    {f'test fold {number}, {items:,}':<28} {value:.3f}\n"
    for name, each in figures.get("groups", {}).items():
        yield figure_line(f"{name or '(empty)'}, {each['items']:,}", each)
        yield figure_line(f"  mean of {folds['folds']} test folds", each["folds"])
    if "mean_of_groups" in figures:
        yield figure_line("mean of the groups", figures["mean_of_groups"])
    for each in figures.get("bins", []):
        yield f"  bin {each['low']:g} to {each['high']:g}, {each['items']:,} items\n"
        yield figure_line("  with the external score", each["outside"])
        yield figure_line("  with the predictions", each["predictions"])
