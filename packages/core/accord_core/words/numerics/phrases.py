"""Atomic and composite phrase pairs, derived from word links (Cohn, Callison-Burch and Lapata 2008)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from itertools import accumulate
from typing import NamedTuple

from accord_core.pairs.numerics.links import KINDS, Alignment, Figures, Link, precision_recall_f1


class PhrasePair(NamedTuple):
    """A span of source tokens and a span of target tokens. The bounds `source_end` and `target_end` are exclusive."""

    source_start: int
    source_end: int
    target_start: int
    target_end: int


# This call has the same effect as `PhrasePair._make`, but is faster because it creates no Python frame for each pair.
_phrase_pair: Callable[[tuple[int, int, int, int]], PhrasePair] = partial(tuple.__new__, PhrasePair)


def phrase_pairs(links: Collection[Link], source_length: int, target_length: int) -> list[PhrasePair]:
    """Return all phrase pairs that are consistent with the links (Och, Tillmann and Ney 1999) and have no unaligned
    word at a boundary.

    A phrase pair is consistent if it contains at least one link, and no link connects a word inside the phrase pair
    with a word outside it. A phrase pair can contain unaligned words. The result is sorted. Each source span has at
    most one phrase pair, so there are O(source_length²) phrase pairs. Raises ValueError for a link outside the
    sentences.
    """
    rows, columns = _reaches(links, source_length, target_length)
    # The other span extends from the lowest to the highest word that is linked to the first span. The phrase pair is
    # consistent if the words in both spans have equal numbers of links.
    up_to = [0, *accumulate(column[2] if column else 0 for column in columns)]
    aligned = [(i + 1, *row) for i, row in enumerate(rows) if row]
    pairs = []
    for k in range(len(aligned)):
        start, low, high, count = aligned[k][0] - 1, target_length, -1, 0
        for end, lowest, highest, number in aligned[k:]:
            if lowest < low:
                low = lowest
            if highest > high:
                high = highest
            count += number
            if up_to[high + 1] - up_to[low] == count:
                pairs.append((start, end, low, high + 1))
    return list(map(_phrase_pair, pairs))


def atomic_phrase_pairs(links: Collection[Link], source_length: int, target_length: int) -> list[PhrasePair]:
    """For each link, return the smallest phrase pair in `phrase_pairs` that contains the link. The phrase pairs are
    sorted and contain no duplicates. The others are composite.

    Such a phrase pair contains every link of its words, so all links of a source word share the phrase pair. To find
    the phrase pair, words that are linked to its words are added until nothing changes. Raises ValueError for a link
    outside the sentences.
    """
    rows, columns = _reaches(links, source_length, target_length)
    atoms = set()
    for i, row in enumerate(rows):
        if row is None:
            continue
        first, last, before = i, i, None
        while (first, last) != before:
            before = first, last
            low, high = _reach(rows[first : last + 1])
            first, last = _reach(columns[low : high + 1])
        atoms.add(PhrasePair(first, last + 1, low, high + 1))
    return sorted(atoms)


def without_identical(pairs: Iterable[PhrasePair], source: Sequence[str], target: Sequence[str]) -> list[PhrasePair]:
    """Return the phrase pairs whose two phrases differ, ignoring case."""
    source, target = [word.casefold() for word in source], [word.casefold() for word in target]
    return [pair for pair in pairs if source[pair[0] : pair[1]] != target[pair[2] : pair[3]]]


class PhraseCounts(NamedTuple):
    """The counts needed for phrase-pair measures. A contains the phrase pairs of the system or of one annotator, and B
    contains the gold phrase pairs or those of another annotator.

    `a_in_b` is |A_atom ∩ B|, `b_in_a` is |A ∩ B_atom|, and `both` is |A_atom ∩ B_atom|. The fields `a` and `b` are
    |A_atom| and |B_atom|.
    """

    a_in_b: int
    a: int
    b_in_a: int
    b: int
    both: int


def phrase_counts(
    source: Sequence[str],
    target: Sequence[str],
    a: Collection[Link],
    b: Collection[Link],
    *,
    ignore_identical: bool = True,
) -> PhraseCounts:
    """Return the phrase-pair counts for one sentence pair. Identical phrases are removed from A_atom and B_atom after
    the extraction.
    """
    all_a, all_b = (set(phrase_pairs(links, len(source), len(target))) for links in (a, b))
    atoms_a, atoms_b = (atomic_phrase_pairs(links, len(source), len(target)) for links in (a, b))
    if ignore_identical:
        atoms_a, atoms_b = (without_identical(atoms, source, target) for atoms in (atoms_a, atoms_b))
    return PhraseCounts(
        a_in_b=len(all_b.intersection(atoms_a)),
        a=len(atoms_a),
        b_in_a=len(all_a.intersection(atoms_b)),
        b=len(atoms_b),
        both=len(set(atoms_a).intersection(atoms_b)),
    )


def phrase_scores(
    pairs: Iterable[tuple[Sequence[str], Sequence[str], Alignment, Alignment]], *, ignore_identical: bool = True
) -> dict[str, Figures]:
    """Return a system's precision, recall and F1 over the whole corpus, comparing its phrase pairs with those derived
    from the gold links.

    `pairs` contains (source tokens, target tokens, gold, system). Precision is |A_atom ∩ B| / |A_atom| and recall is |A
    ∩ B_atom| / |B_atom|: the atoms of one alignment are compared with all phrase pairs of the other, so that the ways
    of combining atoms are not rewarded and larger blocks are not penalised (Cohn et al., 2008, equation 3). `sure` uses
    only the sure links of both alignments, and `possible` uses all links. A figure is None if its denominator is 0.
    """
    found = list(pairs)
    figures: dict[str, Figures] = {}
    for kind in KINDS:
        counts = [
            phrase_counts(source, target, system.of_kind(kind), gold.of_kind(kind), ignore_identical=ignore_identical)
            for source, target, gold, system in found
        ]
        a_in_b, a, b_in_a, b, _ = (sum(column) for column in zip(*counts, strict=True)) if counts else [0] * 5
        figures[kind] = precision_recall_f1(a_in_b, a, b_in_a, b)
    return figures


Reach = tuple[int, int, int]
"""The first and last words that a word is linked to, and the number of its links."""


def _reaches(links: Collection[Link], n: int, m: int) -> tuple[list[Reach | None], list[Reach | None]]:
    """Return the range of linked target words for each source word, and the range of linked source words for each
    target word. The range is None for an unaligned word.
    """
    rows: list[Reach | None] = [None] * n
    columns: list[Reach | None] = [None] * m
    for i, j in set(links):
        if not (0 <= i < n and 0 <= j < m):
            raise ValueError(f"link ({i}, {j}) is outside a pair of {n} and {m} tokens")
        rows[i], columns[j] = _widened(rows[i], j), _widened(columns[j], i)
    return rows, columns


def _widened(reach: Reach | None, word: int) -> Reach:
    if reach is None:
        return word, word, 1
    low, high, count = reach
    return min(low, word), max(high, word), count + 1


def _reach(words: Sequence[Reach | None]) -> tuple[int, int]:
    aligned = [word for word in words if word]
    return min(word[0] for word in aligned), max(word[1] for word in aligned)
