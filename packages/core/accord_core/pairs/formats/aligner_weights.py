"""JSON files for the weights of the built-in aligner's network that were trained on a user's own pairs."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

import numpy as np

from accord_core.exchange.faults import TableError
from accord_core.pairs.numerics.cells import VECTOR_FEATURES
from accord_core.pairs.numerics.link_network import Network, shipped

FORMAT = "accord-aligner-weights"
VERSION = 1
"""The version increases if the features change, because the weights suit only the features that they were trained
with.
"""
NO_MODEL = "the file must be a model that `accord align train` wrote"
DAMAGED = "the model is damaged, because its checksum does not match its contents. Copy or train it again"


class Weights(NamedTuple):
    """A trained network, with the number and the script of the pairs that it was trained on, and the seed.

    `known_vector` is a word with its vector, from which another file of word vectors can be recognised. It is None if
    the network was trained without vectors.
    """

    network: Network
    pairs: int
    script: str | None
    seed: int
    known_vector: tuple[str, list[float]] | None


def write_weights(weights: Weights) -> str:
    """Return the file, with a checksum of its contents. Equal weights produce identical files."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        **weights._asdict(),
        "known_vector": weights.known_vector and list(weights.known_vector),
        "network": json.loads(weights.network.as_json()),
    }
    lines = (f" {json.dumps(key)}: {json.dumps(value)}" for key, value in {**content, "sha256": _sum(content)}.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_weights(data: bytes, *, name: str) -> Weights:
    """Return the weights in a file. Raises TableError if the file is not such a model, if it is damaged, or if a newer
    version of Accord wrote it.
    """
    try:
        content = json.loads(data)
        found, version, checksum = content.pop("format"), content["version"], content.pop("sha256")
    except (ValueError, RecursionError, AttributeError, TypeError, KeyError) as error:
        raise TableError.of_file(name, NO_MODEL) from error
    if found != FORMAT:
        raise TableError.of_file(name, NO_MODEL)
    if version != VERSION:
        reads = f"this version of Accord reads models of version {VERSION}, not of version {version}"
        raise TableError.of_file(name, f"{reads}. Use the version of Accord that trained the model")
    if checksum != _sum({"format": found, **content}):
        raise TableError.of_file(name, DAMAGED)
    try:
        network = Network.from_json(json.dumps(content["network"]))
        known = content["known_vector"]
        weights = Weights(
            network,
            content["pairs"],
            content["script"],
            content["seed"],
            None if known is None else (known[0], known[1]),
        )
        network.probability(np.zeros((1, len(shipped().means) + _count(weights)), dtype=np.float32))
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise TableError.of_file(name, NO_MODEL) from error
    return weights


def _count(weights: Weights) -> int:
    return 0 if weights.known_vector is None else VECTOR_FEATURES


def _sum(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
