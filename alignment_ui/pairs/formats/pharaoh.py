"""Pharaoh, as Moses and fast_align write it: `0-0 1-2`, one line a pair; a blank line is a pair without links.

`1?2` and `1p2` are possible links, in dialects that have any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from alignment_ui.pairs.formats.corpus import Corpus, Links, SentencePair, notation
from alignment_ui.pairs.formats.places import by_place
from alignment_ui.pairs.formats.tabs import lines_or_blanks
from annotate.exchange.faults import Fault, TableError

NAME = "pharaoh"
SIGNS = ("?", "p")


def read_pharaoh(data: bytes, *, name: str, sentences: Corpus | None = None) -> Corpus:
    """The pairs of a file, which knows neither ids nor sentences. Raises TableError."""
    faults: list[Fault] = []
    pairs = []
    lines = lines_or_blanks(data, name=name)
    places = by_place(len(lines), "line", sentences, faults)
    for number, (line, words) in enumerate(zip(lines, places, strict=True), start=1):
        links = Links(faults, sizes=words.sizes)
        links.add_notation(line, line=number, column=None)
        pairs.append(words._replace(alignment=links.alignment(), line=number))
    if faults:
        raise TableError(name, faults)
    return Corpus(name, NAME, sentences.ids if sentences else "none", pairs)


def write_pharaoh(pairs: Iterable[SentencePair], *, possible: str | None = None) -> Iterator[str]:
    """One line a pair. `possible` is the sign of possible links, `?` or `p`; without one they are left out."""
    for pair in pairs:
        yield notation(pair.alignment, possible=possible) + "\n"
