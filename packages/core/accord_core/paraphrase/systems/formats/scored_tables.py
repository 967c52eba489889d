"""Reader for paraphrase tables with a score for each pair, and writer for precision–recall curves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

from accord_core.exchange.csvtext import write_csv
from accord_core.exchange.faults import Fault, raise_faults
from accord_core.exchange.numbers import decimal_hint, read_number
from accord_core.exchange.tables import find_column
from accord_core.paraphrase.formats.phrase_tables import iter_phrase_table
from accord_core.paraphrase.systems.formats.paraphrase_tables import Pair, pair_rows

CURVE_COLUMNS = ("domain", "threshold", "judged", "good", "precision", "recall", "f1")


def read_table_scores(data: bytes, domains: Sequence[str], *, name: str) -> tuple[dict[str, dict[Pair, float]], int]:
    """Return each listed pair's score by domain, and the number of repeated pairs. The table has the columns phrase,
    paraphrase, score and, optionally, domain.

    If a pair is repeated, its highest score counts. Raises TableError with every error: a missing column or cell, a
    score that is not a number, or a domain without labels.
    """
    stream = iter_phrase_table(data, name=name)
    faults: list[Fault] = []
    scores: dict[str, dict[Pair, float]] = {domain: {} for domain in domains}
    twice = 0
    for row, domain, pair in pair_rows(stream, faults, also="score"):
        if domain and domain not in scores:
            known = ", ".join(domains)
            faults.append(Fault(row.line, "domain", f"the domain “{domain}” has no labels. The domains are {known}"))
            continue
        cell = row.values.get(find_column(stream.columns, "score") or "score", "").strip()
        score = _number(cell)
        if not isfinite(score):
            faults.append(
                Fault(row.line, "score", f"“{cell[:40]}” is not a number. Each pair needs a score{decimal_hint(cell)}")
            )
            continue
        places = [scores[domain]] if domain else list(scores.values())
        twice += all(pair in place for place in places)
        for place in places:
            place[pair] = max(score, place.get(pair, score))
    raise_faults(name, faults)
    return scores, twice


def has_scores(data: bytes, *, name: str) -> bool:
    """Return whether a table without formatting errors has the column score. Raises TableError."""
    stream = iter_phrase_table(data, name=name)
    # In JSON Lines, a later row can add the column.
    return any(find_column(stream.columns, "score") is not None for _ in stream.rows)


def write_curves(domains: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the precision–recall curves of all domains as a CSV file with one row per threshold."""
    yield from write_csv(
        (
            [domain, *(f"{point[column]:g}" for column in CURVE_COLUMNS[1:4])]
            + [f"{point[column]:.4f}" for column in CURVE_COLUMNS[4:]]
            for domain, figures in domains.items()
            for point in figures["curve"]
        ),
        CURVE_COLUMNS,
    )


def _number(cell: str) -> float:
    try:
        return read_number(cell)
    except ValueError:
        return float("nan")
