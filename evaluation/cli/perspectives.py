"""The `accord evaluate perspectives` command scores predictions of each annotator's own label."""

from __future__ import annotations

from typing import Any

import click

from accord_core.exchange.files import read_bytes, source_name
from annotate.cli.options import (
    baseline_option,
    chosen_systems,
    format_options,
    missing_option,
    refuse_second_stdin,
    resamples_option,
    seed_option,
    systems_argument,
)
from annotate.cli.types import WholeRange


@click.command()
@systems_argument()
@click.argument("gold", metavar="GOLD")
@baseline_option
@click.option(
    "--points",
    type=WholeRange(2),
    help="Number of points on the rating scale. Distances are divided by this number. (default: the whole numbers "
    "from the lowest to the highest label)",
)
@missing_option
@resamples_option()
@seed_option
@format_options
def perspectives(
    systems: tuple[str, ...],
    gold: str,
    baseline: str | None,
    points: int | None,
    missing: tuple[str, ...],
    resamples: int,
    seed: int,
    output_format: str,
) -> None:
    """Score each SYSTEM's predictions of each annotator's label for each item in GOLD.

    GOLD and SYSTEM have one row per label (item,annotator,label) or one column per annotator. GOLD can also be a file
    of LeWiDi. The measures are the error rate and, if labels are numbers, the absolute distance divided by the points
    of the scale, as in LeWiDi 2025. Name a system with NAME=FILE. Holm's method corrects the p-values of each measure.

    \b
    Examples:
        accord evaluate perspectives system.csv votes.csv
        accord evaluate perspectives persona.csv majority.csv ratings.csv --points 11 --json
    """
    from accord_core.exchange.labels import read_labels
    from evaluation.cli.scores import PERMUTATIONS, Scores
    from evaluation.perspective_scores import read_perspectives

    compared = chosen_systems(systems, baseline)
    refuse_second_stdin(*compared.paths, gold)
    file = read_labels(read_bytes(gold), name=source_name(gold), missing=missing)
    contents = [(source_name(system.path), read_bytes(system.path)) for system in compared.systems]
    scored = read_perspectives(file, contents, points=points)
    common: Any = {"resamples": resamples, "seed": seed}
    place = {system.name: number for number, system in enumerate(compared.systems)}
    scores = Scores(
        {name: scored.measures(number, **common) for name, number in place.items()},
        {
            (one, other): scored.differences(place[one], place[other], permutations=PERMUTATIONS, **common)
            for one, other in compared.pairs
        },
        [scored.baseline(**common)],
    )
    caption = f"{len(file.labels):,} labels of {len(file.annotators):,} annotators on {len(file.items):,} items"
    scores.print(output_format, caption, items=len(file.items), annotators=len(file.annotators), points=scored.points)
