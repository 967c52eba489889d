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
@click.option(
    "--details",
    is_flag=True,
    help="Add the columns standard_error, appearances, best and worst. The counts of best and worst choices explain "
    "each score.",
)
@drop_option
@repeats_option
@output_option
def score(
    annotations: str, method: str, scale: str, details: bool, drop_inconsistent: bool, repeats: Repeats, output: str
) -> None:
    """Score the items in ANNOTATIONS.csv. The item with the highest score comes first.

    The columns are Item1,Item2,…,BestItem,WorstItem. Other columns are ignored. The result has the columns item and
    score and, for maxdiff, the approximate standard_error. By default, the counting method keeps rows that name the
    same item as best and worst. The maxdiff method always excludes such rows.

    \b
    Examples:
        accord bws score annotations.csv -o scores.csv
        accord bws score annotations.csv --method maxdiff --scale unit
        accord bws score annotations.csv --details -o scores.csv
        accord bws score - --drop-inconsistent < annotations.csv | head
    """
    from bws.formats import write_scores

    table = annotations_of(annotations, repeats)
    judgements = judgements_to_use(table, method=method, drop_requested=drop_inconsistent)
    scores, errors = _maxdiff(judgements, scale) if method == "maxdiff" else _counting(judgements, scale, details)
    write_whole(output, write_scores(table.items, scores, errors, _counts(judgements) if details else None))


def _counting(judgements: Judgements, scale: str, details: bool) -> tuple[list[float], list[float] | None]:
    from bws.numerics.scoring import counting_scores, counting_standard_errors, unit_scale

    scores = counting_scores(judgements).score
    # The unit scale is half as wide as the signed scale.
    errors = counting_standard_errors(judgements) / (2 if scale == "unit" else 1) if details else None
    return (unit_scale(scores) if scale == "unit" else scores).tolist(), None if errors is None else errors.tolist()


def _counts(judgements: Judgements) -> dict[str, list[int]]:
    from bws.numerics.scoring import counting_scores

    counts = counting_scores(judgements)
    return {name: getattr(counts, name).tolist() for name in ("appearances", "best", "worst")}


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
