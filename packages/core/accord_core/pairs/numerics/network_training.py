"""Training of the network that estimates how likely annotators are to link two words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord_core.pairs.numerics.link_network import Network
from accord_core.pairs.numerics.links import Alignment

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

ROUNDS, PENALTY = 80, 1e-4
TUNING_ROUNDS, TUNING_PENALTY = 100, 2e-4
"""The number of training steps, and the penalty on the weights' squared distance from 0 or from another network's
weights.
"""
SCALE = 1_000
"""The loss is multiplied by this factor, so that gradients stay above the minimiser's tolerance."""
TINY = 1e-3


class Examples(NamedTuple):
    """The cells that a network learns from."""

    features: Singles
    """(cell, feature)"""
    target: Floats
    """The target for each cell (cell,), which is 1 for a sure link, 1/2 for a possible link, and 0 for all other
    cells.
    """
    weights: Floats
    """Weight (cell,): the number of cells that each cell represents."""


def link_targets(alignment: Alignment, shape: tuple[int, ...]) -> Floats:
    """Return 1 for sure links, 1/2 for possible links, and 0 for other cells (source, target)."""
    values = np.zeros(shape)
    for weight, links in ((0.5, alignment.possible), (1.0, alignment.sure)):
        for link in links:
            values[link] = weight
    return values


def new_network(features: Singles, hidden: int, seed: int | Sequence[int]) -> Network:
    """Return a network with random weights for the columns of `features` (cell, feature)."""
    generator = np.random.default_rng(seed)
    count = features.shape[1]
    return Network(
        means=features.mean(axis=0, dtype=np.float64),
        deviations=features.std(axis=0, dtype=np.float64) + TINY,
        inputs=generator.normal(0, 0.9 / np.sqrt(count), (count, hidden)),
        thresholds=np.zeros(hidden),
        outputs=generator.normal(0, 0.1, hidden),
        direct=np.zeros(count),
        bias=np.full(1, -3.0),
    )


def averaged(networks: list[Network]) -> Network:
    """Return one network whose log odds are the mean of several networks' log odds for the same features."""
    first = networks[0]
    return Network(
        first.means,
        first.deviations,
        np.concatenate([network.inputs for network in networks], axis=1),
        np.concatenate([network.thresholds for network in networks]),
        np.concatenate([network.outputs for network in networks]) / len(networks),
        np.mean([network.direct for network in networks], axis=0),
        np.mean([network.bias for network in networks], axis=0),
    )


def fitted(start: Network, examples: Examples, penalty: float = PENALTY, rounds: int = ROUNDS) -> Network:
    """Return the network that minimises the cross-entropy between its probabilities and the targets.

    The penalty draws the weights towards 0.
    """
    target = examples.target.astype(np.float32)
    share = (examples.weights / examples.weights.sum()).astype(np.float32)

    def loss(score: Singles) -> tuple[float, Singles]:
        entropy = float(share @ (np.logaddexp(0, score) - target * score))
        return entropy, share * (_logistic(score) - target)

    return _minimised(start, examples.features, loss, np.zeros_like(_flat(start)), penalty, rounds)


def tuned(
    start: Network,
    examples: Examples,
    towards: Network | None = None,
    penalty: float = TUNING_PENALTY,
    rounds: int = TUNING_ROUNDS,
) -> Network:
    """Return the network that minimises the expected alignment error rate if links are drawn with its probabilities.

    The rate is calculated from the expected numbers of links (Och and Ney 2003). The penalty draws the weights towards
    those of `towards` or, without this network, towards 0. `start` must already be trained by `fitted`, because the
    rate changes little for a network that is far from the targets.
    """
    weights = examples.weights.astype(np.float32)
    credit = weights * np.where(examples.target == 1, 2, np.where(examples.target > 0, 1, 0)).astype(np.float32)
    sure = float(weights @ (examples.target == 1))

    def loss(score: Singles) -> tuple[float, Singles]:
        probability = _logistic(score)
        hits, links = float(credit @ probability), float(weights @ probability) + sure
        if not links:
            return 0.0, np.zeros_like(score)
        return 1 - hits / links, (weights * (hits / links) - credit) / links * probability * (1 - probability)

    centre = np.zeros_like(_flat(start)) if towards is None else _flat(towards)
    return _minimised(start, examples.features, loss, centre, penalty, rounds)


def _minimised(
    start: Network,
    features: Singles,
    loss: Callable[[Singles], tuple[float, Singles]],
    centre: Floats,
    penalty: float,
    rounds: int,
) -> Network:
    """Return the network that minimises the sum of the scores' loss (cell,) and the penalty, using L-BFGS (Liu and
    Nocedal 1989). `loss` also returns its gradient.
    """
    from scipy.optimize import minimize  # This import is slow, and suggestions do not require it.

    scaled = ((features - start.means) / start.deviations).astype(np.float32)

    def objective(values: Floats) -> tuple[float, Floats]:
        network = Network(start.means, start.deviations, *_parts(values.astype(np.float32), start))
        hidden = np.tanh(scaled @ network.inputs + network.thresholds)
        lost, error = loss((hidden @ network.outputs + scaled @ network.direct + network.bias).astype(np.float32))
        backwards = error[:, None] * network.outputs * (1 - hidden * hidden)
        parts = [(scaled.T @ backwards).ravel(), backwards.sum(axis=0), hidden.T @ error, scaled.T @ error]
        gradient = np.concatenate([*parts, [error.sum()]]).astype(np.float64)
        away = values - centre
        away[-1] = 0  # The penalty does not apply to the bias.
        return SCALE * (lost + penalty / 2 * float(away @ away)), SCALE * (gradient + penalty * away)

    options = {"maxiter": rounds, "maxfun": 2 * rounds}
    found = minimize(objective, _flat(start), jac=True, method="L-BFGS-B", options=options)
    return Network(start.means, start.deviations, *_parts(found.x, start))


def _logistic(score: Singles) -> Singles:
    return (1 / (1 + np.exp(-np.clip(score, -30, 30)))).astype(np.float32)


def _flat(network: Network) -> Floats:
    return np.concatenate([part.ravel() for part in network[2:]]).astype(np.float64)


def _parts(values: NDArray[np.floating], like: Network) -> list[Floats]:
    ends = np.cumsum([part.size for part in like[2:]])[:-1]
    return [part.reshape(old.shape) for part, old in zip(np.split(values, ends), like[2:], strict=True)]
