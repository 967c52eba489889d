"""The tables of a comparison of programs with people, from the figures of its report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from accord_core.exchange.printed_tables import Cell, PrintedTable

PEOPLE = "people"


def program_tables(result: Mapping[str, Any]) -> dict[str, PrintedTable]:
    """Return the tables by name, without tables that have no rows."""
    names = program_names(result) | {PEOPLE: PEOPLE}
    tables = {
        "agreement": _agreement(result, names),
        "scores": _scores(result, names),
        "alt-test": _alt_test(result, names),
        "copying": _copying(result, names),
        "gold": _gold(result, names),
    }
    return {name: table for name, table in tables.items() if table.rows}


def program_names(result: Mapping[str, Any]) -> dict[str, str]:
    """Return a distinct name of each program, by pseudonym. Programs on different platforms can have the same name, and
    a program can be called “people”. The name then includes the pseudonym.
    """
    given = {each["pseudonym"]: each["name"] or each["pseudonym"] for each in result["programs"]}
    uses = Counter([*given.values(), PEOPLE])
    return {who: name if uses[name] == 1 else f"{name} ({who})" for who, name in given.items()}


def _agreement(result: Mapping[str, Any], names: Mapping[str, str]) -> PrintedTable:
    labels = {figure["name"]: figure["label"] for figure in result["figures"]}
    rows: list[list[Cell]] = [
        [names[each["one"]], names[each["other"]], labels[name], each["questions"], *_ends(figure)]
        for each in result["agreement"]
        for name, figure in each["figures"].items()
    ]
    return PrintedTable(["one", "other", "figure", "questions", "value", "low", "high"], rows)


def _scores(result: Mapping[str, Any], names: Mapping[str, str]) -> PrintedTable:
    rows: list[list[Cell]] = [
        [names[each["program"]], "Spearman", each.get("items"), *_ends(each)] for each in result["scores"]
    ]
    return PrintedTable(["program", "figure", "items", "value", "low", "high"], rows)


def _alt_test(result: Mapping[str, Any], names: Mapping[str, str]) -> PrintedTable:
    columns = ["questions", "system_advantage", "own_advantage", "p", "p_corrected", "p_published"]
    rows: list[list[Cell]] = [
        [
            names[test["program"]],
            each["annotator"],
            *(each.get(name) for name in columns),  # older reports have no p_published
            "yes" if each["wins"] else "no",
            test["winning_rate"],
            test["advantage"],
            result["epsilon"],
        ]
        for test in result["alt_test"]
        for each in test.get("annotators", ())
    ]
    further = ["wins", "winning_rate", "average_advantage", "epsilon"]
    return PrintedTable(
        ["program", "annotator", *columns, *further], rows, places_of={"p": 4, "p_corrected": 4, "p_published": 4}
    )


def conclusion(test: Mapping[str, Any]) -> str:
    """Return what a test of copied answers shows, in words."""
    return "worth a look" if test["unusual"] else "no sign" if test["can_tell"] else "inconclusive"


def _copying(result: Mapping[str, Any], names: Mapping[str, str]) -> PrintedTable:
    columns = ["units", "same", "expected_same", "program_errors", "share", "low", "high", "p", "noticeable"]
    rows: list[list[Cell]] = [
        [names[each["program"]], test["annotator"], *(test[name] for name in columns), conclusion(test)]
        for each in result.get("copying", ())
        for test in each["annotators"]
    ]
    return PrintedTable(["program", "annotator", *columns, "result"], rows, places_of={"p": 4})


def _gold(result: Mapping[str, Any], names: Mapping[str, str]) -> PrintedTable:
    rows: list[list[Cell]] = [
        [names[each["pseudonym"]], each["gold"]["right"], each["gold"]["answers"]] for each in result["programs"]
    ]
    return PrintedTable(["program", "correct_gold_answers", "gold_answers"], rows)


def _ends(figure: Mapping[str, Any]) -> list[Cell]:
    return [figure["value"], figure["low"], figure["high"]]
