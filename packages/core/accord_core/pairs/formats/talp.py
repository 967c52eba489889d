"""The TALP format, with one line per pair for its sure and possible links, such as `1s1 2p3`. Token numbers start at 1,
and the number 0 means NULL.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from accord_core.exchange.cells import shorten
from accord_core.exchange.faults import Fault, raise_faults
from accord_core.numerics.printed import with_noun
from accord_core.pairs.formats.corpus import Corpus, Links, SentencePair, each_link
from accord_core.pairs.formats.places import by_place
from accord_core.pairs.formats.tabs import lines_or_blanks

NAME = "talp"
_LINK = re.compile(r"(\d{1,9})([sp])(\d{1,9})", re.ASCII | re.IGNORECASE)


def read_talp(data: bytes, *, name: str, sentences: Corpus | None = None) -> Corpus:
    """Return the pairs in a file. Files in the TALP format contain neither IDs nor sentences. Raises TableError."""
    faults: list[Fault] = []
    pairs = []
    null = 0
    lines = lines_or_blanks(data, name=name)
    places = by_place(len(lines), "line", sentences, faults)
    for number, (line, words) in enumerate(zip(lines, places, strict=True), start=1):
        links = Links(faults, base=1, sizes=words.sizes)
        for text in line.split():
            if found := _LINK.fullmatch(text):
                kind = found[2] in "pP"
                links.add(int(found[1]), int(found[3]), possible=kind, line=number, column=None, text=text)
            else:
                message = f"{shorten(text)!r} is not a link. Write a sure link as 3s4, and a possible link as 3p4"
                faults.append(Fault(number, None, message))
        null += links.null
        pairs.append(words._replace(alignment=links.alignment(), line=number))
    raise_faults(name, faults)
    notes = [f"{with_noun(null, 'link')} to NULL excluded"] if null else []
    return Corpus(name, NAME, sentences.ids if sentences else "none", pairs, notes)


def write_talp(pairs: Iterable[SentencePair]) -> Iterator[str]:
    for pair in pairs:
        links = (f"{i + 1}{'p' if possible else 's'}{j + 1}" for i, j, possible in each_link(pair.alignment))
        yield " ".join(links) + "\n"
