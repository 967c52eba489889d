"""Links that the built-in aligner suggests to annotators, for pairs of sentences in the same language.

The aligner has two steps. First, a hidden Markov model is trained on the sentences of the study, without any links.
Second, a network combines the model's probabilities with other features of each pair of words, such as their similarity
and the probabilities of neighbouring words, and estimates how likely annotators are to link them. Both steps are
repeated once, and the second training of the model learns from the links of the first pass. If annotators have already
aligned some pairs, the model and the network also learn from these alignments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord_core.pairs.numerics.cells import Cells, Vectors
from accord_core.pairs.numerics.hidden_markov import Pair, train
from accord_core.pairs.numerics.learned_lexicon import LearnedLexicon
from accord_core.pairs.numerics.link_network import Network, shipped
from accord_core.pairs.numerics.links import Alignment, Link
from accord_core.pairs.numerics.study_learning import learned_network

LINKED = 0.45
"""Two words are linked if their probability is higher. The target of the network is 1 for sure links and 1/2 for
possible links, and the expected alignment error rate is lowest if the threshold is just below 1/2.
"""
DIGITS = 5
"""Probabilities are rounded, so that adding numbers in a different order does not change the links."""

PASSES = 2
"""In the second pass, the lexicon of the hidden Markov model counts the links of the first pass."""


LIKELIEST = 3
"""The number of likely matches of each word that are returned with the links."""


class Aligned(NamedTuple):
    """The links of each pair, the probabilities of each pair's likely links by link, and the network that estimated
    these probabilities. Likely links include links that are not in `links`.
    """

    links: list[frozenset[Link]]
    likely: list[dict[Link, float]]
    network: Network


def prealign(
    pairs: Sequence[Pair],
    *,
    finished: Mapping[int, Alignment] | None = None,
    learned: LearnedLexicon | None = None,
    base: Network | None = None,
    vectors: Vectors | None = None,
    progress: Callable[[float], None] | None = None,
) -> list[frozenset[Link]]:
    """Return the links of each pair of tokenised sentences. Case is ignored, and pairs with an empty sentence have no
    links.

    `finished` contains the alignments by annotators of some of the pairs, by index. The aligner also learns from these
    alignments. `learned` is what the aligner has learned from extra pairs (see `lexicon_training`). `base` is a network
    (see `weight_training`) that replaces the one that comes with Accord. `vectors` are required if this network was
    trained with word vectors. The links do not depend on the order of the pairs. If source and target are swapped, the
    links are mirrored. `progress` is called with the completed share of the work, which rises to 1.
    """
    return align(pairs, finished=finished, learned=learned, base=base, vectors=vectors, progress=progress).links


def align(
    pairs: Sequence[Pair],
    *,
    finished: Mapping[int, Alignment] | None = None,
    learned: LearnedLexicon | None = None,
    network: Network | None = None,
    base: Network | None = None,
    vectors: Vectors | None = None,
    progress: Callable[[float], None] | None = None,
) -> Aligned:
    """Return the links of `prealign` with the network that estimated them.

    A `network` that has learned from finished pairs before does not learn again. The hidden Markov model always counts
    the links of the finished pairs.
    """
    say = progress or (lambda share: None)
    links: list[frozenset[Link]] = [frozenset()] * len(pairs)
    likely: list[dict[Link, float]] = [{} for _ in pairs]
    full = [place for place, (source, target) in enumerate(pairs) if source and target]
    if full:
        aligned = _align(
            [pairs[place] for place in full],
            {number: finished[place] for number, place in enumerate(full) if finished and place in finished},
            learned,
            network,
            base,
            vectors,
            say,
        )
        network = aligned.network
        for number, place in enumerate(full):
            links[place], likely[place] = aligned.links[number], aligned.likely[number]
    say(1.0)
    return Aligned(links, likely, network or base or shipped())


def _align(
    pairs: Sequence[Pair],
    finished: Mapping[int, Alignment],
    learned: LearnedLexicon | None,
    network: Network | None,
    base: Network | None,
    vectors: Vectors | None,
    say: Callable[[float], None],
) -> Aligned:
    """Return the links from the second pass. No pair may have an empty sentence."""
    cells = Cells(pairs, vectors)
    base = base or shipped()
    begun = 0.0
    if finished and network is None:
        network = learned_network(pairs, cells, finished, learned, base, partial(_say_part, say, 0, 0.5))
        begun = 0.5
    network = network or base
    by_annotators = {number: alignment.links for number, alignment in finished.items()}
    links: dict[int, frozenset[Link]] = {}
    likely: dict[int, dict[Link, float]] = {}
    size = (1 - begun) / PASSES
    for number in range(PASSES):
        start = begun + number * size
        trained = train(pairs, partial(_say_part, say, start, size / 2), links | by_annotators, learned)
        links = {}
        for place, posterior in trained:
            probability = network.probability(cells.features(place, posterior))
            links[place] = links_of(probability, cells.equal(place))
            if number == PASSES - 1:
                likely[place] = likeliest(probability)
            say(start + size / 2 + size / 2 * len(links) / len(pairs))
    places = range(len(pairs))
    return Aligned([links[place] for place in places], [likely[place] for place in places], network)


def _say_part(say: Callable[[float], None], start: float, size: float, share: float) -> None:
    """Report the completed share of a part of the work that begins at `start`."""
    say(start + size * share)


def links_of(probability: NDArray[np.float64], equal: NDArray[np.bool_]) -> frozenset[Link]:
    """Return the high-probability links as (source, target) pairs.

    If a word is repeated in only one sentence, both occurrences may be linked to the same word. In this case, only the
    more probable link is kept.
    """
    probability = probability.round(DIGITS)
    rivals = np.where(equal, probability, 0)
    best = (probability == rivals.max(axis=0)) & (probability == rivals.max(axis=1, keepdims=True))
    found = np.nonzero((probability > LINKED) & (best | ~equal))
    return frozenset(zip(*(side.tolist() for side in found), strict=True))


def likeliest(probability: NDArray[np.float64]) -> dict[Link, float]:
    """Return the probabilities of the `LIKELIEST` most probable links of each word on both sides, by link. Links whose
    rounded probability is 0 are omitted.
    """
    probability = probability.round(DIGITS)
    found: dict[Link, float] = {}
    for axis in (0, 1):
        best = np.argsort(-probability, axis=axis, kind="stable").take(
            range(min(LIKELIEST, probability.shape[axis])), axis
        )
        chosen = np.zeros_like(probability, dtype=bool)
        np.put_along_axis(chosen, best, True, axis)
        found |= {(i, j): float(probability[i, j]) for i, j in np.argwhere(chosen & (probability > 0)).tolist()}
    return found
