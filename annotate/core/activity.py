"""The format of the activity summaries sent by the work page with each answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

MOST_EVENTS = 100_000
LONGEST = 86_400.0  # seconds
PASTED_LENGTHS = ("", "short", "medium", "long")


def checked_summary(raw: Any) -> dict[str, Any] | None:
    """Return a summary's values by field, or None if the summary is invalid.

    A valid summary has all fields and no other fields, every value is within its bounds, and the values are consistent
    with each other. Clients can therefore not store anything else with an answer.
    """
    if not isinstance(raw, Mapping) or raw.keys() != FIELDS.keys():
        return None
    if not all(is_valid(raw[name]) for name, is_valid in FIELDS.items()):
        return None
    return dict(raw) if _is_possible(raw) else None


def _is_possible(summary: Mapping[str, Any]) -> bool:
    """Return whether the values are consistent with each other. For example, an interval requires at least two events,
    and a paste event must have a length.
    """
    timed = all(
        (summary[f"{events}_interval_median"] is None) == (summary[f"{events}_interval_iqr"] is None)
        and (summary[f"{events}_interval_median"] is None or summary[count] > 1)
        for events, count in (("key", "keys"), ("press", "presses"))
    )
    pasted = (summary["pastes"] == 0) == (summary["pasted_length"] == "")
    moved = summary["straightness"] is None or summary["pointer_paths"] > 0
    away = summary["unfocused_seconds"] == 0 or summary["focus_losses"] > 0
    return timed and pasted and moved and away


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MOST_EVENTS


def _is_number(value: Any, most: float) -> bool:
    return type(value) in (int, float) and isfinite(value) and 0 <= value <= most


def _is_interval(value: Any) -> bool:
    return value is None or _is_number(value, LONGEST * 1000)


FIELDS: Mapping[str, Callable[[Any], bool]] = {
    "untrusted_events": _is_count,
    "webdriver": lambda value: type(value) is bool,
    "focus_losses": _is_count,
    "unfocused_seconds": lambda value: _is_number(value, LONGEST),
    "pastes": _is_count,
    "pasted_length": lambda value: type(value) is str and value in PASTED_LENGTHS,
    "keys": _is_count,
    "key_interval_median": _is_interval,
    "key_interval_iqr": _is_interval,
    "presses": _is_count,
    "press_interval_median": _is_interval,
    "press_interval_iqr": _is_interval,
    "pointer_paths": _is_count,
    "straightness": lambda value: value is None or _is_number(value, 1),
}
