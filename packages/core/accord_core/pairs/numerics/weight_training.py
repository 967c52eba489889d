"""Training of the aligner's network on pairs that annotators have aligned, without a network to start from.

The network learns from each pair with a hidden Markov model that was trained on the sentences of all pairs. It also
learns from one third of the pairs with models that were trained on studies of 50 pairs, and from another third with
models that were trained on each pair alone. In this way, the network suits studies of any size. The target is 1 for
sure links, 1/2 for possible links and 0 for other cells. Cells that the model finds impossible are sampled and
weighted. The network is the mean of several small networks with different random starts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from accord_core.numerics.draws import generator
from accord_core.pairs.numerics.cells import Cells, Vectors
from accord_core.pairs.numerics.hidden_markov import Pair, train
from accord_core.pairs.numerics.link_network import Network
from accord_core.pairs.numerics.links import Alignment, Link
from accord_core.pairs.numerics.network_training import Examples, averaged, fitted, link_targets, new_network, tuned
from accord_core.pairs.numerics.prealign import prealign

HIDDEN, MEMBERS, FOLDS = 16, 4, 5
SMALL_STUDY = 50
EASY_LOG_ODDS, EASY_SHARE = -4.0, 0.12
"""Cells whose log odds (feature 1) are lower are easy. This share of the easy cells without a link is used."""

Say = Callable[[float], None]
FoldNetwork = tuple[list[int], Network]


class Example(NamedTuple):
    """The cells of one pair, from a model that was trained on one selection of sentences."""

    features: NDArray[np.float32]
    target: NDArray[np.float64]
    equal: NDArray[np.bool_]

    def without_last(self, count: int) -> Example:
        """Return the cells without the last `count` features."""
        return self._replace(features=self.features[..., : self.features.shape[-1] - count])


def training_examples(
    pairs: Mapping[str, Pair], gold: Mapping[str, Alignment], vectors: Vectors | None = None
) -> list[list[Example]]:
    """Return the examples of each pair in `gold`. The first example of each pair is from the model of all pairs.

    Pairs are identified by names, which determine the small studies. No pair may have an empty sentence.
    """
    thirds: list[list[str]] = [[], [], []]
    for key in sorted(gold, key=lambda key: crc32(f"study {key}".encode())):
        thirds[crc32(f"third {key}".encode()) % 3].append(key)
    small = [thirds[0][start : start + SMALL_STUDY] for start in range(0, len(thirds[0]), SMALL_STUDY)]
    found: dict[str, list[Example]] = {key: [] for key in gold}
    for study in (list(pairs), *small, *([key] for key in thirds[1])):
        cells = Cells([pairs[key] for key in study], vectors)
        for place, posterior in train([pairs[key] for key in study], lambda share: None):
            if (key := study[place]) in gold:
                features = cells.features(place, posterior)
                found[key].append(Example(features, link_targets(gold[key], features.shape[:2]), cells.equal(place)))
    return list(found.values())


def trained_network(examples: Sequence[Sequence[Example]], seed: int = 0, say: Say = lambda share: None) -> Network:
    """Return the network that is trained on each pair's examples. `say` is called with the completed share of the
    work.
    """
    every = [example for several in examples for example in several]
    draw = np.random.default_rng([1, seed])
    features = np.concatenate([example.features.reshape(-1, example.features.shape[-1]) for example in every])
    linked = np.concatenate([example.target.ravel() for example in every])
    easy = (features[:, 1] < EASY_LOG_ODDS) & (linked == 0)
    used = ~easy | (draw.random(len(easy)) < EASY_SHARE)
    chosen = Examples(features[used], linked[used], np.where(easy, 1 / EASY_SHARE, 1.0)[used])
    members = []
    for member in range(MEMBERS):
        members.append(tuned(fitted(new_network(chosen.features, HIDDEN, [member, seed]), chosen), chosen))
        say((member + 1) / MEMBERS)
    return averaged(members)


def folds_of(pairs: Sequence[Pair], seed: int) -> list[str]:
    """Return a random fold of each pair. Repetitions of a pair, ignoring case and sides, are in the same fold."""
    keys = [tuple(sorted(tuple(word.casefold() for word in side) for side in pair)) for pair in pairs]
    distinct = sorted(set(keys))
    places = generator("folds", seed).permutation(len(distinct)).tolist()
    fold = {key: str(place % FOLDS) for key, place in zip(distinct, places, strict=True)}
    return [fold[key] for key in keys]


def fold_networks(
    examples: Sequence[Sequence[Example]], folds: Sequence[str], seed: int = 0, say: Say = lambda share: None
) -> Iterator[FoldNetwork]:
    """Yield the indexes of each fold's pairs with the network that is trained on the examples of the other pairs."""
    rows_of = rows_by_fold(folds)
    for number, rows in enumerate(rows_of):
        others = [row for row in range(len(folds)) if folds[row] != folds[rows[0]]]
        part = partial(_say_part, say, number, len(rows_of))
        yield rows, trained_network([examples[row] for row in others], seed, part)


def rows_by_fold(folds: Sequence[str]) -> list[list[int]]:
    """Return the indexes of the pairs in each fold, in the order of the folds' names."""
    return [[row for row, other in enumerate(folds) if other == fold] for fold in sorted(set(folds))]


def links_by_fold(
    pairs: Sequence[Pair], networks: Iterable[FoldNetwork], vectors: Vectors | None = None
) -> list[frozenset[Link]]:
    """Return the links of each pair from the network of its fold. Each fold is aligned as a separate study, so that
    pairs from which the network has learned do not influence its links.
    """
    links: dict[int, frozenset[Link]] = {}
    for rows, network in networks:
        links |= zip(rows, prealign([pairs[row] for row in rows], base=network, vectors=vectors), strict=True)
    return [links[row] for row in range(len(pairs))]


def _say_part(say: Say, number: int, count: int, share: float) -> None:
    """Report the completed share of one of `count` equal parts of the work."""
    say((number + share) / count)
