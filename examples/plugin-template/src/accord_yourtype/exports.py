"""The files that researchers can download. The first one is the result of `accord try`."""

from accord_core.exchange.csvtext import write_csv
from annotate.tasktypes import Export

HEADER = ("item", "statement", "yes", "judgements")


def labels(data, result):
    if not result or "statements" not in result:
        raise LookupError("There are no labels yet. Calculate the results first.")
    rows = ([str(row[name]) for name in HEADER] for row in result["statements"])
    return (chunk.encode() for chunk in write_csv(rows, HEADER))


EXPORTS = (
    Export(
        "labels.csv",
        "text/csv; charset=utf-8",
        "the votes for each statement",
        labels,
        needs_report=True,
        item_column="item",
        note="The column `yes` contains the number of judgements with the answer yes.",
    ),
)
