"""Functions that match links with sentences, for formats that contain only links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from accord_core.exchange.faults import Fault
from accord_core.pairs.formats.corpus import Corpus, SentencePair

UNKNOWN = SentencePair(None, None, None)


def by_place(count: int, what: str, sentences: Corpus | None, faults: list[Fault]) -> Sequence[SentencePair]:
    """Return the sentences of pairs 1 to `count`, or `UNKNOWN` for every pair if `sentences` is empty. An error is
    reported if the number of pairs differs from the number of sentences.
    """
    if sentences is None:
        return [UNKNOWN] * count
    if len(sentences.pairs) != count:
        message = (
            f"the number of {what}s is {count:,}, but the number of sentence pairs in {sentences.name} is "
            f"{len(sentences.pairs):,}"
        )
        faults.append(Fault(None, None, message))
        return [UNKNOWN] * count
    return sentences.pairs


def by_number(sentences: Corpus | None) -> dict[int, SentencePair] | None:
    """Return the sentences by number. Pairs are numbered by their IDs if all IDs are numbers, and otherwise by
    position, starting at 1.
    """
    if sentences is None:
        return None
    numbers = numbers_of(sentences.pairs)
    return dict(zip(numbers or range(1, len(sentences.pairs) + 1), sentences.pairs, strict=True))


def numbers_of(pairs: Iterable[SentencePair]) -> list[int] | None:
    """Return the IDs as numbers if all IDs are distinct positive numbers, or None otherwise."""
    ids = [pair.id or "" for pair in pairs]
    if not all(key.isascii() and key.isdigit() and len(key) < 10 for key in ids):
        return None
    numbers = [int(key) for key in ids]
    return numbers if all(numbers) and len(set(numbers)) == len(numbers) else None
