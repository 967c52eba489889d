"""The output of `accord labels agreement`, as lines of text and as JSON."""

from __future__ import annotations

from typing import Any

from accord_core.exchange.labels import LabelFile
from accord_core.exchange.printed_tables import PrintedTable, figure_table
from accord_core.numerics.agreement import TITLES
from accord_core.numerics.bootstrap import Coefficient
from accord_core.numerics.cohen import MeanKappa
from accord_core.numerics.generalising import Agreement


def agreement_as_json(found: Agreement, *, intervals: bool) -> dict[str, Any]:
    """Return the coefficients by name and, if there are `intervals`, the units that the intervals generalise to."""
    figures: dict[str, Any] = {name: each.as_figure() for name, each in found.coefficients.items()}
    if intervals:
        figures["intervals"] = {
            "over": found.over,
            "questions": found.questions,
            "annotators": found.annotators,
            "caution": found.caution,
        }
    return figures


def agreement_table(file: LabelFile, found: Agreement, *, intervals: bool) -> PrintedTable:
    """Return one row for each coefficient, with the notes from `agreement_lines`."""
    coefficients = found.coefficients.items()
    notes = [_overview(file).strip(), *([_generalisation(found).strip()] if intervals else [])]
    return figure_table(
        ["coefficient"], (([TITLES[name]], each.as_figure()) for name, each in coefficients), notes=notes
    )


def agreement_lines(file: LabelFile, found: Agreement, *, intervals: bool) -> list[str]:
    """Return one line about the file, followed by one line for each coefficient. If there are `intervals`, the last
    line states whether they generalise to other questions or annotators.
    """
    lines = [_line(name, each) for name, each in found.coefficients.items()]
    return [_overview(file), *lines, *([_generalisation(found)] if intervals else [])]


def _overview(file: LabelFile) -> str:
    several = int((file.labels.counts.sum(axis=1) > 1).sum())
    return (
        f"The file contains {len(file.labels):,} labels for {len(file.items):,} items by {len(file.annotators):,} "
        f"annotators. "
        f"{several:,} items have two or more labels.\n"
    )


def _generalisation(found: Agreement) -> str:
    kinds = {
        "questions": f"other questions (there are {found.questions:,}), with the same annotators",
        "annotators": f"other annotators (there are {found.annotators:,}), with the same questions",
        "both": f"other questions (there are {found.questions:,}) and other annotators (there are "
        f"{found.annotators:,})",
    }
    return f"The intervals generalise to {kinds[found.over]}.\n"


def _line(name: str, coefficient: Coefficient) -> str:
    text = f"  {TITLES[name]:<28}"
    if coefficient.value is None:
        text += f"undefined: {coefficient.reason}"
    else:
        text += _decimals(coefficient.value)
        if coefficient.low is not None and coefficient.high is not None:
            text += f"  [{_decimals(coefficient.low)}, {_decimals(coefficient.high)}]"
    if coefficient.undefined_resamples:
        text += f"; undefined in {coefficient.undefined_resamples:,} resamples"
    if isinstance(coefficient, MeanKappa):
        text += f"; {coefficient.pairs:,} pairs of annotators, {coefficient.pairs_left_out:,} excluded"
    return f"{text}\n"


def _decimals(value: float) -> str:
    return f"{round(value, 3) + 0.0:.3f}"
