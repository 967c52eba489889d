"""The section of the page Programs about answers copied from a program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from annotate.exchange.program_tables import conclusion
from annotate.numerics.printed import p_value, percent
from annotate.web.pages.charts import Table

MOST_ROWS = 10


def copied_answers(result: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return the annotators with the smallest p as a table, the number of all, and the programs without a test.
    Comparisons from before the test have none of them.
    """
    by_program = result.get("copying", ())
    tests = [(names[each["program"]], test) for each in by_program for test in each["annotators"]]
    tests.sort(key=lambda named: named[1]["p"])
    columns = (
        "Annotator",
        "Program",
        "Equal answers",
        "Expected",
        "Copied share",
        "p",
        "Smallest noticeable",
        "Result",
    )
    return {
        "copied": Table(columns, list(_rows(tests[:MOST_ROWS]))) if tests else None,
        "copied_tests": len(tests),
        "not_tested": [names[each["program"]] for each in by_program if not each["annotators"]],
    }


def _rows(tests: list[tuple[str, Mapping[str, Any]]]) -> Iterator[tuple[str, ...]]:
    for program, test in tests:
        yield (
            test["annotator"],
            program,
            f"{test['same']:,} of {test['units']:,}",
            f"{test['expected_same']:,.0f}",
            f"{percent(test['share'])} ({percent(test['low'])} to {percent(test['high'])})",
            "p > .3" if test["p"] >= 0.5 else p_value(test["p"]),
            percent(test["noticeable"] if test["can_tell"] else None),
            conclusion(test),
        )
