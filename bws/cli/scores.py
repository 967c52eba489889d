"""The `accord bws score` command, which calculates the scores of items."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from annotate.cli_options import output_option
from annotate.exchange.files import write_whole

from .files import annotations_of, note

if TYPE_CHECKING:
    from bws.formats import Annotations
    from bws.numerics.scoring import Judgements


@click.command()
@click.argument("annotations", metavar="ANNOTATIONS.csv")
@click.option(
    "--method",
    type=click.Choice(["counting", "maxdiff"]),
    default="counting",
    show_default=True,
    help="The counting method divides the difference between best and worst choices by the number of appearances. "
    "The maxdiff method fits a model and calculates standard errors.",
)
@click.option(
    "--scale",
    type=click.Choice(["signed", "unit"]),
    default="signed",
    show_default=True,
    help="The signed scale is centred on 0: counting-based scores range from -1 to 1, and maxdiff scores are logits. "
    "Unit: 0 to 1.",
)
@click.option("--drop-inconsistent", is_flag=True, help="Ignore rows with the same item as best and worst.")
@output_option
def score(annotations: str, method: str, scale: str, drop_inconsistent: bool, output: str) -> None:
    """Score the items in ANNOTATIONS.csv. The item with the highest score comes first.

    The columns are Item1,Item2,…,BestItem,WorstItem. Other columns are ignored. The result has the columns item and
    score and, for maxdiff, the approximate standard_error. By default, the counting method keeps rows that name the
    same item as best and worst. The maxdiff method always excludes such rows.

    \b
    Examples:
        accord bws score annotations.csv -o scores.csv
        accord bws score annotations.csv --method maxdiff --scale unit
        accord bws score - --drop-inconsistent < annotations.csv | head
    """
    from bws.formats import write_scores

    table = annotations_of(annotations)
    judgements = _without_inconsistent(table, always=method == "maxdiff", drop_requested=drop_inconsistent)
    scores, errors = (_maxdiff if method == "maxdiff" else _counting)(judgements, scale)
    write_whole(output, write_scores(table.items, scores, errors))


def _counting(judgements: Judgements, scale: str) -> tuple[list[float], None]:
    from bws.numerics.scoring import counting_scores, unit_scale

    scores = counting_scores(judgements).score
    return (unit_scale(scores) if scale == "unit" else scores).tolist(), None


def _maxdiff(judgements: Judgements, scale: str) -> tuple[list[float], list[float]]:
    import numpy as np

    from bws.numerics.maxdiff import maxdiff_scores, min_max

    fit = maxdiff_scores(judgements)
    if not fit.converged:
        note(f"the model did not converge in {fit.iterations:,} iterations, so the scores may be inaccurate")
    if scale == "signed":
        return fit.utility.tolist(), fit.standard_error.tolist()
    spread = np.nanmax(fit.utility) - np.nanmin(fit.utility)
    errors = fit.standard_error / (spread or np.nan)
    return min_max(fit.utility).tolist(), errors.tolist()


def _without_inconsistent(table: Annotations, *, always: bool, drop_requested: bool) -> Judgements:
    from bws.numerics.scoring import drop_inconsistent

    consistent, dropped = drop_inconsistent(table.judgements)
    if not dropped:
        return table.judgements
    summary = f"{dropped:,} of {len(table.lines):,} rows name the same item as best and worst"
    if not len(consistent) and (always or drop_requested):
        raise click.ClickException(f"{summary}. Without these rows, the file has no judgements to score.")
    if always:
        note(f"{summary}. MaxDiff excludes these rows")
        return consistent
    if drop_requested:
        note(f"{summary}. These rows are excluded")
        return consistent
    note(f"{summary}. These rows are included (--drop-inconsistent excludes them)")
    return table.judgements
