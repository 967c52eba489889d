"""Files with the group and the batch of each annotator, such as the file annotators.csv of a study."""

from __future__ import annotations

from dataclasses import dataclass

from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.label_rows import EMPTY, checked_rows, missing_columns
from accord_core.exchange.tables import Limits, find_column, iter_table

ANNOTATOR = ("annotator", "pseudonym")


@dataclass(frozen=True)
class AnnotatorGroups:
    """Annotators' groups and batches, by annotator name. Annotators without a group or batch are omitted. The batches
    of different groups can have the same name.
    """

    groups: dict[str, str]
    batches: dict[str, str]


def read_groups(data: bytes, *, name: str) -> AnnotatorGroups:
    """Return the groups and batches in the columns `group` and, if there is one, `batch`.

    Raises TableError with all errors: a missing column, a row without an annotator, or an annotator who occurs twice.
    """
    stream = iter_table(data, name=name, limits=Limits())
    faults: list[Fault] = []
    rows = list(checked_rows(stream, faults))
    annotator = next(filter(None, (find_column(stream.columns, each) for each in ANNOTATOR)), None)
    group = find_column(stream.columns, "group")
    if annotator is None or group is None:
        absent = [one for one, column in ((ANNOTATOR[0], annotator), ("group", group)) if column is None]
        raise_faults(name, missing_columns(absent, stream, "groups need the columns annotator and group"))
        return AnnotatorGroups({}, {})  # raise_faults has raised
    first: dict[str, int] = {}
    batch = find_column(stream.columns, "batch")
    groups: dict[str, str] = {}
    batches: dict[str, str] = {}
    for line, values in rows:
        who = values.get(annotator, "").strip()
        if not who:
            faults.append(Fault(line, annotator, EMPTY))
        elif first.setdefault(who, line) != line:
            faults.append(Fault(line, annotator, f"{who} is already on line {first[who]}"))
        elif own := values.get(group, "").strip():
            groups[who] = own
            if batch is not None and (number := values.get(batch, "").strip()):
                batches[who] = number
    raise_faults(name, faults)
    return AnnotatorGroups(groups, batches)
