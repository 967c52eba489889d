"""The `accord bws score` command, which calculates the scores of items."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from annotate.cli_options import output_option
from annotate.exchange.files import write_whole

from .files import annotations_of, drop_option, judgements_to_use, note, repeats_option

if TYPE_CHECKING:
    from bws.numerics.scoring import Judgements, Repeats


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
@drop_option
@repeats_option
@output_option
def score(annotations: str, method: str, scale: str, drop_inconsistent: bool, repeats: Repeats, output: str) -> None:
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

    table = annotations_of(annotations, repeats)
    judgements = judgements_to_use(table, method=method, drop_requested=drop_inconsistent)
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
