"""`accord labels groups`: the agreement within groups of annotators, and over all groups with population weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from accord_core.exchange.files import read_bytes, source_name
from annotate.cli.options import (
    chosen_label_columns,
    format_options,
    label_column_options,
    missing_option,
    note,
    print_result,
    refuse_second_stdin,
    seed_option,
)

if TYPE_CHECKING:
    from accord_core.exchange.labels import LabelFile
    from accord_core.numerics.agreement import Level
    from accord_core.numerics.grouped import GroupedAgreement

OVERALL = "all groups"


@click.command("groups")
@click.argument("labels", metavar="LABELS.csv")
@click.argument("annotators", metavar="ANNOTATORS.csv")
@click.option(
    "--weight",
    "weights",
    multiple=True,
    metavar="NAME=N",
    help="Size of a group in the population, in any unit. Repeat this option for each group. By default, all groups "
    "have the same weight.",
)
@click.option(
    "--level",
    type=click.Choice(["nominal", "ordinal", "interval"]),
    default="nominal",
    show_default=True,
    help="Add Krippendorff's α for numeric labels, as in `accord labels agreement`.",
)
@label_column_options
@missing_option
@seed_option
@format_options
def agreement_within_groups(
    labels: str,
    annotators: str,
    weights: tuple[str, ...],
    level: Level,
    missing: tuple[str, ...],
    seed: int,
    output_format: str,
    **columns: tuple[str, ...],
) -> None:
    """Calculate the agreement within each group of annotators, and its mean over all groups.

    LABELS.csv is the same as for agreement. ANNOTATORS.csv has the columns annotator and group. In a study's
    annotators.csv, the column pseudonym replaces annotator. If the column batch names batches, only annotators in a
    batch are included, as in reports. The 95% intervals generalise to other annotators, so a group needs at least
    three.

    \b
    Examples:
        accord labels groups labels.csv annotators.csv
        accord labels groups labels.csv annotators.csv --weight learners=70 --weight teachers=30
        accord labels groups labels.csv annotators.csv --json | jq .overall
    """
    from accord_core.exchange.annotator_groups import read_groups
    from accord_core.exchange.labels import numbers_of, read_labels
    from accord_core.numerics.batches import published_agreement
    from accord_core.numerics.grouped import agreement_by_group

    refuse_second_stdin(labels, annotators)
    file = read_labels(
        read_bytes(labels), name=source_name(labels), missing=missing, columns=chosen_label_columns(columns)
    )
    read = read_groups(read_bytes(annotators), name=source_name(annotators))
    groups = {who: group for who, group in read.groups.items() if who in read.batches} if read.batches else read.groups
    names = sorted({groups[name] for name in file.annotators if name in groups})
    if not names:
        raise click.ClickException(f"{source_name(annotators)} has no group of an annotator in {source_name(labels)}.")
    outside = sum(name not in groups for name in file.annotators)
    if outside:
        lacking = "batch" if read.batches else "group"
        note(f"{outside:,} of {len(file.annotators):,} annotators have no {lacking}, so their labels are excluded")
    if not read.batches:
        note("without batches, differences between published figures can give away single answers")
    values = None if level == "nominal" else numbers_of(file.names)
    if level != "nominal" and values is None:
        raise click.ClickException(f"{source_name(labels)}: --level {level} requires numeric labels.")
    group = [names.index(groups[name]) if name in groups else -1 for name in file.annotators]
    of_groups = _weights(weights, names)
    if read.batches:
        batch = _numbered([(groups[name], read.batches[name]) if name in groups else None for name in file.annotators])
        found = published_agreement(file.labels, group, batch, of_groups, level=level, values=values, seed=seed)
    else:
        found = agreement_by_group(file.labels, group, of_groups, level=level, values=values, seed=seed)
    print_result(output_format, _table(file, names, found), figures=_as_json(names, found))


def _numbered(batches: list[tuple[str, str] | None]) -> list[int]:
    """Return a number for each batch, and −1 for annotators without one."""
    numbers = {batch: at for at, batch in enumerate(dict.fromkeys(filter(None, batches)))}
    return [-1 if batch is None else numbers[batch] for batch in batches]


def _weights(given: tuple[str, ...], names: list[str]) -> list[float]:
    """Return the weight of each group. Raises UsageError unless all groups or none have a positive weight."""
    weights: dict[str, float] = {}
    for text in given:
        name, _, number = text.rpartition("=")
        try:
            weights[name] = float(number)
        except ValueError:
            weights[name] = 0.0
        if name not in names or not 0 < weights[name] < float("inf"):
            raise click.UsageError(f"--weight {text}: write a group and a positive number. Groups: {', '.join(names)}.")
    if weights and (lacking := [name for name in names if name not in weights]):
        raise click.UsageError(f"--weight is missing for these groups: {', '.join(lacking)}.")
    return [weights.get(name, 1.0) for name in names]


def _table(file: LabelFile, names: list[str], found: GroupedAgreement) -> Any:
    from accord_core.exchange.printed_tables import figure_table
    from accord_core.numerics.agreement import TITLES

    sizes = [f"{name} ({number:,} annotators)" for name, number in zip(names, found.annotators, strict=True)]
    rows = [*zip(sizes, found.within, strict=True), (OVERALL, found.overall)]
    return figure_table(
        ["group", "coefficient"],
        (([name, TITLES[key]], each.as_figure()) for name, coefficients in rows for key, each in coefficients.items()),
        notes=[f"The intervals generalise to other annotators, with the same {len(file.items):,} items."],
    )


def _as_json(names: list[str], found: GroupedAgreement) -> dict[str, Any]:
    def figures(coefficients: Any) -> dict[str, Any]:
        return {name: each.as_figure() for name, each in coefficients.items()}

    return {
        "groups": {
            name: {"annotators": number, **figures(within)}
            for name, number, within in zip(names, found.annotators, found.within, strict=True)
        },
        "overall": figures(found.overall),
    }
