"""Lists of a system's phrase pairs, either as written by `accord align phrases` or without positions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from accord_core.exchange.cells import shorten
from accord_core.exchange.faults import Fault, raise_faults
from accord_core.pairs.formats.corpus import SentencePair
from accord_core.pairs.formats.tabs import iter_cells
from accord_core.pairs.formats.tokens import split_tokens
from accord_core.pairs.numerics.links import KINDS, Kind
from accord_core.words.numerics.phrase_lists import ListedPhrase
from accord_core.words.numerics.phrases import PhrasePair

_SPAN = re.compile(r"(\d{1,6}):(\d{1,6})", re.ASCII)
PHRASES = ("source", "target")
SPANS = ("source_span", "target_span")


def read_phrase_list(data: bytes, pairs: Sequence[SentencePair], *, name: str) -> list[ListedPhrase]:
    """Return the phrase pairs of a tab-separated file, in file order.

    The header contains `source` and `target`, and any of the columns `pair`, `links`, `kind`, `source_span` and
    `target_span`, as written by `accord align phrases`. Other columns are ignored. A file without a header has the
    phrases in its first two columns. `pair` is the ID or the number of one of the `pairs`. With spans, a phrase pair
    has a place in this pair. Raises TableError with all errors: an unknown pair, a span outside its sentence or with
    different words than the phrase, or an empty phrase.
    """
    faults: list[Fault] = []
    rows = list(_rows(data, name, faults))
    by_id = {pair.id: place for place, pair in enumerate(pairs) if pair.id}
    by_number = {str(number): place for place, number in enumerate(range(1, len(pairs) + 1))}
    phrases = []
    for line, cells in rows:
        before = len(faults)
        source, target = (tuple(split_tokens(cells.get(side, ""))) for side in PHRASES)
        faults += [
            Fault(line, side, "the phrase is empty")
            for side, words in zip(PHRASES, (source, target), strict=True)
            if not words
        ]
        place = None
        if key := cells.get("pair", "").strip():
            place = by_id.get(key, by_number.get(key))
            if place is None:
                faults.append(Fault(line, "pair", f"the gold file has no pair {shorten(key)}"))
        span = None
        if any(cells.get(side, "").strip() for side in SPANS) and place is not None:
            span = _span(cells, pairs[place], (source, target), line, faults)
        kinds = _kinds(cells.get("links", "").strip(), line, faults)
        if len(faults) == before:
            atomic = cells.get("kind", "").strip() != "composite"
            phrases.append(ListedPhrase(source, target, place, span, kinds, atomic))
    if not rows and not faults:
        faults.append(Fault(None, None, "the file has no phrase pairs"))
    raise_faults(name, faults)
    return phrases


def _rows(data: bytes, name: str, faults: list[Fault]) -> Iterator[tuple[int, dict[str, str]]]:
    columns: list[str] | None = None
    for line, cells in iter_cells(data, name=name):
        if columns is None:
            header = [cell.strip().casefold() for cell in cells]
            columns = header if set(PHRASES) <= set(header) else list(PHRASES)
            if columns is header:
                continue
        if len(cells) < len(PHRASES):
            faults.append(Fault(line, None, "the line needs two phrases, separated by a tab"))
            continue
        yield line, dict(zip(columns, cells, strict=False))


def _span(
    cells: dict[str, str],
    pair: SentencePair,
    phrases: tuple[Sequence[str], Sequence[str]],
    line: int,
    faults: list[Fault],
) -> PhrasePair | None:
    bounds: list[int] = []
    for column, words, phrase in zip(SPANS, (pair.source or (), pair.target or ()), phrases, strict=True):
        match = _SPAN.fullmatch(cells.get(column, "").strip())
        start, end = (int(bound) for bound in match.groups()) if match else (0, 0)
        if not start < end <= len(words):
            message = f"the span must be two token numbers such as 2:4, within the {len(words)} tokens of the sentence"
            faults.append(Fault(line, column, message))
            return None
        if list(words[start:end]) != list(phrase):
            message = f"the tokens {start}:{end} of the sentence are {shorten(' '.join(words[start:end]))}"
            faults.append(Fault(line, column, f"{message}, but the phrase is {shorten(' '.join(phrase))}"))
            return None
        bounds += [start, end]
    return PhrasePair(*bounds)


def _kinds(links: str, line: int, faults: list[Fault]) -> tuple[Kind, ...]:
    """Return the kinds of links that a phrase pair follows from. Phrase pairs without a kind count for both kinds."""
    kinds = tuple(kind for kind in KINDS if links in ("", kind))
    if not kinds:
        faults.append(Fault(line, "links", f"the value must be sure, possible or empty, not {shorten(links)}"))
    return kinds
