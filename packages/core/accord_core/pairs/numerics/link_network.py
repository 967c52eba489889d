"""A small neural network that estimates, from the features of two words, how likely annotators are to link them.

The network has one hidden layer and direct connections from the features to the output. The bench command
`bench.prealign_weights` trained the network of `link_network.json` on pairs that annotators had aligned. The inputs of
the network contain no words, so the network can be used for sentences in any language.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

FILE = Path(__file__).with_name("link_network.json")


class Network(NamedTuple):
    """The weights of a network with `features` inputs and `hidden` units."""

    means: Floats
    """The mean of each feature in the training data, as an array of shape (features,)."""
    deviations: Floats
    """The standard deviation of each feature in the training data, as an array of shape (features,)."""
    inputs: Floats
    """(features, hidden)"""
    thresholds: Floats
    """(hidden,)"""
    outputs: Floats
    """(hidden,)"""
    direct: Floats
    """The weights from the features to the output, as an array of shape (features,)."""
    bias: Floats
    """(1,)"""

    def probability(self, features: Singles) -> Floats:
        """Return the probability (…,) that annotators link words with these features (…, features)."""
        scaled = (features - self.means.astype(np.float32)) / self.deviations.astype(np.float32)
        hidden = np.tanh(scaled @ self.inputs.astype(np.float32) + self.thresholds.astype(np.float32))
        score = hidden @ self.outputs.astype(np.float32) + scaled @ self.direct.astype(np.float32)
        return 1 / (1 + np.exp(-np.clip(score.astype(np.float64) + self.bias, -30, 30)))

    def as_json(self) -> str:
        """Return the weights with four significant digits, one array per line."""
        arrays = {name: _rounded(values).tolist() for name, values in self._asdict().items()}
        lines = (f" {json.dumps(name)}: {json.dumps(values)}" for name, values in arrays.items())
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @classmethod
    def from_json(cls, text: str) -> Self:
        return cls(**{name: np.array(values, dtype=np.float64) for name, values in json.loads(text).items()})


@cache
def shipped() -> Network:
    """Return the network that comes with Accord."""
    return Network.from_json(FILE.read_text(encoding="utf-8"))


def _rounded(values: Floats) -> Floats:
    return np.array([float(f"{value:.4g}") for value in values.ravel()]).reshape(values.shape)
