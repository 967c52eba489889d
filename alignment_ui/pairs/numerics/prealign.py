"""Suggested links for annotators, from a hidden Markov aligner for pairs of sentences in the same language. The aligner
is trained on the pairs of the study.

Each sentence of a pair is made from the other one: a word is either new or made by a word there, which lies a jump away
from the one that made the word before (Vogel, Ney and Tillmann 1996; a new word keeps the place, as in Och and Ney
2003). Both sides are one language, so that both directions share one lexicon: how likely a word makes another.
Beforehand a word makes itself, or one that looks like it; expectation maximisation adds what the pairs show. Jumps are
not learnt, so that one pair is aligned as sensibly as ten thousand, and no round makes the pairs with the prior less
likely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from alignment_ui.pairs.numerics.links import Link
from alignment_ui.pairs.numerics.similarity import similarity

Pair = tuple[Sequence[str], Sequence[str]]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# The parameter values were tuned on the pairs of the Edinburgh corpus that `bench/edinburgh_held_out.txt` does not
# list.
ROUNDS = 3
NEW = 0.1
"""The probability that a word is new, which means that no word of the other sentence generates it."""
ITSELF, ALIKE, ANY = 15.0, 5.0, 0.02
"""Prior counts for a word that generates itself, for a word that generates a different word (times the cube of the
similarity between the two words), and an additional count for every word.
"""
NEARER = 0.5
"""For each word between the end of a jump and the next word, the log likelihood decreases by this value, for up to
`FARTHEST` words.
"""
FARTHEST = 6
LINKED = 0.5
"""Two words are linked if the geometric mean of the probabilities in the two directions exceeds this threshold."""

BATCH_CELLS = 1 << 18


def prealign(pairs: Sequence[Pair], *, progress: Callable[[float], None] | None = None) -> list[frozenset[Link]]:
    """Return the links of each pair of tokenised sentences. Case is ignored, and an empty sentence has no links.

    The same pairs get the same links, in whatever order they come, and mirrored ones when their sides are swapped.
    `progress` is called with the completed share of the work, which rises to 1.
    """
    say = progress or (lambda share: None)
    if not any(source and target for source, target in pairs):
        say(1.0)
        return [frozenset()] * len(pairs)
    batches, lexicon = _prepare(pairs)
    probable: dict[int, Floats] = {}
    counts = np.zeros(len(lexicon.prior))
    for round_number in range(1, ROUNDS + 1):
        likely, counts = lexicon.likely(counts), np.zeros(len(counts))
        for number, batch in enumerate(batches, start=1):
            made, _ = _expect(batch, likely)
            if round_number < ROUNDS:
                counts += np.bincount(batch.entry.ravel(), made.ravel(), len(counts))
            else:
                probable |= zip(batch.rows, made, strict=True)
            say((round_number - 1 + number / len(batches)) / ROUNDS)
    return [_links(pair, probable.get(2 * place), probable.get(2 * place + 1)) for place, pair in enumerate(pairs)]


def _links(pair: Pair, forward: Floats | None, backward: Floats | None) -> frozenset[Link]:
    """Return the links on which both alignment directions agree. The array `forward` has the shape (target, source),
    and `backward` has the shape (source, target). Both arrays are padded.

    Where a word is repeated on one side only, both of it may point at the one word; the more probable link stays.
    """
    if forward is None or backward is None:
        return frozenset()
    source, target = (np.array([word.casefold() for word in side], dtype=object) for side in pair)
    both = np.sqrt(forward[: len(target)].T * backward[: len(source)])
    equal = source[:, None] == target
    rivals = np.where(equal, both, 0)
    best = (both == rivals.max(axis=0)) & (both == rivals.max(axis=1, keepdims=True))
    found = np.nonzero((both > LINKED) & (best | ~equal))
    return frozenset(zip(*(side.tolist() for side in found), strict=True))


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """The pairs of words that occur together in at least one sentence pair. Each pair of words is an entry in the
    lexicon. Entry 0 is used for padding and has a probability of 0.
    """

    maker: Ints
    prior: Floats
    unseen: Floats
    """For each word, the prior count for generating the word itself. For words that occur in both sentences of a pair,
    this count is 0,
    because `prior` contains their counts.

    Without this count, a rare word would be linked to any word that occurs with it, because it must generate a word.
    """

    @classmethod
    def of(cls, words: Sequence[str], maker: Ints, made: Ints) -> _Lexicon:
        alike = ALIKE * similarity(words, maker, made) ** 3
        unseen = np.full(len(words), ITSELF)
        unseen[maker[maker == made]] = 0
        return cls(np.append(0, maker), np.append(0.0, np.where(maker == made, ITSELF, alike) + ANY), unseen)

    def likely(self, counts: Floats) -> Floats:
        """Return the probability, for each entry, that one word generates the other word, based on the expected
        counts.
        """
        weight = counts + self.prior
        return weight / (np.bincount(self.maker, weight, len(self.unseen)) + self.unseen)[self.maker]


class _Row(NamedTuple):
    """One alignment direction of a sentence pair. In the model, the words of `maker` generate the words of `made`. Both
    contain word indexes.
    """

    number: int
    """If the source generates the target, this number is twice the index of the pair; for the other direction, it is
    one more.
    """
    maker: Ints
    made: Ints


@dataclass(frozen=True, slots=True)
class _Batch:
    """A batch of rows in which all generating sentences have the same length. The generated words are padded to the
    same length.
    """

    rows: list[int]
    """Their numbers."""
    entry: Ints
    """(row, made, maker): the lexicon's entry of each two words; 0 past the end."""
    new: Floats
    """(row, made): how likely the word is made by none; 1 past the end, where nothing happens."""


