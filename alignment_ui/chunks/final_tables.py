"""Downloads that contain the final annotations as a table of sentence pairs and a table of links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from accord_core.chunks.formats.ists_links import ARROW, score_name, type_and_flags
from accord_core.chunks.numerics.chunks import FLAGS, ChunkLink, IstsPair
from accord_core.exchange.csvtext import write_csv
from alignment_ui.chunks import row_fields
from alignment_ui.chunks.columns import Asked, Collected, collected, columns
from annotate.tasktypes import Columns, Export, StudyData

CSV = "text/csv; charset=utf-8"
PAIRS = ("id", "dataset", "annotators", "decided", "source", "target", "links")
LINKS = ("pair", "dataset", "type", "flags", "score", "source", "target", "source_tokens", "target_tokens")
BETWEEN = ";;"


def final_pairs_table(data: StudyData, result: Mapping[str, Any] | None) -> Iterator[bytes]:
    """Yield one row for each sentence pair that has a final annotation, with all its links in one cell, followed by the
    other columns of its file.
    """
    return final_pairs_of_columns(columns(data))


def final_pairs_of_columns(stored: Columns) -> Iterator[bytes]:
    """Yield the same table from a report's columns."""
    inputs = collected(stored)
    names = dict.fromkeys(name for asked in inputs.asked for name in asked.metadata)
    further = [name for name in names if name not in PAIRS]
    rows = (
        [
            asked.ref,
            asked.dataset,
            str(len(inputs.answers.get(place, ()))),
            "kept" if asked.kept else "yes" if asked.is_decided else "",
            " ".join(pair.source),
            " ".join(pair.target),
            BETWEEN.join(_notation(link) for link in pair.links),
            *(asked.metadata.get(name, "") for name in further),
        ]
        for place, asked, pair in _finals(inputs)
    )
    return (chunk.encode() for chunk in write_csv(rows, [*PAIRS, *further]))


def final_links_table(data: StudyData, result: Mapping[str, Any] | None) -> Iterator[bytes]:
    """Yield one row for each link of the final annotations.

    An unlinked chunk has an empty side. Token numbers start at 1, as in `.wa` files.
    """
    rows = (
        [
            asked.ref,
            asked.dataset,
            link.type,
            " ".join(flag for flag in FLAGS if flag in link.flags),
            "" if link.score is None else score_name(link.score),
            _words(link.source, pair.source),
            _words(link.target, pair.target),
            _numbers(link.source),
            _numbers(link.target),
        ]
        for _, asked, pair in _finals(collected(columns(data)))
        for link in pair.links
    )
    return (chunk.encode() for chunk in write_csv(rows, LINKS))


def _finals(inputs: Collected) -> Iterator[tuple[int, Asked, IstsPair]]:
    """Yield the position, question and final annotation of each pair that has one, in the order of import."""
    for place in sorted(inputs.final, key=lambda place: inputs.asked[place].number):
        yield place, inputs.asked[place], inputs.final[place]


def _notation(link: ChunkLink) -> str:
    """Return a link in the notation of `.wa` files, without a comment."""
    tokens = f" {ARROW} ".join(_numbers(side) or "0" for side in (link.source, link.target))
    return f"{tokens} // {type_and_flags(link)} // {score_name(link.score)}"


def _words(chunk: Iterable[int], sentence: Sequence[str]) -> str:
    return " ".join(sentence[token] for token in chunk)


def _numbers(chunk: Iterable[int]) -> str:
    return " ".join(str(token + 1) for token in chunk)


FINAL_TABLES = (
    Export(
        "pairs.csv",
        CSV,
        "sentence pairs with their final links, in the format of a table of gold questions",
        final_pairs_table,
        note="The table does not include pairs without annotations. The column links contains the lines of a .wa "
        "file, without comments and separated by ;;. In the column decided, yes marks a researcher’s "
        "annotation. The value kept means that a researcher accepted all annotations, and the one that agrees "
        "best with the others is final.",
        item_column="id",
        of_columns=final_pairs_of_columns,
        rows=row_fields.PAIRS,
    ),
    Export(
        "links.csv",
        CSV,
        "links of the final annotations, one per row",
        final_links_table,
        note="Unlinked chunks have the type NOALI or ALIC, and one of their sides is empty.",
        item_column="pair",
        rows=row_fields.LINKS,
    ),
)
