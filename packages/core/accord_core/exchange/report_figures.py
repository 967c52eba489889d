"""A table of the figures in a study's report. The name of each figure is its path in the report's JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from accord_core.exchange.printed_tables import PrintedTable, figure_table


def report_table(result: Mapping[str, Any], *, caption: str = "") -> PrintedTable:
    """Return one row for each figure in a report, with its path, its value and the ends of its 95% interval.

    A path such as `agreement.fleiss_kappa` contains the keys of the report's JSON. In a list of objects, the first text
    of an object names it, as in `words[news].sure.f1`. Texts and lists of numbers are not part of the table.
    """
    return figure_table(["figure"], (([path], figure) for path, figure in _figures("", result)), caption=caption)


def _figures(path: str, content: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(content, Mapping):
        if _is_figure(content):
            yield path, content
            return
        for key, each in content.items():
            yield from _figures(f"{path}.{key}" if path else str(key), each)
    elif isinstance(content, list):
        for number, each in enumerate(content):
            if isinstance(each, Mapping):
                name = next((text for text in each.values() if isinstance(text, str)), str(number))
                yield from _figures(f"{path}[{name}]", each)
    elif isinstance(content, int | float) and not isinstance(content, bool):
        yield path, {"value": content}


def _is_figure(content: Mapping[str, Any]) -> bool:
    """Return whether an object is a single figure with its interval, rather than a group of figures."""
    return isinstance(content.get("value"), int | float | None) and {"value", "low", "high"} <= content.keys()