def _prepare(pairs: Sequence[Pair]) -> tuple[list[_Batch], _Lexicon]:
    """Return the rows of all pairs without empty sentences, in batches, and the lexicon of words that occur
    together.
    """
    full = [place for place, (source, target) in enumerate(pairs) if source and target]
    folded = [[[word.casefold() for word in side] for side in pairs[place]] for place in full]
    times = Counter(word for pair in folded for side in pair for word in side)
    words = sorted(times)
    share = np.array([times[word] for word in words]) / times.total()
    index = {word: number for number, word in enumerate(words)}
    rows = []
    for place, pair in zip(full, folded, strict=True):
        source, target = (np.array([index[word] for word in side]) for side in pair)
        rows += [_Row(2 * place, source, target), _Row(2 * place + 1, target, source)]

    drafts = []
    for run in _of_one_length(rows):
        maker = np.stack([row.maker for row in run])
        made = np.full((len(run), max(len(row.made) for row in run)), -1, dtype=np.int64)
        for line, row in zip(made, run, strict=True):
            line[: len(row.made)] = row.made
        meeting = np.where(made[:, :, None] < 0, -1, maker[:, None, :] * len(words) + made[:, :, None])
        drafts.append(([row.number for row in run], meeting, np.where(made < 0, 1.0, NEW * share[made])))
    met = np.unique(np.concatenate([[-1], *(np.unique(meeting) for _, meeting, _ in drafts)]))
    lexicon = _Lexicon.of(words, *np.divmod(met[1:], len(words)))
    return [_Batch(numbers, np.searchsorted(met, meeting), new) for numbers, meeting, new in drafts], lexicon


def _of_one_length(rows: list[_Row]) -> Iterator[list[_Row]]:
    """Yield batches of rows in which all generating sentences have the same length. The size of each batch is limited.

    In an order of their words alone, so that sums are rounded alike in whatever order the pairs came.
    """
    run: list[_Row] = []
    for row in sorted(rows, key=lambda row: (len(row.maker), len(row.made), row.maker.tobytes(), row.made.tobytes())):
        cells = (len(run) + 1) * len(row.maker) * len(row.made)
        if run and (len(run[0].maker) != len(row.maker) or cells > BATCH_CELLS):
            yield run
            run = []
        run.append(row)
    yield run


def _expect(batch: _Batch, likely: Floats) -> tuple[Floats, float]:
    """(row, made, maker): the probability that the one word was made by the other, and the log likelihood of all.

    Forward and backward in time made · maker² for a row, all rows at a time. Every step is scaled to sum to 1.
    """
    making = (1 - NEW) * likely[batch.entry]
    rows, length, makers = making.shape
    first, jumps = _jumps(makers)
    reached, place = np.empty_like(making), np.empty_like(making)
    scale: Floats = np.empty((rows, length, 1))
    for made in range(length):
        before = place[:, made - 1] if made else np.broadcast_to(first, (rows, makers))
        reached[:, made] = before @ jumps if made else before
        here = making[:, made] * reached[:, made] + batch.new[:, made, None] * before
        scale[:, made] = here.sum(axis=1, keepdims=True)
        place[:, made] = here / scale[:, made]
    later = np.ones((rows, makers))
    for made in reversed(range(length)):
        making[:, made] *= later / scale[:, made]
        later = making[:, made] @ jumps.T + batch.new[:, made, None] * later / scale[:, made]
    return making * reached, float(np.log(scale).sum())


def _jumps(makers: int) -> tuple[Floats, Floats]:
    """Return the probability of each first position (maker,) and of each transition (maker, maker). Rows sum to 1."""
    distance = np.abs(np.arange(makers) - np.arange(makers + 1)[:, None])
    weight = np.exp(-NEARER * np.minimum(distance, FARTHEST))
    share = weight / weight.sum(axis=1, keepdims=True)
    return share[0], share[1:]
