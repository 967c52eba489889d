"""Alignment scores and agreement figures as text for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

KINDS = {"possible": "possible", "sure": "sure", "och_ney": "Och and Ney"}
NAMES = ("precision", "recall", "f1", "aer")
FIGURES = {"precision": "precision", "recall": "recall", "f1": "F1", "c": "C"}
OF_C = (
    "The coefficient C measures agreement beyond chance: C is 0 if annotators edit the pre-alignment at random, "
    "and 1 if annotators fully agree."
)


def score_lines(
    systems: Mapping[str, Mapping[str, Any]], differences: Mapping[str, Any] | None, pairs: int
) -> Iterator[str]:
    """Yield the figures of `system_figures` and `system_differences` as text, with one line per kind of link."""
    yield f"Links of {pairs:,} sentence pairs"
    titles = {"system": "the system", "against": "the other system"}
    for name, figures in systems.items():
        yield ""
        yield from _score_table(titles[name] if len(systems) > 1 else "", figures)
    if differences is not None:
        yield ""
        yield from _score_table("difference", differences)


def _score_table(title: str, parts: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield f"{title:<18}" + "".join(f"{name:<25}" for name in ("precision", "recall", "F1", "AER")).rstrip()
    for part, figures in parts.items():
        cells = (_with_interval(figures[name]) if name in figures else "" for name in NAMES)
        yield (f"{KINDS.get(part, part):<18}" + "".join(f"{cell:<25}" for cell in cells)).rstrip()
        if any("p" in figure for figure in figures.values()):
            p_values = (figures[name]["p"] if name in figures else None for name in NAMES)
            yield (f"{'':<18}" + "".join(f"{'' if p is None else f'p = {p:.4f}':<25}" for p in p_values)).rstrip()


def agreement_lines(results: Mapping[str, Mapping[str, Any]], *, ignore_identical: bool) -> Iterator[str]:
    """Yield the results of `word_agreement` and `phrase_agreement` as text, with confidence intervals. `results` maps
    the name of each compared unit to its results.
    """
    first = next(iter(results.values()))
    apart = ", excluding identical words" if ignore_identical else ""
    yield f"Agreement on {first['pairs']:,} sentence pairs{apart}, with 95% intervals from resampled pairs"
    reasons: dict[str, None] = {}
    for what, row in results.items():
        yield ""
        yield (f"{what:<12}" + "".join(f"{title:<25}" for title in FIGURES.values())).rstrip()
        for kind in (kind for kind in KINDS if kind in row):
            cells = (_with_interval(row[kind][name]) if name in row[kind] else "" for name in FIGURES)
            yield (f"{KINDS[kind]:<12}" + "".join(f"{cell:<25}" for cell in cells)).rstrip()
            reasons |= dict.fromkeys(figure["reason"] for figure in row[kind].values() if "reason" in figure)
    yield ""
    yield from (f"–: {reason}." for reason in reasons)
    if without := first["without_prealignment"]:
        yield f"Number of pairs without a pre-alignment (included in all figures except C): {without:,}."
    yield OF_C


def _with_interval(figure: Mapping[str, float | None]) -> str:
    value = _decimals(figure["value"])
    if figure["low"] is None:
        return value
    return f"{value} [{_decimals(figure['low'])}, {_decimals(figure['high'])}]"


def _decimals(value: float | str | None) -> str:
    if isinstance(value, str):
        return value
    return "–" if value is None else f"{value + 0.0:.4f}"
