"""A module that learns from the finished alignments in a study, to suggest better links for other pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from accord_core.pairs.numerics.cells import Cells
from accord_core.pairs.numerics.hidden_markov import Pair, train
from accord_core.pairs.numerics.learned_lexicon import LearnedLexicon
from accord_core.pairs.numerics.link_network import Floats, Network, Singles
from accord_core.pairs.numerics.links import Alignment
from accord_core.pairs.numerics.network_training import Examples, link_targets, tuned

PENALTY = 60.0
"""The strength of the penalty on the squared distance from the initial network, if only one pair is finished. The
penalty is divided by the squared number of finished pairs. With few pairs, a network would otherwise fit their noise.
"""
ROUNDS = 40
LOWEST = 0.001
EVERY = 10
"""Training uses one in ten of the unlinked cells whose probability is below `LOWEST`, with ten times the weight.
Without these cells, learning from annotators who leave many words unlinked would raise the probability of unlikely
links.
"""


def learned_network(
    pairs: Sequence[Pair],
    cells: Cells,
    finished: Mapping[int, Alignment],
    learned: LearnedLexicon | None,
    network: Network,
    say: Callable[[float], None],
) -> Network:
    """Return a network that starts as `network` and learns from finished pairs, by index.

    No pair may have an empty sentence. The finished pairs are divided into two halves. The features of the pairs of
    each half come from a model that knows the links of the other half. The network therefore learns from features like
    those of pairs whose links are unknown. `learned` is what the aligner has learned from extra pairs. `say` is called
    with the completed share of the work, which rises to 1.
    """
    # The order depends only on the words, so that rounding errors in sums do not depend on the input order.
    ordered = sorted(finished, key=lambda place: sorted(map(list, pairs[place])))
    parts: dict[int, Examples] = {}
    for number in (0, 1):
        known = {place: finished[place].links for place in ordered[1 - number :: 2]}
        half = set(ordered[number::2])
        for place, posterior in train(pairs, partial(_say_part, say, number), known, learned):
            if place in half:
                features = cells.features(place, posterior)
                target = link_targets(finished[place], features.shape[:2])
                if list(pairs[place][0]) > list(pairs[place][1]):
                    features, target = features.swapaxes(0, 1), target.T
                parts[place] = _examples(network, features, target)
    chosen = [parts[place] for place in ordered]
    examples = Examples(*(np.concatenate(columns) for columns in zip(*chosen, strict=True)))
    network = tuned(network, examples, towards=network, penalty=PENALTY / len(finished) ** 2, rounds=ROUNDS)
    say(1.0)
    return network


def _examples(network: Network, features: Singles, target: Floats) -> Examples:
    """Return a pair's likely or linked cells (source, target), and a fraction of its other cells."""
    likely = (network.probability(features) > LOWEST) | (target > 0)
    others = np.flatnonzero(~likely)[::EVERY]
    cells = np.concatenate([np.flatnonzero(likely), others])
    weights = np.repeat([1.0, EVERY], [len(cells) - len(others), len(others)])
    return Examples(features.reshape(-1, features.shape[-1])[cells], target.ravel()[cells], weights)


def _say_part(say: Callable[[float], None], number: int, share: float) -> None:
    """Report the progress of the first or second training run. The two training runs take 4/5 of the work."""
    say(0.4 * (number + share))
