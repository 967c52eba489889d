"""The section on answers copied from a program, on the Programs page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from accord_core.exchange.program_tables import conclusion
from accord_core.numerics.copying import NOT_SIMULATED
from accord_core.numerics.printed import p_value, percent
from annotate.web.pages.charts import Table

FEWEST_ROWS = 5


def copied_answers(result: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a table of the annotators worth a look, the number of tests, and the programs without a test. If few
    annotators are worth a look, the table also contains those with the smallest p. Comparisons made before the test
    existed have no table.
    """
    by_program = result.get("copying", ())
    tests = [(names[each["program"]], test) for each in by_program for test in each["annotators"]]
    tests.sort(key=lambda named: (not named[1]["unusual"], named[1]["p"]))
    shown = max(FEWEST_ROWS, sum(test["unusual"] for _, test in tests))
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
        "copied": Table(columns, list(_rows(tests[:shown]))) if tests else None,
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
            "above .15" if test["p"] >= NOT_SIMULATED else p_value(test["p"]),
            percent(test["noticeable"] if test["can_tell"] else None),
            conclusion(test),
        )
