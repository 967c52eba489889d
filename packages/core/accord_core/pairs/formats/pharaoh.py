"""The Pharaoh format of Moses and fast_align, which has one line per pair, such as `0-0 1-2`. A blank line represents a
pair without links.

Some variants of the format have possible links, written as `1?2` or `1p2`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from accord_core.exchange.faults import Fault, raise_faults
from accord_core.pairs.formats.corpus import Corpus, Links, SentencePair, notation
from accord_core.pairs.formats.places import by_place
from accord_core.pairs.formats.tabs import lines_or_blanks

NAME = "pharaoh"
SIGNS = ("?", "p")


def read_pharaoh(data: bytes, *, name: str, sentences: Corpus | None = None) -> Corpus:
    """Return the pairs in a file. Pharaoh files contain neither IDs nor sentences. Raises TableError."""
    faults: list[Fault] = []
    pairs = []
    lines = lines_or_blanks(data, name=name)
    places = by_place(len(lines), "line", sentences, faults)
    for number, (line, words) in enumerate(zip(lines, places, strict=True), start=1):
        links = Links(faults, sizes=words.sizes)
        links.add_notation(line, line=number, column=None)
        pairs.append(words._replace(alignment=links.alignment(), line=number))
    raise_faults(name, faults)
    return Corpus(name, NAME, sentences.ids if sentences else "none", pairs)


def write_pharaoh(pairs: Iterable[SentencePair], *, possible: str | None = None) -> Iterator[str]:
    """Yield one line for each sentence pair. `possible` is the separator for possible links: `?` or `p`. If `possible`
    is None, possible links are omitted.
    """
    for pair in pairs:
        yield notation(pair.alignment, possible=possible) + "\n"
