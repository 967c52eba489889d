"""Weights for the built-in aligner that are trained on a user's own aligned pairs, and their cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from accord_core.numerics.labels import Floats
from accord_core.pairs.numerics.cells import VECTOR_FEATURES, Vectors
from accord_core.pairs.numerics.hidden_markov import Pair
from accord_core.pairs.numerics.link_network import Network, shipped
from accord_core.pairs.numerics.links import Alignment, Link
from accord_core.pairs.numerics.weight_training import (
    FOLDS,
    fold_networks,
    folds_of,
    links_by_fold,
    rows_by_fold,
    trained_network,
    training_examples,
)
from accord_core.words.numerics.system_scores import GoldPair, counts_by_pair, system_differences, system_figures

FEWEST = 50
"""The minimum number of pairs with links. In cross-validation, each network then learns from about 40 pairs. The AER of
networks that learned from 38 pairs was already .014 higher than with 326 (see docs/figures.md).
"""
BUILT_IN, NEW, WITHOUT = "built-in", "new", "new, without vectors"


class Trained(NamedTuple):
    """The network trained on all pairs, the cross-validated AER by name of the weights, and its differences.

    Each figure has `value`, `low` and `high`, and each difference also `p`.
    """

    network: Network
    aer: dict[str, dict[str, Any]]
    differences: dict[tuple[str, str], dict[str, Any]]


def train_weights(
    pairs: Sequence[Pair],
    gold: Sequence[Alignment],
    *,
    seed: int,
    resamples: int,
    vectors: Vectors | None = None,
    say: Callable[[float], None] | None = None,
) -> Trained:
    """Train a network on all pairs, and compare its cross-validated AER with that of the built-in network.

    Each fold's links come from a network that was trained on the other folds. All networks align the same folds. With
    `vectors`, networks that are trained without vectors are compared as well. The intervals come from resampled
    sentence pairs. No pair may have an empty sentence. `say` is called with the completed share of the work.
    """
    names = [str(number) for number in range(len(pairs))]
    examples = training_examples(dict(zip(names, pairs, strict=True)), dict(zip(names, gold, strict=True)), vectors)
    folds = folds_of(pairs, seed)
    trainings = (1 if vectors is None else 2) * FOLDS + 1
    done = 0

    def part(size: int) -> Callable[[float], None]:
        nonlocal done
        start, done = done, done + size
        return lambda share: say((start + size * share) / trainings) if say else None

    links = {
        BUILT_IN: links_by_fold(pairs, [(rows, shipped()) for rows in rows_by_fold(folds)]),
        NEW: links_by_fold(pairs, fold_networks(examples, folds, seed, part(FOLDS)), vectors),
    }
    if vectors is not None:
        plain = [[example.without_last(VECTOR_FEATURES) for example in several] for several in examples]
        links[WITHOUT] = links_by_fold(pairs, fold_networks(plain, folds, seed, part(FOLDS)))
    counts = {name: _counts(pairs, gold, found) for name, found in links.items()}
    aer = {
        name: system_figures(each, resamples=resamples, seed=seed)["och_ney"]["aer"] for name, each in counts.items()
    }
    differences = {
        (NEW, name): system_differences(counts[NEW], each, resamples=resamples, seed=seed)["och_ney"]["aer"]
        for name, each in counts.items()
        if name != NEW
    }
    return Trained(trained_network(examples, seed, part(1)), aer, differences)


def _counts(pairs: Sequence[Pair], gold: Sequence[Alignment], links: Sequence[frozenset[Link]]) -> Floats:
    return counts_by_pair(
        [GoldPair(*pair, alignment) for pair, alignment in zip(pairs, gold, strict=True)],
        [Alignment(found) for found in links],
        phrases=False,
        ignore_identical=False,
    )
