"""The publications that a text cites, as BibTeX and as lines for readers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from annotate.tasktypes import Publication

_ACCENTS = {"{\\~n}": "ñ"}
_VENUES = ("journal", "booktitle", "publisher", "institution")


def bibtex(publications: Sequence[Publication]) -> str:
    """Return the entries as a BibTeX file, sorted by key."""
    return "\n".join(_entry(each) for each in sorted(publications, key=lambda each: each.key))


def _entry(publication: Publication) -> str:
    fields = "".join(f"  {name} = {{{value}}},\n" for name, value in publication.fields.items())
    return f"@{publication.kind}{{{publication.key},\n{fields}}}\n"


def reference(publication: Publication) -> str:
    """Return an entry as one line, such as “Joseph L. Fleiss. 1971. Measuring … Bulletin, 76(5):378–382.”"""
    fields = publication.fields
    authors = [_full_name(author) for author in fields["author"].split(" and ")]
    listed = " and ".join([", ".join(authors[:-1]), authors[-1]] if len(authors) > 1 else authors)
    venue = next((fields[name] for name in _VENUES if name in fields), "")
    if "volume" in fields:
        venue += f", {fields['volume']}" + (f"({fields['number']})" if "number" in fields else "")
    if "pages" in fields:
        venue += f"{':' if 'volume' in fields else ', pages '}{fields['pages']}"
    return _plain(f"{listed}. {fields['year']}. {fields['title']}. {venue}.".replace("..", "."))


def _full_name(author: str) -> str:
    last, _, first = author.partition(", ")
    return f"{first} {last}" if first else last


def _plain(text: str) -> str:
    for accent, letter in _ACCENTS.items():
        text = text.replace(accent, letter)
    return re.sub(r"[{}]", "", text).replace("--", "–")
