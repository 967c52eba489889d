"""Downloads for a chunk alignment study: `.wa` files, chunk files and all annotations."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from accord_core.chunks.formats.chunk_files import write_chunks
from accord_core.chunks.formats.ists import parse_wa, write_wa
from accord_core.chunks.formats.label_studio import label_studio_config
from accord_core.chunks.formats.registry import write_chunk_alignments
from accord_core.chunks.numerics.chunks import UNLINKED, ChunkLink, IstsPair
from alignment_ui.chunks import row_fields
from alignment_ui.chunks.answer import to_pair
from alignment_ui.chunks.columns import collected, columns
from alignment_ui.chunks.final_tables import FINAL_TABLES
from alignment_ui.chunks.model_export import MODEL
from alignment_ui.chunks.soft_links import SOFT_LINKS
from annotate.tasktypes import ANSWER_FILES, OTHER_FORMATS, Export, StudyData
from annotate.tasktypes.common_fields import LABEL_STUDIO_TASKS

TEXT = "text/plain; charset=utf-8"
Result = Mapping[str, Any] | None


def wa(data: StudyData, result: Result) -> Iterator[bytes]:
    """Export all sentence pairs, in item order. An unchanged pair is written exactly as it was imported."""
    return (text.encode() for text in write_wa(final_pairs(data)))


def final_pairs(data: StudyData) -> list[IstsPair]:
    """Return the final annotation of each pair or, if there is none, its imported annotation."""
    inputs = collected(columns(data))
    final = {inputs.asked[place].ref: pair for place, pair in inputs.final.items()}
    return [_as_it_came(item.key, item.content, final.get(item.key)) for item in data.items if not item.held_out]


def _as_it_came(key: str, content: Mapping[str, Any], final: IstsPair | None) -> IstsPair:
    text = content.get("_wa")
    if text is None:
        return final or IstsPair(key, tuple(content["source"]), tuple(content["target"]))
    [before] = parse_wa(text).pairs
    if final is None:
        return before
    if {_as_answered(link) for link in before.links} == set(final.links):
        return before
    return replace(before, links=tuple(_with_comment(link, before.links) for link in final.links))


def _as_answered(link: ChunkLink) -> ChunkLink:
    """Return a link without the parts that answers cannot contain: the comment and the score of an unlinked chunk."""
    return replace(link, comment=None, score=None if link.type in UNLINKED else link.score)


def _with_comment(link: ChunkLink, before: Iterable[ChunkLink]) -> ChunkLink:
    """Return a link with the comment, if any, from the matching link in the imported file."""
    return next((replace(link, comment=one.comment) for one in before if _as_answered(one) == link), link)


def chunks(side: str) -> Any:
    def write(data: StudyData, result: Result) -> Iterator[bytes]:
        """Export the sentences, one per line. A chunk whose words are not adjacent is written as several chunks."""
        for pair in final_pairs(data):
            tokens = getattr(pair, side)
            spans = pair.source_chunks if side == "source" else pair.target_chunks
            yield f"{write_chunks(tokens, _pieces(spans, len(tokens)))} \n".encode()

    return write


def _pieces(chunks: Iterable[tuple[int, ...]], size: int) -> list[tuple[int, ...]]:
    """Split chunks into runs of adjacent words. A word that is not in any chunk becomes a chunk of one word."""
    chunk_of = {token: number for number, chunk in enumerate(chunks) for token in chunk}
    pieces: list[list[int]] = []
    for token in range(size):
        here = chunk_of.get(token)
        if pieces and here is not None and chunk_of.get(token - 1) == here:
            pieces[-1].append(token)
        else:
            pieces.append([token])
    return [tuple(piece) for piece in pieces]


def in_format(format_name: str) -> Any:
    """Return a function that exports the final annotations in a format from `formats/registry.py`."""

    def write(data: StudyData, result: Result) -> Iterator[bytes]:
        return (text.encode() for text in write_chunk_alignments(final_pairs(data), format_name))

    return write


def label_studio_settings(data: StudyData, result: Result) -> Iterator[bytes]:
    """Export the labelling configuration, which is the same for all studies."""
    yield label_studio_config().encode()


def every_annotation(data: StudyData, result: Result) -> Iterator[bytes]:
    """Export all counted answers, one per line."""
    payloads = {question.ref: question.payload for question in data.questions}
    for row in data.answers:
        if row.counts:
            annotation = {
                "pair": row.ref,
                "annotator": row.pseudonym,
                "source": payloads[row.ref]["source"],
                "target": payloads[row.ref]["target"],
                **row.value,
                "seconds": row.seconds,
            }
            yield (json.dumps(annotation, ensure_ascii=False) + "\n").encode()


def by_annotator(data: StudyData, result: Result) -> Iterator[bytes]:
    """Export all counted answers to one `.wa` file, with the annotator's pseudonym as the status of each pair."""
    payloads = {question.ref: question.payload for question in data.questions}
    rows = sorted((row for row in data.answers if row.counts), key=lambda row: (row.pseudonym, row.ref))
    pairs = (replace(to_pair(row.ref, payloads[row.ref], row.value), status=row.pseudonym) for row in rows)
    return (text.encode() for text in write_wa(pairs))


EXPORTS = (
    Export("alignment.wa", TEXT, "final annotations in the format of the official checker and scorer", wa),
    *FINAL_TABLES,
    MODEL,
    SOFT_LINKS,
    Export(
        "label-studio.json",
        "application/json",
        "final annotations as tasks of Label Studio, with chunks as regions and links as relations",
        in_format("label-studio"),
        note="The file label-studio.xml contains the labelling configuration of a Label "
        "Studio project for these tasks.",
        group=OTHER_FORMATS,
        rows=LABEL_STUDIO_TASKS,
    ),
    Export(
        "label-studio.xml",
        "application/xml",
        "labelling configuration of a Label Studio project for label-studio.json",
        label_studio_settings,
        group=OTHER_FORMATS,
    ),
    Export(
        "webanno.tsv",
        "text/tab-separated-values; charset=utf-8",
        "final annotations as a document in the format WebAnno TSV 3.3, for INCEpTION",
        in_format("webanno"),
        note="The INCEpTION project needs the layers named in the first lines of the file.",
        header=False,
        group=OTHER_FORMATS,
    ),
    Export(
        "annotations.wa",
        TEXT,
        "every annotation, with the annotator in the status attribute",
        by_annotator,
        group=ANSWER_FILES,
    ),
    Export(
        "annotations.jsonl",
        "application/jsonl",
        "every annotation, with its time in seconds and its log",
        every_annotation,
        group=ANSWER_FILES,
        rows=row_fields.ANNOTATIONS,
    ),
    Export(
        "sent1.chunk.txt",
        TEXT,
        "first sentences with their chunks in brackets",
        chunks("source"),
        note="Brackets cannot represent a chunk whose words are not adjacent. In the file, a chunk whose words are not "
        "adjacent is split into several chunks.",
        group=ANSWER_FILES,
        rows=row_fields.CHUNKS,
    ),
    Export(
        "sent2.chunk.txt",
        TEXT,
        "second sentences with their chunks in brackets",
        chunks("target"),
        note="Brackets cannot represent a chunk whose words are not adjacent. In the file, a chunk whose words are not "
        "adjacent is split into several chunks.",
        group=ANSWER_FILES,
        rows=row_fields.CHUNKS,
    ),
)
