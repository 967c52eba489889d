"""Functions that read Mechanical Turk results files as best–worst annotations, including their column names and
rejected assignments.
"""

from __future__ import annotations

from collections.abc import Mapping

from accord_core.exchange.csvtext import iter_records

STANDARD = {"workerid": "Annotator", "hitid": "Tuple", "worktimeinseconds": "Seconds"}
PREFIXES = ("input.", "answer.")
STATUS, REJECTED = "assignmentstatus", "rejected"


def mturk_columns(data: bytes, *, name: str) -> dict[str, str]:
    """Return the columns of a results file by their names in an annotation file, or nothing for any other file.

    `Input.Item1` is Item1, `Answer.BestItem` is BestItem, and WorkerId is Annotator. Columns with other names, such as
    `Input.pair1`, must be named by the user. Raises TableError if the file is not a table.
    """
    header = next(iter_records(data, name=name), (1, []))[1]
    if not {"workerid", "hitid"} <= {cell.strip().casefold() for cell in header}:
        return {}
    columns = {}
    for column in header:
        folded = column.strip().casefold()
        if folded in STANDARD:
            columns[STANDARD[folded]] = column
        for prefix in PREFIXES:
            own = folded.removeprefix(prefix)
            if own != folded and _is_standard(own):
                columns[_spelling(own)] = column
    return columns


def rejected_lines(data: bytes, *, name: str) -> set[int]:
    """Return the lines of rejected assignments, or nothing for a file without the column AssignmentStatus."""
    records = iter_records(data, name=name)
    header = [cell.strip().casefold() for cell in next(records, (1, []))[1]]
    if STATUS not in header:
        return set()
    place = header.index(STATUS)
    return {line for line, cells in records if place < len(cells) and cells[place].strip().casefold() == REJECTED}


def merged_columns(automatic: Mapping[str, str], requested: Mapping[str, str]) -> dict[str, str]:
    """Return the columns by their names in an annotation file. Requested columns replace automatic columns."""
    names = {own.casefold() for own in requested}
    return {own: column for own, column in automatic.items() if own.casefold() not in names} | dict(requested)


def _is_standard(own: str) -> bool:
    return own in ("bestitem", "worstitem") or (own.startswith("item") and own[4:].isdecimal())


def _spelling(own: str) -> str:
    return {"bestitem": "BestItem", "worstitem": "WorstItem"}.get(own, own.capitalize())
