"""Sentence vectors that are pooled from word vectors by mean or maximum, and the cosine similarity of sentence pairs
(STR-2021, §5 and §6.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Pooling = Literal["mean", "max"]


class Coverage(NamedTuple):
    """The number of tokens and the number of tokens with a vector, both for all tokens and for distinct tokens."""

    tokens: int
    covered: int
    types: int
    covered_types: int


def forms(tokens: Iterable[str]) -> set[str]:
    """Return the forms for looking up the tokens' vectors: the tokens themselves and their lower-case forms."""
    return {form for token in tokens for form in (token, token.lower())}


def vector_of(token: str, vectors: Mapping[str, Floats]) -> Floats | None:
    """Return a token's vector (d,) or, if the file does not contain the token, the vector of its lower-case form."""
    vector = vectors.get(token)
    return vectors.get(token.lower()) if vector is None else vector


def pooled(sentences: Sequence[Sequence[str]], vectors: Mapping[str, Floats], pooling: Pooling = "mean") -> Floats:
    """Return the vectors (n, d) of tokenised sentences. If none of a sentence's tokens has a vector, its row is NaN.

    `mean` averages the vectors of all tokens, and each occurrence of a repeated token counts. `max` takes the maximum
    of each dimension. Tokens without a vector are ignored. Raises ValueError for an unknown pooling.
    """
    if pooling not in ("mean", "max"):
        raise ValueError(f"The pooling must be mean or max, not {pooling}.")
    width = len(next(iter(vectors.values()))) if vectors else 0
    result = np.full((len(sentences), width), np.nan)
    for row, tokens in enumerate(sentences):
        found = [vector for token in tokens if (vector := vector_of(token, vectors)) is not None]
        if found:
            result[row] = np.mean(found, axis=0) if pooling == "mean" else np.max(found, axis=0)
    return result


def cosines(first: Floats, second: Floats) -> Floats:
    """Return the cosine similarity (n,) between the rows of two arrays (n, d), or NaN if a vector is NaN or zero."""
    first, second = _scaled(first), _scaled(second)
    product = np.sqrt((first * first).sum(axis=1) * (second * second).sum(axis=1))
    dot = (first * second).sum(axis=1)
    usable = np.isfinite(dot) & (product > 0)
    similarity: Floats = np.divide(dot, product, out=np.full(len(dot), np.nan), where=usable)
    return np.asarray(np.clip(similarity, -1, 1))


def _scaled(vectors: Floats) -> Floats:
    """Return each row (n, d), divided by a power of two so that its largest number is between ½ and 1. The division is
    exact, and it prevents squares from becoming infinite or zero.
    """
    _, exponents = np.frexp(np.abs(vectors).max(axis=1, keepdims=True, initial=0.0))
    return np.asarray(np.ldexp(vectors, -exponents))


def coverage(sentences: Iterable[Sequence[str]], vectors: Mapping[str, Floats]) -> Coverage:
    """Return how many tokens in the sentences have a vector."""
    tokens = [token for sentence in sentences for token in sentence]
    known = {token for token in set(tokens) if vector_of(token, vectors) is not None}
    return Coverage(len(tokens), sum(token in known for token in tokens), len(set(tokens)), len(known))
