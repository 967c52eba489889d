"""Functions that match the pairs in two files by ID, or by position if either file has no IDs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from accord_core.exchange.cells import shorten
from accord_core.exchange.faults import Fault, TableError, raise_faults
from accord_core.numerics.printed import with_noun
from accord_core.pairs.formats.corpus import Corpus, SentencePair
from accord_core.pairs.formats.places import numbers_of


class Matched(NamedTuple):
    """The pairs in the reference file and the matching pairs, in reference order, with notes about the matching."""

    pairs: list[tuple[SentencePair, SentencePair]]
    notes: list[str]


def match(reference: Corpus, other: Corpus) -> Matched:
    """Match each pair in `reference` with the corresponding pair in `other`. Both files must contain the same pairs.

    In WPT files, a pair without links has no line, so a missing pair counts as a pair without links. Numbers that start
    at 1 count as IDs only if the IDs in the other file are also numbers. Raises TableError with the name of each pair
    that has no match, or whose match has different sentences.
    """
    faults: list[Fault] = []
    fellows = _by_id(reference, other, faults) if _both_have_ids(reference, other) else _by_place(reference, other)
    pairs, missing = [], 0
    for number, (pair, fellow) in enumerate(zip(reference.pairs, fellows, strict=True), start=1):
        if fellow is None:
            missing += 1
            fellow = pair._replace(alignment=type(pair.alignment)(), line=None)
        for side in ("source", "target"):
            there, here = getattr(pair, side), getattr(fellow, side)
            if there is not None and here is not None and there != here:
                which = f"pair {shorten(pair.id)}" if pair.id else f"pair {number}"
                faults.append(Fault(fellow.line, side, f"{which} has a different sentence in {reference.name}"))
        pairs.append((pair, fellow))
    raise_faults(other.name, faults)
    notes = [
        f"{with_noun(missing, 'pair')} of {reference.name} missing from {other.name} and counted as pairs without links"
    ]
    return Matched(pairs, notes if missing else [])


def refuse_links_outside(pairs: Iterable[tuple[SentencePair, SentencePair]], name: str) -> None:
    """Raise TableError if a link of the second pairs is outside the first pairs' sentences, provided that the sentences
    are known. `name` identifies the file that contains the second pairs.
    """
    faults = []
    for pair, other in pairs:
        if pair.sizes is None:
            continue
        for source, target in sorted(other.alignment.links):
            if source >= pair.sizes[0] or target >= pair.sizes[1]:
                message = (
                    f"link {source}-{target}, counted from 0, is outside the sentences of "
                    f"{with_noun(pair.sizes[0], 'token')} and {with_noun(pair.sizes[1], 'token')}"
                )
                faults.append(Fault(other.line, None, message))
    raise_faults(name, faults)


def _both_have_ids(reference: Corpus, other: Corpus) -> bool:
    kinds = {reference.ids, other.ids}
    if kinds == {"own"}:
        return True
    return "none" not in kinds and all(numbers_of(corpus.pairs) for corpus in (reference, other))


def _by_id(reference: Corpus, other: Corpus, faults: list[Fault]) -> list[SentencePair | None]:
    found = {_key(pair): pair for pair in other.pairs}
    wanted = {_key(pair) for pair in reference.pairs}
    for key, pair in found.items():
        if key not in wanted and not (pair.line is None and not pair.alignment.links):
            faults.append(Fault(pair.line, None, f"pair {shorten(key)} is not in {reference.name}"))
    if other.format != "wpt":
        for pair in reference.pairs:
            if _key(pair) not in found:
                where = f"{reference.name}, line {pair.line}" if pair.line else reference.name
                faults.append(Fault(None, None, f"pair {shorten(_key(pair))} is in {where}, but not in this file"))
    return [found.get(_key(pair)) for pair in reference.pairs]


def _key(pair: SentencePair) -> str:
    key = pair.id or ""
    return str(int(key)) if key.isascii() and key.isdigit() else key


def _by_place(reference: Corpus, other: Corpus) -> list[SentencePair | None]:
    wanted, there = len(reference.pairs), len(other.pairs)
    if there > wanted or (there < wanted and other.format != "wpt"):
        raise TableError.of_file(
            other.name,
            f"the file has {with_noun(there, 'pair')}, but {reference.name} has {wanted:,}. "
            "Pairs without common IDs are matched by position",
        )
    return [*other.pairs, *[None] * (wanted - there)]
