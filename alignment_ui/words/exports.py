"""Downloads for a word alignment study, in the usual file formats for word alignments.

Files of final alignments contain the pairs that have a final alignment, in the order of their import. In formats
without IDs, the lines therefore match the lines of `pairs.tsv`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from accord_core.exchange.csvtext import write_csv
from accord_core.pairs.formats.corpus import SentencePair, notation
from accord_core.pairs.formats.label_studio import CONFIG
from accord_core.pairs.formats.registry import write_alignments
from accord_core.pairs.formats.tabs import tab_line
from accord_core.pairs.numerics.links import Alignment
from accord_core.words.numerics.phrases import PhrasePair, atomic_phrase_pairs, phrase_pairs, without_identical
from alignment_ui.words import row_fields
from alignment_ui.words.columns import Collected, Pair, collected, columns
from alignment_ui.words.rounds import start_of
from alignment_ui.words.soft_links import SOFT_LINKS
from annotate.tasktypes import ANSWER_FILES, OTHER_FORMATS, Columns, Export, StudyData
from annotate.tasktypes.common_fields import LABEL_STUDIO_TASKS

CSV = "text/csv; charset=utf-8"
TSV = "text/tab-separated-values; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
Result = Mapping[str, Any] | None
Write = Callable[[StudyData, Result], Iterable[bytes]]


def final(format_name: str) -> Write:
    """Return a function that exports the final alignments in one of the formats in `accord_core.pairs.formats`."""

    def write(data: StudyData, result: Result) -> Iterator[bytes]:
        return _finals_in(columns(data), format_name)

    return write


def final_of_columns(stored: Columns) -> Iterator[bytes]:
    """Export the final alignments of a report's columns, in the jacana format."""
    return _finals_in(stored, "jacana")


def _finals_in(stored: Columns, format_name: str) -> Iterator[bytes]:
    pairs = [
        SentencePair(pair.ref, tuple(pair.source), tuple(pair.target), alignment)
        for pair, alignment, _ in _finals(collected(stored))
    ]
    for chunk in write_alignments(pairs, format_name):
        yield chunk.encode() if isinstance(chunk, str) else chunk


def model(data: StudyData, result: Result) -> Iterator[bytes]:
    """Export the most probable alignments under the annotator error model, in jacana format."""
    inputs = collected(columns(data))
    alignments = list(inputs.modelled.alignments())
    pairs = [
        SentencePair(pair.ref, tuple(pair.source), tuple(pair.target), alignment)
        for pair, alignment in ((inputs.pairs[place], alignments[place]) for place in inputs.final)
        if alignment is not None
    ]
    for chunk in write_alignments(pairs, "jacana"):
        yield chunk.encode() if isinstance(chunk, str) else chunk


def pairs(data: StudyData, result: Result) -> Iterator[bytes]:
    """Export the pairs that have a final alignment, with their number of annotators, the alignment and the metadata.
    The exported file can be imported into another study.
    """
    header = ("id", "subcorpus", "annotators", "decided", "source", "target", "alignment")
    of_items = {item.key: item.metadata for item in data.items}
    metadata = {question.ref: of_items[question.payload["item"]] for question in data.questions}
    names = dict.fromkeys(name for row in of_items.values() for name in row)
    further = [name for name in names if name not in (*header, data.facts["options"]["subcorpus"])]
    rows = (
        (
            pair.ref,
            pair.subcorpus,
            str(annotators),
            "kept" if pair.kept else "yes" if pair.is_decided else "",
            " ".join(pair.source),
            " ".join(pair.target),
            notation(alignment),
            *(metadata[pair.ref].get(name, "") for name in further),
        )
        for pair, alignment, annotators in _finals(collected(columns(data)))
    )
    return _tsv((*header, *further), rows)


def every_annotation(data: StudyData, result: Result) -> Iterator[bytes]:
    """Export every alignment that counts, one per line, with its initial links and log."""
    began = {question.ref: start_of(question.payload, None) for question in data.questions}
    for row in data.answers:
        if row.counts:
            annotation = {
                "pair": row.ref,
                "annotator": row.pseudonym,
                "sure": row.value["sure"],
                "possible": row.value["possible"],
                "prealignment": began[row.ref],
                "seconds": row.seconds,
                "log": row.value["log"],
            }
            yield (json.dumps(annotation, ensure_ascii=False) + "\n").encode()


def phrases(data: StudyData, result: Result) -> Iterator[bytes]:
    """Export the phrase pairs of the final alignments: once from the sure links only, and once from all links."""
    header = ("pair", "subcorpus", "links", "kind", "identical", "source", "target", "source_tokens", "target_tokens")
    rows = (
        (
            pair.ref,
            pair.subcorpus,
            links,
            kind,
            "yes" if identical else "",
            " ".join(pair.source[phrase.source_start : phrase.source_end]),
            " ".join(pair.target[phrase.target_start : phrase.target_end]),
            f"{phrase.source_start}-{phrase.source_end - 1}",
            f"{phrase.target_start}-{phrase.target_end - 1}",
        )
        for pair, alignment, _ in _finals(collected(columns(data)))
        for links in ("sure", "all")
        for phrase, kind, identical in kinds_of_phrases(pair, alignment, links)
    )
    return _tsv(header, rows)


