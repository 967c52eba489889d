"""The `accord evaluate labels` command scores predicted labels or probabilities against collected votes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import click

from accord_core.exchange.files import read_bytes, source_name
from annotate.cli.options import (
    baseline_option,
    chosen_systems,
    format_options,
    missing_option,
    note,
    refuse_second_stdin,
    resamples_option,
    seed_option,
    systems_argument,
)
from evaluation.cli.split import items_in_part, split_options

if TYPE_CHECKING:
    from accord_core.evaluation.formats.soft_labels import CollectedFile


@click.command()
@systems_argument()
@click.argument("gold", metavar="GOLD")
@baseline_option
@click.option(
    "--posteriors",
    type=click.Choice(["dawid-skene", "one-coin"]),
    default="dawid-skene",
    show_default=True,
    help="Annotator error model for the error-aware accuracy.",
)
@click.option(
    "--cluster",
    metavar="COLUMN",
    help="Column of GOLD that contains each item's question. Items that belong to the "
    "same question are resampled together.",
)
@click.option("--field", metavar="NAME", help="Field of the soft labels in GOLD, if GOLD contains several fields.")
@missing_option
@split_options
@resamples_option()
@seed_option
@format_options
def labels(
    systems: tuple[str, ...],
    gold: str,
    baseline: str | None,
    posteriors: Literal["dawid-skene", "one-coin"],
    cluster: str | None,
    field: str | None,
    missing: tuple[str, ...],
    split: str | None,
    splits: str | None,
    resamples: int,
    seed: int,
    output_format: str,
) -> None:
    """Score each SYSTEM's labels or probabilities against the votes in GOLD.

    GOLD has one row per vote (item,annotator,label), one column per annotator, or soft labels from a release
    (item,label,votes). SYSTEM has a label per item (item,label), a probability per item and label
    (item,label,probability), or one column of probabilities per label. The measures are accuracy on the majority
    labels, error-aware accuracy, cross-entropy, Jensen–Shannon divergence, Manhattan distance and, if labels are
    numbers, Wasserstein distance. Name a system with NAME=FILE. Holm's method corrects the p-values of each measure.

    \b
    Examples:
        accord evaluate labels system.csv votes.csv
        accord evaluate labels system.csv soft-labels.csv --split test
        accord evaluate labels system.csv other.csv votes.csv --cluster sentence --json
    """
    from accord_core.evaluation.formats.label_predictions import read_label_predictions
    from accord_core.evaluation.formats.soft_labels import read_collected, restricted
    from evaluation.cli.scores import PERMUTATIONS, Scores
    from evaluation.label_scores import baselines, notes_of, system_differences, system_measures

    compared = chosen_systems(systems, baseline)
    refuse_second_stdin(*compared.paths, gold, splits)
    data = read_bytes(gold)
    model: Literal["dawid_skene", "one_coin"] = "dawid_skene" if posteriors == "dawid-skene" else "one_coin"
    file = read_collected(data, name=source_name(gold), model=model, cluster=cluster, missing=missing, field=field)
    _note_excluded(file, missing)
    part = items_in_part(split, splits, data, gold)
    if part is not None:
        file = restricted(file, part, name=source_name(gold))
    predicted = {}
    for system in compared.systems:
        name = source_name(system.path)
        predicted[system.name] = read_label_predictions(read_bytes(system.path), file.items, file.names, name=name)
        for text in notes_of(file.collected, predicted[system.name]):
            note(f"{name}: {text[0].lower()}{text[1:].removesuffix('.')}")
    common: Any = {"clusters": file.clusters, "resamples": resamples, "seed": seed}
    scores = Scores(
        {name: system_measures(file.collected, each, **common) for name, each in predicted.items()},
        {
            (one, other): system_differences(
                file.collected, predicted[one], predicted[other], permutations=PERMUTATIONS, **common
            )
            for one, other in compared.pairs
        },
        baselines(file.collected, **common),
    )
    scores.print(
        output_format, _title(len(file.items), file.names, split), items=len(file.items), labels=file.names, split=split
    )


def _title(items: int, names: Sequence[str], split: str | None) -> str:
    part = f" in the {split} part" if split else ""
    return f"{items:,} items{part} with the labels {', '.join(names)}"


def _note_excluded(file: CollectedFile, missing: Sequence[str]) -> None:
    if file.not_votes:
        note(f"{file.not_votes:,} labels count as no vote ({', '.join(missing)})")
    if file.without:
        note(f"{file.without:,} items have no votes and are excluded")
    for warning in file.warnings:
        note(warning)
