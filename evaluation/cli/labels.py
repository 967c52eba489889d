"""The `accord evaluate labels` command, which scores predicted labels or probabilities on collected votes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

import click

from annotate.cli_options import (
    against_option,
    format_options,
    missing_option,
    note,
    print_result,
    refuse_second_stdin,
    resamples_option,
    seed_option,
)
from annotate.exchange.files import read_bytes, source_name
from annotate.exchange.printed_tables import PrintedTable, figure_table
from evaluation.cli.figures import difference_line, figure_line
from evaluation.cli.split import items_in_part, split_options

if TYPE_CHECKING:
    from annotate.tasktypes import Difference, Measure
    from evaluation.formats.soft_labels import CollectedFile

PERMUTATIONS = 10_000


@click.command()
@click.argument("system", metavar="SYSTEM")
@click.argument("gold", metavar="GOLD")
@against_option("predictions")
@click.option(
    "--posteriors",
    type=click.Choice(["dawid-skene", "one-coin"]),
    default="dawid-skene",
    show_default=True,
    help="Model of the annotators' errors for the error-aware accuracy.",
)
@click.option(
    "--cluster",
    metavar="COLUMN",
    help="Column of GOLD with the question to which an item belongs. Items of one question are resampled together.",
)
@missing_option
@split_options
@resamples_option()
@seed_option
@format_options
def labels(
    system: str,
    gold: str,
    against: str | None,
    posteriors: Literal["dawid-skene", "one-coin"],
    cluster: str | None,
    missing: tuple[str, ...],
    split: str | None,
    splits: str | None,
    resamples: int,
    seed: int,
    output_format: str,
) -> None:
    """Score the labels or probabilities in SYSTEM on the votes in GOLD.

    GOLD has one row for each vote (item,annotator,label), one column for each annotator, or soft labels from a release
    (item,label,votes). SYSTEM has a label for each item (item,label), a probability for each item and label
    (item,label,probability), or one column of probabilities for each label. The command prints the accuracy on the
    majority labels, the error-aware accuracy, the cross-entropy and the Jensen–Shannon divergence.

    \b
    Examples:
        accord evaluate labels system.csv votes.csv
        accord evaluate labels system.csv soft-labels.csv --split test
        accord evaluate labels system.csv votes.csv --cluster sentence --against other.csv --json
    """
    from evaluation.formats.label_predictions import read_label_predictions
    from evaluation.formats.soft_labels import read_collected, restricted
    from evaluation.label_scores import baselines, notes_of, system_differences, system_measures

    refuse_second_stdin(system, gold, against, splits)
    data = read_bytes(gold)
    model: Literal["dawid_skene", "one_coin"] = "dawid_skene" if posteriors == "dawid-skene" else "one_coin"
    file = read_collected(data, name=source_name(gold), model=model, cluster=cluster, missing=missing)
    _note_excluded(file, missing)
    part = items_in_part(split, splits, data, gold)
    if part is not None:
        file = restricted(file, part, name=source_name(gold))
    resampling = {"resamples": resamples, "seed": seed}
    predicted = read_label_predictions(read_bytes(system), file.items, file.names, name=source_name(system))
    for text in notes_of(file.collected, predicted):
        note(f"{source_name(system)}: {text[0].lower()}{text[1:].removesuffix('.')}")
    figures: dict[str, Any] = {
        "items": len(file.items),
        "labels": file.names,
        "split": split,
        "system": _measures(system_measures(file.collected, predicted, file.clusters, **resampling)),
        "baselines": {
            baseline.name: _measures(baseline.measures)
            for baseline in baselines(file.collected, file.clusters, **resampling)
        },
    }
    if against is not None:
        other = read_label_predictions(read_bytes(against), file.items, file.names, name=source_name(against))
        figures["against"] = _measures(system_measures(file.collected, other, file.clusters, **resampling))
        figures["differences"] = _measures(
            system_differences(file.collected, predicted, other, file.clusters, permutations=PERMUTATIONS, **resampling)
        )
    print_result(output_format, _table(figures), text=_lines(figures), figures=figures)


def _table(figures: dict[str, Any]) -> PrintedTable:
    systems = {"the system": figures["system"]}
    if "against" in figures:
        systems |= {"the other system": figures["against"], "difference": figures["differences"]}
    return figure_table(
        ["system", "measure"],
        [
            ([system, name], measure)
            for system, measures in (systems | figures["baselines"]).items()
            for name, measure in measures.items()
        ],
        caption=_title(figures),
    )


def _title(figures: dict[str, Any]) -> str:
    part = f" in the {figures['split']} part" if figures["split"] else ""
    return f"{figures['items']:,} items{part} with the labels {', '.join(figures['labels'])}"


def _note_excluded(file: CollectedFile, missing: Sequence[str]) -> None:
    if file.not_votes:
        note(f"{file.not_votes:,} labels count as no vote ({', '.join(missing)})")
    if file.without:
        note(f"{file.without:,} items have no votes and are excluded")
    for warning in file.warnings:
        note(warning)


def _measures(measures: Sequence[Measure | Difference]) -> dict[str, dict[str, Any]]:
    return {each.name: _figure(each) for each in measures}


def _figure(measure: Measure | Difference) -> dict[str, Any]:
    figure = {name: value for name, value in measure.as_json().items() if name not in ("name", "note")}
    return figure | ({"reason": measure.note} if measure.note else {})


def _lines(figures: dict[str, Any]) -> Iterator[str]:
    yield f"{_title(figures)}\n"
    for name, measure in figures["system"].items():
        yield figure_line(name, measure)
    if "against" in figures:
        yield "The other system\n"
        for name, measure in figures["against"].items():
            yield figure_line(name, measure)
        yield "Difference between the systems\n"
        for name, difference in figures["differences"].items():
            yield difference_line(name, difference)
    for title, measures in figures["baselines"].items():
        yield f"{title}\n"
        for name, measure in measures.items():
            yield figure_line(name, measure)