def label_studio_config(data: StudyData, result: Result) -> Iterator[bytes]:
    """Export the labelling configuration, which is the same for all studies."""
    yield CONFIG.encode()


def edits(data: StudyData, result: Result) -> Iterator[bytes]:
    """Export the logs of the counted answers, one log entry per row."""
    rows = (
        [row.ref, row.pseudonym, str(number), str(at), operation, means, " ".join(f"{i}-{j}" for i, j in links)]
        for row in data.answers
        if row.counts
        for number, (at, operation, means, links) in enumerate(row.value["log"], start=1)
    )
    header = ["pair", "annotator", "entry", "milliseconds", "operation", "means", "links"]
    return (chunk.encode() for chunk in write_csv(rows, header))


def kinds_of_phrases(pair: Pair, alignment: Alignment, links: str) -> list[tuple[PhrasePair, str, bool]]:
    """Return the phrase pairs that follow from the `sure` links or from `all` links. Each phrase pair has a kind and a
    flag for identical phrases.
    """
    chosen = alignment.sure if links == "sure" else alignment.links
    sizes = (len(pair.source), len(pair.target))
    atoms = set(atomic_phrase_pairs(chosen, *sizes))
    extracted = phrase_pairs(chosen, *sizes)
    differing = set(without_identical(extracted, pair.source, pair.target))
    return [(phrase, "atomic" if phrase in atoms else "composite", phrase not in differing) for phrase in extracted]


def _finals(inputs: Collected) -> Iterator[tuple[Pair, Alignment, int]]:
    """Yield each pair with its final alignment and number of annotators, in the order of import."""
    for place, alignment in inputs.final.items():
        yield inputs.pairs[place], alignment, len(inputs.answers.get(place, ()))


def _tsv(header: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[bytes]:
    # Metadata can contain tabs. Tokens cannot.
    for row in (header, *rows):
        yield tab_line(" ".join(cell.split("\t")) for cell in row).encode()


FINAL = (
    "The final alignment is a researcher’s decision, the only annotator's links, or the links that more than half of "
    "the annotators drew. A link is sure if more than half of them marked it as sure."
)
EXPORTS = (
    Export(
        "alignments.json",
        "application/json",
        "final alignments with their sentences, in the jacana format",
        final("jacana"),
        note=FINAL,
        of_columns=final_of_columns,
        rows=row_fields.JACANA,
    ),
    Export(
        "alignments.model.json",
        "application/json",
        "most probable alignments under a model of the annotators’ errors, in the jacana format",
        model,
        note="The model estimates the error rates of each annotator. A researcher’s decision replaces the alignment. "
        "The links of a pair with only one annotator, and links on which all annotators agree, do not change.",
        rows=row_fields.JACANA,
    ),
    Export(
        "alignments.wa",
        TEXT,
        "final alignments in the format of the WPT and NAACL shared tasks",
        final("wpt"),
        note="If all pair IDs are numbers, these IDs are used. Otherwise, pairs are numbered as in pairs.tsv. A pair "
        "without links has no line in the file.",
        rows=row_fields.WPT,
    ),
    Export(
        "alignments.pharaoh",
        TEXT,
        "final sure links, one line per pair, in the Pharaoh format (Moses)",
        final("pharaoh"),
        note="The format cannot represent possible links, IDs or sentences. The lines are in the order of "
        "your pairs, as in pairs.tsv.",
        rows=row_fields.PHARAOH,
    ),
    Export(
        "label-studio.json",
        "application/json",
        "final alignments as tasks of Label Studio, with the sentences",
        final("label-studio"),
        note="The file label-studio.xml contains the labelling configuration of a Label "
        "Studio project for these tasks.",
        group=OTHER_FORMATS,
        rows=LABEL_STUDIO_TASKS,
    ),
    Export(
        "label-studio.xml",
        "application/xml",
        "labelling configuration of a Label Studio project for label-studio.json",
        label_studio_config,
        group=OTHER_FORMATS,
    ),
    Export(
        "webanno.tsv",
        TSV,
        "final alignments as a document in the format WebAnno TSV 3.3, for INCEpTION",
        final("webanno"),
        note="The INCEpTION project needs the layers named in the first lines of the file.",
        header=False,
        group=OTHER_FORMATS,
    ),
    Export(
        "pairs.tsv",
        TSV,
        "pairs with their metadata and final alignment, written as 0-0 1?2",
        pairs,
        note="In the column decided, yes marks a researcher’s alignment. The value kept means that a researcher "
        "accepted all alignments, and the links that more than half of the annotators drew are final.",
        item_column="id",
        rows=row_fields.PAIRS,
    ),
    SOFT_LINKS,
    Export(
        "annotations.jsonl",
        "application/jsonl",
        "every alignment that counts, with its annotator, time and log",
        every_annotation,
        group=ANSWER_FILES,
        rows=row_fields.ANNOTATIONS,
    ),
    Export(
        "phrases.tsv",
        TSV,
        "phrase pairs of the final alignments, atomic and composite",
        phrases,
        item_column="pair",
        rows=row_fields.PHRASES,
    ),
    Export(
        "edits.csv",
        CSV,
        "the edit log: each operation with its links, time and input method",
        edits,
        group=ANSWER_FILES,
        rows=row_fields.EDITS,
    ),
)
