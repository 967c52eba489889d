"""The checks on annotators as a table, and the reasons why judgements were removed from an annotation file."""

from __future__ import annotations

from collections.abc import Sequence

from accord_core.bws.numerics.annotator_checks import AnnotatorCheck
from accord_core.exchange.printed_tables import PrintedTable

COLUMNS = [
    "annotator", "judgements", "gold", "correct", "accuracy", "accuracy low", "accuracy high", "agreement",
    "agreement low", "agreement high", "shared", "p positions", "seconds", "result",
]  # fmt: skip
FLAGS = {"chance": "agreement at chance", "positions": "position bias"}


def removal_reason(check: AnnotatorCheck, *, remove_flagged: bool) -> str:
    """Return the reason why an annotator is removed, or an empty string for annotators who are kept."""
    if check.failed_at:
        return "removed: gold accuracy below the threshold"
    if remove_flagged and check.flags:
        return f"removed: {' and '.join(FLAGS[flag] for flag in check.flags)}"
    return ""


def checks_table(names: Sequence[str], checks: Sequence[AnnotatorCheck], removals: Sequence[str]) -> PrintedTable:
    """Return one row per annotator, starting with the lowest gold accuracy. Annotators whose assignments were all
    rejected have no answers, and therefore no row.
    """
    answered = (row for row in zip(names, checks, removals, strict=True) if row[1].judgements or row[1].gold_answers)
    rows = sorted(answered, key=_order)
    return PrintedTable(
        columns=COLUMNS,
        rows=[
            [
                name,
                check.judgements,
                check.gold_answers,
                check.gold_correct,
                check.accuracy,
                *(check.accuracy_interval or (None, None)),
                check.agreement,
                *(check.agreement_interval or (None, None)),
                check.shared,
                check.position_p,
                check.median_seconds,
                _result(check, removal),
            ]
            for name, check, removal in rows
        ],
        places_of={"p positions": 5, "seconds": 1},
    )


def _order(row: tuple[str, AnnotatorCheck, str]) -> tuple[float, float, str]:
    name, check, _ = row
    return (
        2.0 if check.accuracy is None else check.accuracy,
        2.0 if check.agreement is None else check.agreement,
        name,
    )


def _result(check: AnnotatorCheck, removal: str) -> str:
    if removal and check.failed_at:
        return f"{removal} at gold answer {check.failed_at}"
    if removal:
        return removal
    notes = [FLAGS[flag] for flag in check.flags] or ([] if check.gold_answers else ["no gold answers"])
    return f"kept: {' and '.join(notes)}" if notes else "kept"
