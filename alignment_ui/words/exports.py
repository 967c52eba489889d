"""Files that a word-alignment study can be downloaded as, in the formats of the field.

Files of final alignments hold the pairs that have one, in the order in which they are asked: `pairs.tsv` and the lines
of a format without ids go together.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from alignment_ui.pairs.formats.corpus import SentencePair, notation
from alignment_ui.pairs.formats.registry import write_alignments
from alignment_ui.pairs.formats.tabs import tab_line
from alignment_ui.pairs.numerics.links import Alignment
from alignment_ui.words.columns import Collected, Pair, collected, columns
from alignment_ui.words.numerics.phrases import PhrasePair, atomic_phrase_pairs, phrase_pairs, without_identical
from annotate.exchange.csvtext import write_csv
from annotate.tasktypes import Export, StudyData

CSV = "text/csv; charset=utf-8"
TSV = "text/tab-separated-values; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
Result = Mapping[str, Any] | None
Write = Callable[[StudyData, Result], Iterable[bytes]]


def final(format_name: str) -> Write:
    """The final alignments in one of `alignment_ui.pairs.formats`."""

    def write(data: StudyData, result: Result) -> Iterator[bytes]:
        pairs = [
            SentencePair(pair.ref, tuple(pair.source), tuple(pair.target), alignment)
            for pair, alignment, _ in _finals(collected(columns(data)))
        ]
        for chunk in write_alignments(pairs, format_name):
            yield chunk.encode() if isinstance(chunk, str) else chunk

    return write


def pairs(data: StudyData, result: Result) -> Iterator[bytes]:
    """The pairs with a final alignment, and whose it is; the file can be brought into another study."""
    header = ("id", "subcorpus", "annotators", "decided", "source", "target", "alignment")
    rows = (
        (
            pair.ref, pair.subcorpus, str(annotators), "yes" if pair.decided is not None else "",
            " ".join(pair.source), " ".join(pair.target), notation(alignment),
        )
        for pair, alignment, annotators in _finals(collected(columns(data)))
    )  # fmt: skip
    return _tsv(header, rows)


def every_annotation(data: StudyData, result: Result) -> Iterator[bytes]:
    """Every alignment that counts, one a line, with what its annotator began from and the log of how it was drawn."""
    began = {question.ref: question.payload["prealignment"] for question in data.questions}
    for row in data.answers:
        if row.counts:
            said = {
                "pair": row.ref,
                "annotator": row.pseudonym,
                "sure": row.value["sure"],
                "possible": row.value["possible"],
                "prealignment": began[row.ref],
                "seconds": row.seconds,
                "log": row.value["log"],
            }
            yield (json.dumps(said, ensure_ascii=False) + "\n").encode()


def phrases(data: StudyData, result: Result) -> Iterator[bytes]:
    """Every phrase pair that follows from the sure links, and from all links, of the final alignments."""
    header = ("pair", "subcorpus", "links", "kind", "identical", "source", "target", "source_tokens", "target_tokens")
    rows = (
        (
            pair.ref, pair.subcorpus, links, kind, "yes" if identical else "",
            " ".join(pair.source[phrase.source_start : phrase.source_end]),
            " ".join(pair.target[phrase.target_start : phrase.target_end]),
            f"{phrase.source_start}-{phrase.source_end - 1}", f"{phrase.target_start}-{phrase.target_end - 1}",
        )
        for pair, alignment, _ in _finals(collected(columns(data)))
        for links in ("sure", "all")
        for phrase, kind, identical in kinds_of_phrases(pair, alignment, links)
    )  # fmt: skip
    return _tsv(header, rows)


def edits(data: StudyData, result: Result) -> Iterator[bytes]:
    """The logs of the answers that count, one entry a row."""
    rows = (
        [row.ref, row.pseudonym, str(number), str(at), operation, means, " ".join(f"{i}-{j}" for i, j in links)]
        for row in data.answers
        if row.counts
        for number, (at, operation, means, links) in enumerate(row.value["log"], start=1)
    )
    header = ["pair", "annotator", "entry", "milliseconds", "operation", "means", "links"]
    return (chunk.encode() for chunk in write_csv(rows, header))


def kinds_of_phrases(pair: Pair, alignment: Alignment, links: str) -> list[tuple[PhrasePair, str, bool]]:
    """The phrase pairs of an alignment's `sure` or `all` links: each, whether it is atomic, whether it is identical."""
    chosen = alignment.sure if links == "sure" else alignment.links
    sizes = (len(pair.source), len(pair.target))
    atoms = set(atomic_phrase_pairs(chosen, *sizes))
    found = phrase_pairs(chosen, *sizes)
    differing = set(without_identical(found, pair.source, pair.target))
    return [(phrase, "atomic" if phrase in atoms else "composite", phrase not in differing) for phrase in found]


def _finals(found: Collected) -> Iterator[tuple[Pair, Alignment, int]]:
    """Each pair with its final alignment and the number of its annotators, in the order of the design."""
    for place, alignment in found.final.items():
        yield found.pairs[place], alignment, len(found.answers.get(place, ()))


def _tsv(header: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[bytes]:
    # Tokens have no tabs in them; the metadata may.
    for row in (header, *rows):
        yield tab_line(" ".join(cell.split("\t")) for cell in row).encode()


FINAL = "What a researcher decided, or the one annotator drew, or more than half of several: sure where all say so."
EXPORTS = (
    Export("alignments.json", "application/json", "final alignments with their sentences, as jacana reads them",
           final("jacana"), note=FINAL),
    Export("alignments.wa", TEXT, "final alignments, as the WPT and NAACL shared tasks write them", final("wpt"),
           note="Pairs go by their place in pairs.tsv unless their ids are numbers; one without links has no line."),
    Export("alignments.pharaoh", TEXT, "final sure links, one line a pair, as Moses reads them", final("pharaoh"),
           note="Possible links, ids and sentences have no place in it. Lines are those of pairs.tsv."),
    Export("pairs.tsv", TSV, "the pairs that have a final alignment, and the alignment as 0-0 1?2", pairs),
    Export("annotations.jsonl", "application/x-ndjson", "each annotator’s alignments that count, with time and log",
           every_annotation),
    Export("phrases.tsv", TSV, "phrase pairs of the final alignments, atomic and composite", phrases),
    Export("edits.csv", CSV, "the logs: what was done to which links, when, by which means", edits),
)  # fmt: skip
