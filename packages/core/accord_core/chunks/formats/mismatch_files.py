"""Writer for CSV files that list the differences between a system's links and the gold links of interpretable STS."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from accord_core.chunks.formats.ists_links import score_name, type_and_flags
from accord_core.chunks.numerics.chunks import ChunkLink
from accord_core.chunks.numerics.mismatches import Mismatch, Mismatches
from accord_core.exchange.csvtext import write_csv

COLUMNS = (
    "id",
    "mismatch",
    "gold_source",
    "gold_target",
    "gold_type",
    "gold_score",
    "system_source",
    "system_target",
    "system_type",
    "system_score",
    "score_difference",
)


def write_mismatches(found: Mismatches) -> Iterator[str]:
    """Yield a CSV file with one row per difference. The cells of a missing link are empty."""
    yield from write_csv((_row(each) for each in found.rows), COLUMNS)


def difference_cells(each: Mismatch) -> dict[str, str]:
    """Return the cells for a difference, by column name."""
    return dict(zip(COLUMNS, _row(each), strict=True))


def _row(each: Mismatch) -> list[str]:
    difference = each.score_difference
    return [
        each.pair,
        each.kind,
        *_cells(each.gold, each.source, each.target),
        *_cells(each.system, each.source, each.target),
        "" if difference is None else score_name(difference),
    ]


def _cells(link: ChunkLink | None, source: Sequence[str], target: Sequence[str]) -> list[str]:
    if link is None:
        return ["", "", "", ""]
    return [words(link.source, source), words(link.target, target), type_and_flags(link), score_name(link.score)]


def words(chunk: Sequence[int], sentence: Sequence[str]) -> str:
    """Return the words of a chunk. A token number beyond the end of the sentence is shown as a number, such as #12."""
    return " ".join(sentence[token] if token < len(sentence) else f"#{token + 1}" for token in chunk)
