"""Functions that format figures and print notes, shared by all `accord evaluate` commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from accord_core.exchange.faults import Fault
from annotate.cli.options import note

SHOWN = 10  # A note lists at most this number of lines.


def figure_line(title: str, figure: Mapping[str, Any], after: str = "") -> str:
    """Return a figure in the form `title .571 (.553 to .589)`, or the reason why the figure or its interval is
    undefined.
    """
    if figure["value"] is None:
        return f"  {title:<30} –      {figure['reason']}\n"
    ends = "" if figure["low"] is None else f"  ({figure['low']:.3f} to {figure['high']:.3f})"
    if figure["low"] is None and figure.get("reason"):
        ends = f"  (no interval: {figure['reason']})"
    return f"  {title:<30} {figure['value']:.3f}{ends}{after}\n"


def difference_line(title: str, difference: Mapping[str, Any]) -> str:
    if difference["value"] is None or difference["p"] is None:
        return figure_line(title, difference)
    corrected = difference.get("p_holm")
    after = "" if corrected is None else f", p (Holm) = {corrected:.4f}"
    return figure_line(title, difference, f", p = {difference['p']:.4f}{after}")


def note_warnings(name: str, warnings: Iterable[Fault]) -> None:
    """Print a note about each kind of irregularity, with the first line numbers."""
    lines: dict[str, list[str]] = {}
    for warning in warnings:
        lines.setdefault(warning.message, []).append(str(warning.line))
    for message, places in lines.items():
        more = f" and {len(places) - SHOWN:,} more" if len(places) > SHOWN else ""
        note(f"{name}, line{'s' if len(places) > 1 else ''} {', '.join(places[:SHOWN])}{more}: {message}")
