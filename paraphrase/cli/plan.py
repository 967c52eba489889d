"""The `accord plan labels` command plans a study with labels from simulated studies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from annotate.cli.options import chosen_label_columns, label_column_options, missing_option
from annotate.cli.plans import PlanRequest, RangeOrValue, plan_options, print_plan, stated_ranges
from annotate.cli.types import WholeRange

if TYPE_CHECKING:
    from accord_core.numerics.labels import Labels


@click.command()
@click.option("--items", type=WholeRange(1), required=True, help="Number of items to label.")
@click.option(
    "--possible-labels",
    "n_labels",
    type=WholeRange(1),
    default=2,
    show_default=True,
    help="Number of possible labels. With --pilot, the pilot determines this number.",
)
@click.option(
    "--accuracy",
    type=RangeOrValue(0.01, 0.999),
    metavar="SHARE",
    help="Probability that an attentive annotator chooses the right label for a typical item, or a range such as "
    "0.8-0.95. The default is 0.9, or 0.6-0.995 with --pilot.",
)
@click.option(
    "--difficulty",
    type=RangeOrValue(0.01, 10),
    metavar="SD",
    help="Standard deviation of the items' difficulty in logits, or a range. The default is 0.5, or 0.05-2 with "
    "--pilot.",
)
@click.option(
    "--careless",
    type=RangeOrValue(0, 0.95),
    metavar="SHARE",
    help="Share of annotators who choose labels at random, as a single value or a range. The default is 0.1, or 0-0.4 "
    "with --pilot.",
)
@click.option(
    "--frequent",
    type=RangeOrValue(0, 1),
    metavar="SHARE",
    help="Share of items whose true label is the most frequent label, as a single value or a range. Without --pilot, "
    "all labels are equally frequent by default.",
)
@click.option(
    "--pilot",
    metavar="LABELS.csv",
    help="File with a pilot's labels. The command estimates the four assumptions from it.",
)
@label_column_options
@missing_option
@plan_options
def labels(
    items: int,
    n_labels: int,
    accuracy: tuple[float, float] | None,
    difficulty: tuple[float, float] | None,
    careless: tuple[float, float] | None,
    frequent: tuple[float, float] | None,
    pilot: str | None,
    missing: tuple[str, ...],
    request: PlanRequest,
    **columns: tuple[str, ...],
) -> None:
    """Plan a study with labels: agreement, accuracy, cost and days for several numbers of labels per item.

    The assumptions are options, or come from a pilot. The column alpha is Krippendorff's alpha, which `accord labels
    agreement` will print.

    \b
    Examples:
        accord plan labels --items 2000 --price 0.02 --budget 300
        accord plan labels --items 2000 --accuracy 0.8-0.95 --careless 0.05-0.2 --target 0.95
        accord plan labels --items 2000 --pilot pilot.csv --annotators 40 --days 14
        accord plan labels --items 500 --possible-labels 5 --frequent 0.4 --json
    """
    from annotate.tasktypes.planning import PlanInput
    from paraphrase.planning import PLANNING

    try:
        known = None if pilot is None else _pilot_labels(pilot, missing, columns)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    possible = n_labels if known is None else known.n_labels
    plan = PlanInput(
        items,
        {"possible_labels": possible, "labels_per_question": 1},
        request.annotators,
        request.caught,
        stated_ranges(accuracy=accuracy, difficulty=difficulty, careless=careless, frequent=frequent),
        known,
        request.seed,
    )
    title = f"Plan: {items:,} items, {possible} possible labels, {request.annotators} annotators"
    print_plan(PLANNING, plan, request, title=title)


def _pilot_labels(path: str, missing: tuple[str, ...], columns: dict[str, tuple[str, ...]]) -> Labels:
    from accord_core.exchange.files import read_bytes, source_name
    from accord_core.exchange.labels import read_labels

    chosen = chosen_label_columns(columns)
    return read_labels(read_bytes(path), name=source_name(path), missing=missing, columns=chosen).labels
