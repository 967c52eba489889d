"""Scores of a list of phrase pairs against the phrase pairs derived from gold links (Cohn, Callison-Burch and Lapata
2008, section 5).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from accord_core.evaluation.measures import precision_recall_f1
from accord_core.numerics.labels import Floats
from accord_core.pairs.numerics.links import KINDS, Kind
from accord_core.words.numerics.phrases import PhrasePair, atomic_phrase_pairs, phrase_pairs, without_identical
from accord_core.words.numerics.system_scores import GoldPair

Words = tuple[str, ...]


class ListedPhrase(NamedTuple):
    """A phrase pair on a system's list. `place` is the index of a sentence pair, or None if the phrase pair counts in
    every sentence pair. If `span` is None, every occurrence of the two phrases in a sentence pair counts.
    """

    source: Words
    target: Words
    place: int | None = None
    span: PhrasePair | None = None
    kinds: tuple[Kind, ...] = KINDS
    atomic: bool = True


class Prediction(NamedTuple):
    """A predicted phrase pair in one sentence pair. `spans` contains every position where the phrase pair can occur."""

    spans: frozenset[PhrasePair]
    kinds: frozenset[Kind]
    atomic: bool


def predictions(
    phrases: Iterable[ListedPhrase], pairs: Sequence[tuple[Sequence[str], Sequence[str]]], *, directed: bool
) -> list[list[Prediction]]:
    """Return the listed phrase pairs that occur in each pair of sentences. Case is ignored.

    Unless the list is `directed`, phrase pairs without a span count in both directions. Equal phrase pairs in a
    sentence pair count once, even if the list or the sentences repeat the phrases.
    """
    spans: list[dict[tuple[PhrasePair, bool], set[Kind]]] = [defaultdict(set) for _ in pairs]
    unplaced: dict[int | None, dict[tuple[Words, Words], dict[bool, set[Kind]]]] = defaultdict(dict)
    for phrase in phrases:
        if phrase.span is not None and phrase.place is not None:
            spans[phrase.place][phrase.span, phrase.atomic].update(phrase.kinds)
            continue
        source, target = _folded(phrase.source), _folded(phrase.target)
        for key in {(source, target)} if directed else {(source, target), (target, source)}:
            kinds = unplaced[phrase.place].setdefault(key, {})
            kinds.setdefault(phrase.atomic, set()).update(phrase.kinds)
    everywhere = _Index(unplaced.get(None, {}))
    result = []
    for place, sentences in enumerate(pairs):
        located = [
            Prediction(frozenset([span]), frozenset(kinds), atomic) for (span, atomic), kinds in spans[place].items()
        ]
        indexes = [everywhere, _Index(unplaced[place])] if place in unplaced else [everywhere]
        result.append(located + [found for index in indexes for found in index.occurring(*sentences)])
    return result


def list_counts(
    pairs: Sequence[GoldPair], predicted: Sequence[Sequence[Prediction]], *, ignore_identical: bool
) -> Floats:
    """Return each sentence pair's counts as an array (U, 8): |A_atom ∩ B|, |A_atom|, |A ∩ B_atom| and |B_atom| for sure
    links, and the same for all links.

    A is the set of predictions, and B is the set of gold phrase pairs. A prediction with several places is in B if one
    of the places is in B. With `ignore_identical`, identical phrases do not count.
    """
    rows = []
    for pair, predictions_of_pair in zip(pairs, predicted, strict=True):
        row = []
        for kind in KINDS:
            links = pair.gold.of_kind(kind)
            gold = set(phrase_pairs(links, len(pair.source), len(pair.target)))
            atoms = atomic_phrase_pairs(links, len(pair.source), len(pair.target))
            chosen = [each for each in predictions_of_pair if kind in each.kinds]
            if ignore_identical:
                atoms = without_identical(atoms, pair.source, pair.target)
                chosen = [each for each in chosen if without_identical(each.spans, pair.source, pair.target)]
            exact = [each for each in chosen if each.atomic]
            covered = {span for each in chosen for span in each.spans}
            row += [sum(not gold.isdisjoint(each.spans) for each in exact), len(exact)]
            row += [len(covered.intersection(atoms)), len(atoms)]
        rows.append(row)
    return np.array(rows, dtype=np.float64).reshape(len(pairs), -1)


def estimate(sums: Floats) -> Floats:
    """Return precision, recall and F1 for sure links and then for all links (6, B), from sums (B, 8) of
    `list_counts`.
    """
    return np.concatenate([precision_recall_f1(*sums[:, start : start + 4].T) for start in (0, 4)])


class _Index:
    """An index of phrase pairs by source phrase. With this index, the search time depends on the sentences rather than
    on the size of the list.
    """

    def __init__(self, phrases: dict[tuple[Words, Words], dict[bool, set[Kind]]]) -> None:
        self.targets: dict[Words, list[tuple[Words, dict[bool, set[Kind]]]]] = defaultdict(list)
        for (source, target), kinds in phrases.items():
            self.targets[source].append((target, kinds))
        self.lengths = sorted({len(source) for source in self.targets}), sorted({len(target) for _, target in phrases})

    def occurring(self, source: Sequence[str], target: Sequence[str]) -> Iterator[Prediction]:
        """Yield a prediction for each listed phrase pair whose phrases occur in the two sentences."""
        sources, targets = (
            _phrases(_folded(words), lengths) for words, lengths in zip((source, target), self.lengths, strict=True)
        )
        for phrase, starts in sources.items():
            for other, by_kind in self.targets.get(phrase, ()):
                spans = frozenset(
                    PhrasePair(i, i + len(phrase), j, j + len(other)) for i in starts for j in targets.get(other, ())
                )
                if spans:
                    for atomic, kinds in by_kind.items():
                        yield Prediction(spans, frozenset(kinds), atomic)


def _folded(words: Sequence[str]) -> Words:
    return tuple(word.casefold() for word in words)


def _phrases(words: Words, lengths: Sequence[int]) -> dict[Words, list[int]]:
    """Return the start positions of each phrase that has one of the given lengths."""
    places: dict[Words, list[int]] = defaultdict(list)
    for length in lengths:
        for start in range(len(words) - length + 1):
            places[words[start : start + length]].append(start)
    return places
