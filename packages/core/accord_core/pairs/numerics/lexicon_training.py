"""Training of the built-in aligner on extra sentence pairs that are not themselves aligned."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from accord_core.pairs.numerics.hidden_markov import ROUNDS, Pair, expect, prepare
from accord_core.pairs.numerics.learned_lexicon import LearnedLexicon

BLOCK = 4_000
"""The number of pairs that are trained together. Memory use depends on this number rather than on the total number of
pairs.
"""


def learn_lexicon(
    pairs: Sequence[Pair], known: LearnedLexicon | None = None, *, progress: Callable[[float], None] | None = None
) -> LearnedLexicon:
    """Return the lexicon that the aligner learns from tokenised sentence pairs, added to a `known` lexicon.

    Each block of pairs is trained by expectation maximisation, with the lexicon of the previous blocks as evidence. The
    pairs are sorted first, so the result does not depend on their order, nor on which sentence is the source. Pairs
    with an empty sentence are skipped. `progress` is called with the completed share of the work, which rises to 1.
    """
    folded = [tuple(sorted(tuple(word.casefold() for word in side) for side in pair)) for pair in pairs if all(pair)]
    folded.sort()
    learned = known
    for start in range(0, len(folded), BLOCK):
        block = folded[start : start + BLOCK]
        found = _learn_block([(source, target) for source, target in block], learned)
        learned = found if learned is None else learned.plus(found)
        if progress:
            progress(min(1.0, (start + BLOCK) / len(folded)))
    nothing = np.zeros(0, dtype=np.int64)
    return learned or LearnedLexicon([], nothing, nothing, np.zeros(0), 0)


def _learn_block(pairs: Sequence[Pair], known: LearnedLexicon | None) -> LearnedLexicon:
    batches, lexicon = prepare(pairs, known)
    counts = np.zeros(len(lexicon.prior))
    for _ in range(ROUNDS):
        likely, counts = lexicon.likely(counts), np.zeros(len(counts))
        for batch in batches:
            made, _ = expect(batch, likely)
            counts += np.bincount(batch.entry.ravel(), made.ravel(), len(counts))
    return LearnedLexicon.of(lexicon.words, lexicon.maker[1:], lexicon.made[1:], counts[1:], len(pairs))
