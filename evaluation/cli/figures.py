"""The output functions and the options that all `accord evaluate` commands share."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import click

from annotate.exchange.faults import Fault
from annotate.exchange.files import STANDARD, write_whole

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
resamples_option = click.option(
    "--resamples",
    type=click.IntRange(0),
    default=1000,
    show_default=True,
    help="Number of resamples for the intervals. 0 turns the intervals off.",
)


def print_json(figures: Mapping[str, Any]) -> None:
    write_whole(STANDARD, [json.dumps(figures, indent=2, ensure_ascii=False), "\n"])


def figure_line(title: str, figure: Mapping[str, Any], after: str = "") -> str:
    """Return a figure in the form `title .571 (.553 to .589)`, or the reason why it is undefined."""
    if figure["value"] is None:
        return f"  {title:<30} –      {figure['reason']}\n"
    ends = "" if figure["low"] is None else f"  ({figure['low']:.3f} to {figure['high']:.3f})"
    return f"  {title:<30} {figure['value']:.3f}{ends}{after}\n"


def difference_line(title: str, difference: Mapping[str, Any]) -> str:
    if difference["value"] is None or difference["p"] is None:
        return figure_line(title, difference)
    return figure_line(title, difference, f", p = {difference['p']:.4f}")


def note(text: str) -> None:
    click.echo(f"accord: note: {text}", err=True)


def note_warnings(name: str, warnings: Iterable[Fault]) -> None:
    """Return one line of text for each kind of irregularity, with the line numbers."""
    lines: dict[str, list[str]] = {}
    for warning in warnings:
        lines.setdefault(warning.message, []).append(str(warning.line))
    for message, places in lines.items():
        note(f"{name}, line{'s' if len(places) > 1 else ''} {', '.join(places)}: {message}")


def one_from_standard(*paths: str | None) -> None:
    if sum(path == STANDARD for path in paths) > 1:
        raise click.UsageError("Only one of the files can be read from standard input.")
