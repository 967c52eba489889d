"""Synchronous grammar rules derived from word links: phrase pairs in which gaps replace smaller phrase pairs (Chiang
2007).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from accord_core.pairs.numerics.links import Link
from accord_core.words.numerics.phrases import PhrasePair, phrase_pairs

Gaps = tuple[PhrasePair, ...]
"""The phrase pairs that are replaced by gaps, in source order."""


class Rule(NamedTuple):
    """A rule with its source and target sides. Gap number n, starting at 1, is the symbol `[X,n]` on both sides. The
    gaps on the source side are in order.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]

    @property
    def gaps(self) -> int:
        return sum(symbol in SYMBOLS for symbol in self.source)


SYMBOLS = ("[X,1]", "[X,2]")


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits on rules. The default values are taken from Chiang (2007).

    - `span` is the maximum number of source words in the phrase pair, including the words in the gaps.
    - `symbols` is the maximum number of words and gaps on the source side.
    - `gaps` is the maximum number of gaps, from 0 to 2.
    - `shortest_gap` is the minimum number of source words in a gap.
    - With `adjacent`, two gaps can be next to each other on the source side.
    - With `aligned`, at least one link must connect two words outside the gaps. Otherwise, one word outside the gaps is
      enough.
    """

    span: int = 10
    symbols: int = 5
    gaps: int = 2
    shortest_gap: int = 1
    adjacent: bool = False
    aligned: bool = True

    def __post_init__(self) -> None:
        if not (self.span >= 1 and self.symbols >= 1 and 0 <= self.gaps <= 2 and self.shortest_gap >= 1):
            raise ValueError(f"The limits {self} are out of range.")


CHIANG = Limits()


@dataclass(frozen=True, slots=True)
class RuleCounts:
    """The rules in a corpus. `count` is the number of times that each rule can be derived.

    `weight` gives each phrase pair a weight of 1, which is shared equally by all rules that can be derived from it
    (Chiang 2007, section 3.2). `phrase_pairs` is the number of phrase pairs within the span limit.
    """

    count: Counter[Rule]
    weight: dict[Rule, float]
    phrase_pairs: int


def rule_counts(
    pairs: Iterable[tuple[Sequence[str], Sequence[str], Collection[Link]]], limits: Limits = CHIANG
) -> RuleCounts:
    """Return the rules derived from (source tokens, target tokens, links). Raises ValueError if a link is outside its
    sentences.
    """
    count: Counter[Rule] = Counter()
    weight: dict[Rule, float] = defaultdict(float)
    number = 0
    for source, target, links in pairs:
        for phrase, derivations in derivations_of(links, len(source), len(target), limits):
            number += 1
            rules = [rule_of(source, target, phrase, gaps) for gaps in derivations]
            for rule in rules:
                count[rule] += 1
                weight[rule] += 1 / len(rules)
    return RuleCounts(count, dict(weight), number)


def derivations_of(
    links: Collection[Link], source_length: int, target_length: int, limits: Limits = CHIANG
) -> Iterator[tuple[PhrasePair, list[Gaps]]]:
    """Yield each phrase pair within the span limit, with each set of gaps that the limits allow.

    As in Chiang (2007), phrase pairs have no unaligned words at their boundaries, because only the smallest phrase pair
    with the same links is used.
    """
    initial = [
        phrase
        for phrase in phrase_pairs(links, source_length, target_length)
        if phrase.source_end - phrase.source_start <= limits.span
    ]
    per_word = Counter(source for source, _ in set(links))
    up_to = [0, *accumulate(per_word[word] for word in range(source_length))]
    gaps = [phrase for phrase in initial if phrase.source_end - phrase.source_start >= limits.shortest_gap]
    starting: dict[int, list[PhrasePair]] = defaultdict(list)
    for gap in gaps:
        starting[gap.source_start].append(gap)
    for phrase in initial:
        yield phrase, list(_gaps(phrase, starting, up_to, limits))


def rule_of(source: Sequence[str], target: Sequence[str], phrase: PhrasePair, gaps: Gaps) -> Rule:
    """Return the rule for a phrase pair with gaps. Gaps are numbered in source order."""
    spans = [(gap.source_start, gap.source_end, symbol) for gap, symbol in zip(gaps, SYMBOLS, strict=False)]
    others = sorted((gap.target_start, gap.target_end, symbol) for gap, symbol in zip(gaps, SYMBOLS, strict=False))
    return Rule(
        _side(source, phrase.source_start, phrase.source_end, spans),
        _side(target, phrase.target_start, phrase.target_end, others),
    )


def _side(words: Sequence[str], start: int, end: int, spans: Sequence[tuple[int, int, str]]) -> tuple[str, ...]:
    symbols: list[str] = []
    for gap_start, gap_end, symbol in spans:
        symbols += [*words[start:gap_start], symbol]
        start = gap_end
    return (*symbols, *words[start:end])


def _gaps(
    phrase: PhrasePair, starting: dict[int, list[PhrasePair]], up_to: Sequence[int], limits: Limits
) -> Iterator[Gaps]:
    """Yield the possible sets of gaps in a phrase pair. `up_to` contains, for each word, the total number of links of
    the words before it.
    """
    length = phrase.source_end - phrase.source_start
    if length <= limits.symbols:
        yield ()
    if not limits.gaps:
        return
    inside = [
        gap for start in range(phrase.source_start, phrase.source_end) for gap in starting[start] if _in(gap, phrase)
    ]
    links = up_to[phrase.source_end] - up_to[phrase.source_start]
    linked = [up_to[gap.source_end] - up_to[gap.source_start] for gap in inside]
    for one, gap in enumerate(inside):
        remaining = length - (gap.source_end - gap.source_start)
        if remaining + 1 <= limits.symbols and (links > linked[one] or not limits.aligned):
            yield (gap,)
        if limits.gaps == 1:
            continue
        first = gap.source_end + (0 if limits.adjacent else 1)
        for two in range(one + 1, len(inside)):
            other = inside[two]
            if other.source_start < first or not _apart(gap, other):
                continue
            words = remaining - (other.source_end - other.source_start)
            if words + 2 > limits.symbols:
                continue
            if links > linked[one] + linked[two] or (
                not limits.aligned and (words or _target_words(phrase, gap, other))
            ):
                yield gap, other


def _in(gap: PhrasePair, phrase: PhrasePair) -> bool:
    """Return whether the gap is a smaller part of the phrase pair. A phrase pair has no unaligned words at its ends, so
    a smaller gap has fewer source words.
    """
    return (
        gap.source_end <= phrase.source_end
        and gap.target_start >= phrase.target_start
        and (gap.target_end <= phrase.target_end and gap != phrase)
    )


def _apart(one: PhrasePair, other: PhrasePair) -> bool:
    return one.target_end <= other.target_start or other.target_end <= one.target_start


def _target_words(phrase: PhrasePair, one: PhrasePair, other: PhrasePair) -> int:
    """Return the number of target words outside both gaps."""
    return (phrase.target_end - phrase.target_start) - sum(gap.target_end - gap.target_start for gap in (one, other))
