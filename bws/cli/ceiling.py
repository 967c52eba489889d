"""The `accord evaluate ceiling` command corrects a system's correlation for the reliability of the scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from accord_core.exchange.faults import Fault, TableError
from accord_core.exchange.files import read_bytes, source_name
from accord_core.exchange.tables import find_column
from annotate.cli.options import format_options, note, print_result, refuse_second_stdin, seed_option
from evaluation.cli.figures import figure_line

from .files import annotations_of, drop_option, judgements_to_use, repeats_option

if TYPE_CHECKING:
    from accord_core.bws.formats import Annotations
    from accord_core.bws.numerics.scoring import Repeats
    from accord_core.exchange.printed_tables import PrintedTable

SOURCE = "source"
TITLES = {
    "reliability": "reliability of the scores",
    "ceiling": "noise ceiling",
    "correlation": "correlation of the system",
    "corrected": "corrected correlation",
}


@click.command()
@click.argument("annotations", metavar="ANNOTATIONS.csv")
@click.argument("predictions", metavar="PREDICTIONS.csv")
@click.option("--items", metavar="FILE", help="Item file that contains the column that defines the groups.")
@click.option(
    "--by",
    metavar="COLUMN",
    help="Column in the item file whose values define groups. The default is the column `source`, if it exists.",
)
@drop_option
@repeats_option
@seed_option
@format_options
def ceiling(
    annotations: str,
    predictions: str,
    items: str | None,
    by: str | None,
    drop_inconsistent: bool,
    repeats: Repeats,
    seed: int,
    output_format: str,
) -> None:
    """Compare a system with the noise ceiling of best–worst scores, and correct its correlation for reliability.

    PREDICTIONS.csv has the columns item and score. The noise ceiling is the expected correlation of a perfect system
    with the counting-based scores from ANNOTATIONS.csv. The corrected correlation is the system's correlation divided
    by it.

    \b
    Examples:
        accord evaluate ceiling annotations.csv sbert.csv
        accord evaluate ceiling annotations.csv sbert.csv --items items.csv --by source
        accord evaluate ceiling annotations.csv sbert.csv --format markdown
    """
    import numpy as np

    from accord_core.bws.numerics.ceiling import CAUTION, RESTRICTED_RANGE, noise_ceiling
    from accord_core.evaluation.formats.predictions import read_predictions
    from accord_core.evaluation.numerics.power import detectable_differences, detectable_sentence

    refuse_second_stdin(annotations, predictions, items)
    if by is not None and items is None:
        raise click.UsageError("--by names a column of the item file and needs --items FILE.")
    table = annotations_of(annotations, repeats)
    judgements = judgements_to_use(table, method="counting", drop_requested=drop_inconsistent)
    predicted, further = read_predictions(read_bytes(predictions), table.items, name=source_name(predictions))
    if further:
        note(f"{source_name(predictions)}: {further:,} additional items without judgements are excluded")
    groups = _groups(table, items, by)
    figures: dict[str, Any] = noise_ceiling(judgements, predicted, seed=seed).as_dict()
    if groups is not None:
        names = np.array(groups, dtype=object)
        figures["groups"] = {
            name: noise_ceiling(judgements, predicted, names == name, seed=seed).as_dict()
            for name in dict.fromkeys(groups)
        }
    detectable = detectable_differences(figures["items"], figures["correlation"]["value"], figures["ceiling"]["value"])
    figures["detectable"] = [row._asdict() for row in detectable]
    sentence = detectable_sentence(detectable)
    notes = [*([sentence] if sentence else []), CAUTION, *([] if groups is None else [RESTRICTED_RANGE])]
    print_result(output_format, _table(figures, notes), text=_lines(figures, notes), figures=figures)


def _groups(table: Annotations, items: str | None, by: str | None) -> list[str] | None:
    """Return each item's group, or None if there is no item file or no groups."""
    from accord_core.evaluation.formats.predictions import ScoreFile, with_items

    if items is None:
        return None
    zeros = [0.0] * len(table.items)
    file = with_items(ScoreFile(table.items, zeros, None, {}, []), read_bytes(items), name=source_name(items))
    column = find_column(list(file.columns), by or SOURCE)
    if column is None and by is not None:
        available = ", ".join(file.columns) or "none"
        raise TableError(
            source_name(items), [Fault(1, by, f"the column is missing. The columns other than id are {available}")]
        )
    return None if column is None else file.columns[column]


def _lines(figures: Mapping[str, Any], notes: list[str]) -> Iterator[str]:
    for name, each in (("all items", figures), *figures.get("groups", {}).items()):
        yield f"{name or '(empty)'}, {each['items']:,} items\n"
        for key, title in TITLES.items():
            yield figure_line(title, {**each[key], "reason": each.get("reason", "")})
    yield (
        f"The 95% intervals generalise to other {figures['generalises_to']} (jackknife, {figures['splits']} splits of "
        "the tuples).\n"
    )
    yield from (f"{each}\n" for each in notes)


def _table(figures: Mapping[str, Any], notes: list[str]) -> PrintedTable:
    from accord_core.exchange.printed_tables import PrintedTable

    rows = [
        [name, each["items"], each["reliability"]["value"]]
        + [each[key][part] for key in ("ceiling", "correlation", "corrected") for part in ("value", "low", "high")]
        for name, each in (("all items", figures), *figures.get("groups", {}).items())
    ]
    ends = [f"{name}{end}" for name in ("ceiling", "ρ", "corrected ρ") for end in ("", " from", " to")]
    return PrintedTable(["group", "items", "reliability", *ends], rows, notes=notes)
