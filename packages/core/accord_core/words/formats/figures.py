"""Alignment scores and agreement figures as text for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from accord_core.exchange.compared_systems import correction_note
from accord_core.exchange.printed_tables import TITLES, PrintedTable, figure_table
from accord_core.exchange.wide_tables import wide_table

PLACES = 4
KINDS = {"possible": "possible", "sure": "sure", "och_ney": "Och and Ney"}
METHODS = {"single": "single annotators (mean)", "majority": "majority", "medoid": "medoid", "model": "model"}
NAMES = ("precision", "recall", "f1", "aer")
FIGURES = {"precision": "precision", "recall": "recall", "f1": "F1", "aer": "AER", "c": "C"}
AGREEMENT = ("precision", "recall", "f1", "c")
OF_C = (
    "The coefficient C measures agreement beyond chance. C is 0 if annotators edit the pre-alignment at random, and 1 "
    "if they fully agree."
)


def score_lines(
    systems: Mapping[str, Mapping[str, Any]],
    differences: Mapping[str, Mapping[str, Any]],
    pairs: int,
    what: str = "Links",
    notes: Sequence[str] = (),
) -> Iterator[str]:
    """Yield the figures of `system_figures` by system, and of `system_differences` by comparison title, as text with
    one line per kind of link. `what` names the scored units.
    """
    yield _score_title(pairs, what)
    for name, figures in {**systems, **differences}.items():
        yield ""
        yield name
        yield from _score_rows(figures)
    for each in [*notes, *_corrections(differences)]:
        yield from ("", each)


def score_table(
    systems: Mapping[str, Mapping[str, Any]],
    differences: Mapping[str, Mapping[str, Any]],
    pairs: int,
    what: str = "Links",
    notes: Sequence[str] = (),
) -> PrintedTable:
    """Return the figures from `score_lines` as a table with one row per system, kind of link and figure."""
    return _table(
        ["system", "links", "figure"],
        [
            ([system, KINDS.get(part, part), FIGURES[name]], figures[name])
            for system, by_part in {**systems, **differences}.items()
            for part, figures in by_part.items()
            for name in NAMES
            if name in figures
        ],
        _score_title(pairs, what),
        [*notes, *_corrections(differences)],
    )


def method_table(scores: Mapping[str, Any]) -> PrintedTable:
    """Return the result of `method_scores` as a table with one row per method and figure."""
    named = {METHODS[method]: figures for method, figures in scores["methods"].items()}
    named |= {f"{METHODS[method]} − majority": figures for method, figures in scores["differences"].items()}
    return _table(
        ["method", "figure"],
        [([method, FIGURES[name]], figures[name]) for method, figures in named.items() for name in NAMES],
        f"Combined alignments of {scores['pairs']:,} gold pairs",
        [],
    )


def _score_title(pairs: int, what: str) -> str:
    return f"{what} of {pairs:,} sentence pairs"


def _corrections(differences: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return a sentence about the correction of p-values, which is the same for all figures."""
    firsts = [next(iter(next(iter(parts.values())).values())) for parts in differences.values()]
    return correction_note(firsts, "comparisons of each figure")


def _score_rows(parts: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    titles = [FIGURES[name] for name in NAMES if any(name in figures for figures in parts.values())]
    yield f"{'':<18}" + "".join(f"{name:<25}" for name in titles).rstrip()
    for part, figures in parts.items():
        cells = (_with_interval(figures[name]) if name in figures else "" for name in NAMES)
        yield (f"{KINDS.get(part, part):<18}" + "".join(f"{cell:<25}" for cell in cells)).rstrip()
        for key, name in (("p", "p"), ("p_holm", TITLES["p_holm"])):
            p_values = [figures[each].get(key) if each in figures else None for each in NAMES]
            if any(p is not None for p in p_values):
                cells = ("" if p is None else f"{name} = {p:.4f}" for p in p_values)
                yield (f"{'':<18}" + "".join(f"{cell:<25}" for cell in cells)).rstrip()


def agreement_lines(results: Mapping[str, Mapping[str, Any]], *, ignore_identical: bool) -> Iterator[str]:
    """Yield the results of `word_agreement` and `phrase_agreement` as text, with confidence intervals. `results` maps
    the name of each compared unit to its results.
    """
    yield _agreement_title(results, ignore_identical)
    reasons: dict[str, None] = {}
    for what, row in results.items():
        yield ""
        yield (f"{what:<12}" + "".join(f"{FIGURES[name]:<25}" for name in AGREEMENT)).rstrip()
        for kind in (kind for kind in KINDS if kind in row):
            cells = (_with_interval(row[kind][name]) if name in row[kind] else "" for name in AGREEMENT)
            yield (f"{KINDS[kind]:<12}" + "".join(f"{cell:<25}" for cell in cells)).rstrip()
            reasons |= dict.fromkeys(figure["reason"] for figure in row[kind].values() if "reason" in figure)
    yield ""
    yield from (f"–: {reason}." for reason in reasons)
    yield from _agreement_notes(results)


def agreement_table(
    results: Mapping[str, Mapping[str, Any]], subcorpora: Mapping[str, Mapping[str, Any]], *, ignore_identical: bool
) -> PrintedTable:
    """Return the figures from `agreement_lines` as a table with one row per unit, kind of link and figure.

    If there are `subcorpora`, the first column contains the subcorpus, or “all”.
    """
    keys = ["unit", "links", "figure"]
    rows = [(["all", *cells], figure) for cells, figure in _agreement_rows(results)]
    for name, part in subcorpora.items():
        rows += [([name or "(empty)", *cells], figure) for cells, figure in _agreement_rows(part)]
    return _table(
        ["subcorpus", *keys] if subcorpora else keys,
        rows if subcorpora else list(_agreement_rows(results)),
        _agreement_title(results, ignore_identical),
        list(_agreement_notes(results)),
    )


def _table(
    keys: Sequence[str],
    figures: Sequence[tuple[list[str], Mapping[str, Any]]],
    caption: str,
    notes: Sequence[str],
) -> PrintedTable:
    """Return a table with one row per figure, which has one column per measure when formatted for a paper."""
    table = figure_table(keys, figures, caption=caption, notes=notes, places=PLACES)
    return replace(table, wide=wide_table(keys, figures, across="figure", caption=caption, notes=notes, places=PLACES))


def _agreement_rows(results: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[list[str], Mapping[str, Any]]]:
    for what, row in results.items():
        for kind in (kind for kind in KINDS if kind in row):
            for name in (name for name in AGREEMENT if name in row[kind]):
                yield [what, KINDS[kind], FIGURES[name]], row[kind][name]


def _agreement_title(results: Mapping[str, Mapping[str, Any]], ignore_identical: bool) -> str:
    pairs = next(iter(results.values()))["pairs"]
    apart = ", excluding identical words" if ignore_identical else ""
    return f"Agreement on {pairs:,} sentence pairs{apart}, with 95% intervals from resampled pairs"


def _agreement_notes(results: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    if without := next(iter(results.values()))["without_prealignment"]:
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
