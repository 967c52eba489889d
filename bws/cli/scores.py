"""The `accord bws score` command calculates the scores of items."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from accord_core.exchange.files import read_bytes, source_name
from annotate.cli.options import (
    file_format_option,
    note,
    output_option,
    place_for_file,
    print_result,
    refuse_second_stdin,
)

from .files import annotations_of, drop_option, judgements_to_use, repeats_option

if TYPE_CHECKING:
    from accord_core.bws.formats import Annotations
    from accord_core.bws.numerics.maxdiff import MaxDiffScores
    from accord_core.bws.numerics.scoring import Judgements, Repeats


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
@click.option(
    "--annotators",
    "annotators",
    metavar="FILE",
    callback=place_for_file,
    help="Estimate each annotator's reliability together with the scores (maxdiff only), and write the reliabilities "
    "to FILE. The command also tests on held-out tuples whether the reliabilities help.",
)
@click.option(
    "--program",
    metavar="FILE",
    help="A file with the columns item and score, which contains a program's score for each item. Only for maxdiff: "
    "each item's prior follows its program score, as closely as the judgements suggest. The column assisted_by names "
    "the file.",
)
@drop_option
@repeats_option
@file_format_option
@output_option
def score(
    annotations: str,
    method: str,
    scale: str,
    details: bool,
    annotators: str | None,
    program: str | None,
    drop_inconsistent: bool,
    repeats: Repeats,
    output_format: str,
    output: str,
) -> None:
    """Score the items in ANNOTATIONS.csv. The item with the highest score comes first.

    The columns are Item1,Item2,…,BestItem,WorstItem. Other columns are ignored. The result has the columns item and
    score and, for maxdiff, the approximate standard_error. By default, the counting method keeps rows that name the
    same item as best and worst. The maxdiff method always excludes such rows.

    \b
    Examples:
        accord bws score annotations.csv -o scores.csv
        accord bws score annotations.csv --method maxdiff --scale unit
        accord bws score annotations.csv --method maxdiff --annotators annotators.csv -o scores.csv
        accord bws score annotations.csv --method maxdiff --program model.csv -o scores.csv
        accord bws score annotations.csv --details -o scores.csv
        accord bws score annotations.csv --format latex -o scores.tex
        accord bws score - --drop-inconsistent < annotations.csv | head
    """
    from accord_core.bws.formats import scores_table

    if program is not None and (method != "maxdiff" or annotators is not None):
        raise click.UsageError("--program needs --method maxdiff and cannot be combined with --annotators.")
    refuse_second_stdin(annotations, program)
    table = annotations_of(annotations, repeats)
    judgements = judgements_to_use(table, method=method, drop_requested=drop_inconsistent)
    scores: list[float]
    errors: list[float] | None
    if annotators is not None:
        fit = _with_annotators(table, judgements, method, annotators)
        scores, errors = _scaled(fit, scale)
    elif program is not None:
        scores, errors = _scaled(_with_program(table, judgements, program), scale)
    elif method == "maxdiff":
        scores, errors = _maxdiff(judgements, scale)
    else:
        scores, errors = _counting(judgements, scale, details)
    rows = scores_table(table.items, scores, errors, _counts(judgements) if details else None)
    if program is not None:
        marked = [[*row, source_name(program)] for row in rows.rows]
        rows = replace(rows, columns=[*rows.columns, "assisted_by"], rows=marked)
    print_result(output_format, rows, output=output)


def _counting(judgements: Judgements, scale: str, details: bool) -> tuple[list[float], list[float] | None]:
    from accord_core.bws.numerics.scoring import counting_scores, counting_standard_errors, unit_scale

    scores = counting_scores(judgements).score
    # The unit scale is half as wide as the signed scale.
    errors = counting_standard_errors(judgements) / (2 if scale == "unit" else 1) if details else None
    return (unit_scale(scores) if scale == "unit" else scores).tolist(), None if errors is None else errors.tolist()


def _counts(judgements: Judgements) -> dict[str, list[int]]:
    from accord_core.bws.numerics.scoring import counting_scores

    counts = counting_scores(judgements)
    return {name: getattr(counts, name).tolist() for name in ("appearances", "best", "worst")}


def _maxdiff(judgements: Judgements, scale: str) -> tuple[list[float], list[float]]:
    from accord_core.bws.numerics.maxdiff import maxdiff_scores

    return _scaled(maxdiff_scores(judgements), scale)


def _with_annotators(table: Annotations, judgements: Judgements, method: str, path: str) -> MaxDiffScores:
    """Fit the model with annotator reliabilities, write the reliabilities, and print whether they improve the
    predictions.
    """
    from accord_core.bws.formats.annotators import held_out_lines, write_reliabilities
    from accord_core.bws.numerics.annotator_reliability import annotator_reliabilities, held_out_check
    from accord_core.exchange.files import write_whole

    if method != "maxdiff":
        raise click.UsageError("--annotators needs --method maxdiff.")
    if len(table.annotators) < 2:
        raise click.UsageError("--annotators needs the column Annotator with at least two annotators.")
    result = annotator_reliabilities(judgements)
    write_whole(path, write_reliabilities(table.annotators, result))
    for line in held_out_lines(held_out_check(judgements)):
        note(line)
    return result.scores


def _with_program(table: Annotations, judgements: Judgements, path: str) -> MaxDiffScores:
    """Fit the model with a prior that follows the program's scores, and print how far the items differ from it."""
    from accord_core.bws.numerics.maxdiff_prior import maxdiff_with_prior
    from accord_core.evaluation.formats.predictions import read_predictions

    name = source_name(path)
    predicted, further = read_predictions(read_bytes(path), table.items, name=name)
    if further:
        note(f"{name}: {further:,} additional items without judgements are excluded")
    fit = maxdiff_with_prior(judgements, predicted)
    note(
        f"{name}: one standard deviation of the program’s scores corresponds to {fit.slope:.2f} logits. Items deviate "
        f"from this with a standard deviation of {fit.spread:.2f} logits"
    )
    return fit.scores


def _scaled(fit: MaxDiffScores, scale: str) -> tuple[list[float], list[float]]:
    import numpy as np

    from accord_core.bws.numerics.maxdiff import min_max

    if not fit.converged:
        note(f"the model did not converge in {fit.iterations:,} iterations, so the scores may be inaccurate")
    if scale == "signed":
        return fit.utility.tolist(), fit.standard_error.tolist()
    spread = np.nanmax(fit.utility) - np.nanmin(fit.utility)
    errors = fit.standard_error / (spread or np.nan)
    return min_max(fit.utility).tolist(), errors.tolist()
