"""The formats for chunk alignments, with their names, detection, readers and writers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from accord_core.chunks.formats import label_studio, webanno
from accord_core.chunks.formats.ists import read_wa, wa_text, write_wa
from accord_core.chunks.formats.ists_check import check_pairs, check_wa
from accord_core.chunks.formats.ists_links import BrokenRule
from accord_core.chunks.numerics.chunks import IstsPair
from accord_core.exchange.encoding import as_utf8
from accord_core.exchange.faults import Fault, TableError
from accord_core.numerics.printed import with_noun
from accord_core.pairs.formats.registry import of_annotation_tool

WA = "wa"
TITLES = {WA: ".wa", label_studio.NAME: "Label Studio", webanno.NAME: "WebAnno TSV"}
_WRITE: dict[str, Callable[[Iterable[IstsPair]], Iterator[str]]] = {
    WA: write_wa,
    label_studio.NAME: label_studio.write_label_studio,
    webanno.NAME: webanno.write_webanno,
}


def is_wa(data: bytes) -> bool:
    """Return whether the beginning of a file contains tags of the `.wa` format. Tables do not contain such tags."""
    return b"<sentence id=" in data[:4096]


def detect(data: bytes) -> str | None:
    """Return the format of a chunk alignment file, or None for any other file."""
    return WA if is_wa(data) else of_annotation_tool(data)


def read_chunk_alignments(
    data: bytes, *, name: str, format_name: str | None = None
) -> tuple[list[IstsPair], list[str]]:
    """Return the pairs in a file, and notes about content that was excluded.

    The format is detected if `format_name` is None. Raises TableError with every error, or if the format is unknown.
    """
    data = as_utf8(data, name=name)
    chosen = format_name or detect(data)
    if chosen == WA:
        return read_wa(data, name=name), []
    if chosen == webanno.NAME:
        return webanno.read_webanno(data, name=name), []
    if chosen == label_studio.NAME:
        pairs, further = label_studio.read_label_studio(data, name=name)
        notes = [f"{with_noun(further, 'further annotation')} of the same tasks excluded"] if further else []
        return pairs, notes
    raise TableError.of_file(
        name, f"the file does not contain chunk alignments in one of the formats {', '.join(TITLES)}"
    )


class CheckedAlignments(NamedTuple):
    """The pairs in a file, notes about content that was excluded, and all errors.

    A file with `malformed` lines cannot be read completely. `against_guidelines` contains violations of the guidelines
    in the readable pairs, by the names of the rules. Both lists are in line order.
    """

    pairs: list[IstsPair]
    notes: list[str]
    malformed: list[Fault]
    against_guidelines: list[BrokenRule]


def check_chunk_alignments(
    data: bytes, *, name: str, many_to_many: bool | None, annotated_only: bool = False
) -> CheckedAlignments:
    """Read a file and check it against the guidelines, as `accord ists check --strict` does. `many_to_many` and
    `annotated_only` have the same meanings as in `check_wa`. Raises TableError for text in an unknown encoding.
    """
    data = as_utf8(data, name=name)
    if detect(data) == WA:
        text = wa_text(data, name=name)
        checked = check_wa(text, strict=True, many_to_many=many_to_many, annotated_only=annotated_only)
        malformed = [each.fault for each in checked.malformed]
        return CheckedAlignments(checked.pairs, [], malformed, checked.against_guidelines)
    try:
        pairs, notes = read_chunk_alignments(data, name=name)
    except TableError as error:
        return CheckedAlignments([], [], list(error.faults), [])
    return CheckedAlignments(
        pairs, notes, [], check_pairs(pairs, many_to_many=many_to_many, annotated_only=annotated_only)
    )


def write_chunk_alignments(pairs: Sequence[IstsPair], format_name: str) -> Iterator[str]:
    """Yield the text of a file. Content that the format cannot store is omitted (see `losses`)."""
    return _WRITE[format_name](pairs)


def losses(pairs: Sequence[IstsPair], format_name: str) -> list[str]:
    """Return a note for each type of content that a format cannot store, with the number of occurrences."""
    if format_name == WA:
        return []
    links = [link for pair in pairs for link in pair.links]
    lost = []
    if comments := sum(_is_own_comment(link.comment) for link in links):
        lost.append(with_noun(comments, "comment"))
    if statuses := sum(bool(pair.status) for pair in pairs):
        lost.append(f"the status of {with_noun(statuses, 'sentence pair')}")
    if empty := sum(not (link.source or link.target) for link in links):
        lost.append(with_noun(empty, "link") + " without tokens")
    return lost


def _is_own_comment(comment: str | None) -> bool:
    """Return whether a comment contains anything other than the words of the two chunks, which annotation tools write
    there.
    """
    return bool(comment) and "<==>" not in (comment or "")
