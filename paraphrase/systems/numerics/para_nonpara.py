"""A test of whether paraphrases are more similar to each other than to sentences that only look similar (Pham et al.,
2013).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotate.numerics.bootstrap import Coefficient, percentile_intervals, ratio
from paraphrase.systems.numerics.clustering import directions

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ParaNonpara:
    """The figures for m P sentences. The array `sentence` (m,) contains the rows of the P sentences, in the order of
    the vectors. The array `set` (m,) contains the set number of each P sentence.

    `difference` (m,) is the mean cosine to the other P sentences of the same set, minus the mean cosine to the NP
    sentences of the set. `without_second` is the number of P sentences that are excluded because they are alone in
    their set. `without_nonpara` is the number of other P sentences that are excluded because their set has no NP
    sentence.
    """

    sentence: Ints
    set: Ints
    difference: Floats
    without_second: int
    without_nonpara: int


def para_nonpara(
    vectors: ArrayLike, paraphrase: ArrayLike, sets: ArrayLike, *, include_self: bool = False
) -> ParaNonpara:
    """Compare paraphrases with non-paraphrases (P with NP) for each P sentence of the (n, d) vectors. The array
    `paraphrase` (n,) is true for P sentences, and the array `sets` (n,) contains set numbers.

    With `include_self`, each sentence is also compared with itself, with a cosine of 1. A P sentence that is alone in
    its set is still excluded. Raises ValueError for a vector without a direction.
    """
    rows = directions(vectors)
    is_para: Bools = np.asarray(paraphrase, dtype=bool)
    set_of: Ints = np.asarray(sets, dtype=np.int64)
    sentences, differences = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    without_second = without_nonpara = 0
    for number in np.unique(set_of):
        para = np.flatnonzero(is_para & (set_of == number))
        nonpara = np.flatnonzero(~is_para & (set_of == number))
        if len(para) < 2:
            without_second += len(para)
        elif not len(nonpara):
            without_nonpara += len(para)
        else:
            sentences.append(para)
            differences.append(_differences(rows[para], rows[nonpara], include_self))
    sentence = np.concatenate(sentences)
    return ParaNonpara(sentence, set_of[sentence], np.concatenate(differences), without_second, without_nonpara)


def mean_by_sets(comparison: ParaNonpara, *, resamples: int = 1000, seed: int = 1) -> Coefficient:
    """Return the mean difference over all P sentences. The confidence interval comes from resampled sets, because the
    sentences in a set are similar.

    If there is only one set, the interval is undefined.
    """
    if not len(comparison.difference):
        return Coefficient(None, reason="no set has two P sentences and an NP sentence")
    _, number = np.unique(comparison.set, return_inverse=True)
    sums, counts = np.bincount(number, weights=comparison.difference), np.bincount(number)
    value = float(comparison.difference.mean())
    if not resamples or len(sums) < 2:
        return Coefficient(value)
    (interval,) = percentile_intervals(
        lambda weights: ratio(weights @ sums, weights @ counts)[None],
        np.ones(len(sums), dtype=np.int64),
        resamples=resamples,
        seed=seed,
    )
    return Coefficient(value, interval.low, interval.high, undefined_resamples=interval.undefined)


def _differences(para: Floats, nonpara: Floats, include_self: bool) -> Floats:
    cosines = para @ para.T
    others = len(para)
    if not include_self:
        np.fill_diagonal(cosines, 0.0)
        others -= 1
    mean: Floats = cosines.sum(axis=1) / others - (para @ nonpara.T).mean(axis=1)
    return mean
