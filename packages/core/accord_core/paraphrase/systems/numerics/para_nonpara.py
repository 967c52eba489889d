"""A test of whether paraphrases are more similar to each other than to sentences that only look similar (Pham et al.,
2013).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord_core.numerics.bootstrap import Coefficient, percentile_intervals, ratio
from accord_core.paraphrase.systems.numerics.clustering import directions

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ParaNonpara:
    """The figures for m P sentences. The array `sentence` (m,) contains the rows of the P sentences, in vector order.
    The array `set` (m,) contains the set number of each P sentence.

    `para` (m,) is the mean cosine to the other P sentences of the same set, and `nonpara` (m,) is the mean cosine to
    the NP sentences of the set. `difference` (m,) is `para` minus `nonpara`. `against` contains the same difference for
    each kind of NP sentences alone, with NaN if the set has no sentence of the kind. `without_second` is the number of
    P sentences that are excluded because they are alone in their set. `without_nonpara` is the number of other P
    sentences that are excluded because their set has no NP sentence.
    """

    sentence: Ints
    set: Ints
    para: Floats
    nonpara: Floats
    against: Mapping[str, Floats]
    without_second: int
    without_nonpara: int

    @property
    def difference(self) -> Floats:
        return self.para - self.nonpara


def para_nonpara(
    vectors: ArrayLike,
    paraphrase: ArrayLike,
    sets: ArrayLike,
    *,
    kinds: Sequence[str] | None = None,
    include_self: bool = False,
) -> ParaNonpara:
    """Compare paraphrases with non-paraphrases (P with NP) for each P sentence of the (n, d) vectors. The array
    `paraphrase` (n,) is true for P sentences, the array `sets` (n,) contains set numbers, and `kinds` (n,) contains the
    kind of each sentence, such as S, D or SD.

    With `include_self`, each sentence is also compared with itself, with a cosine of 1. A P sentence that is alone in
    its set is still excluded. Raises ValueError for a vector without a direction.
    """
    rows = directions(vectors)
    is_para: Bools = np.asarray(paraphrase, dtype=bool)
    set_of: Ints = np.asarray(sets, dtype=np.int64)
    kind_of = np.array(kinds if kinds is not None else [""] * len(rows))
    names = list(dict.fromkeys(kind_of[~is_para].tolist())) if kinds is not None else []
    sentences: list[Ints] = [np.zeros(0, dtype=np.int64)]
    para_means, nonpara_means = [np.zeros(0)], [np.zeros(0)]
    of_kinds: dict[str, list[Floats]] = {name: [np.zeros(0)] for name in names}
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
            to_nonpara = rows[para] @ rows[nonpara].T
            para_means.append(_mean_to_others(rows[para], include_self))
            nonpara_means.append(to_nonpara.mean(axis=1))
            for name, parts in of_kinds.items():
                chosen = to_nonpara[:, kind_of[nonpara] == name]
                parts.append(chosen.mean(axis=1) if chosen.shape[1] else np.full(len(para), np.nan))
    sentence, para_mean = np.concatenate(sentences), np.concatenate(para_means)
    return ParaNonpara(
        sentence,
        set_of[sentence],
        para_mean,
        np.concatenate(nonpara_means),
        {name: para_mean - np.concatenate(parts) for name, parts in of_kinds.items()},
        without_second,
        without_nonpara,
    )


def mean_by_sets(comparison: ParaNonpara, *, resamples: int = 1000, seed: int = 1) -> Coefficient:
    """Return the mean difference over all P sentences. The confidence interval is based on resampled sets, because the
    sentences in a set are similar.

    If there is only one set, the interval is undefined.
    """
    return _mean(
        comparison.difference, comparison.set, "no set has two P sentences and an NP sentence", resamples, seed
    )


def mean_by_kind(
    comparison: ParaNonpara, *, resamples: int = 1000, seed: int = 1
) -> dict[str, tuple[int, Coefficient]]:
    """For each kind of NP sentence, return the number of P sentences whose sets contain this kind, and their mean
    difference with an interval from resampled sets.
    """
    means = {}
    for kind, difference in comparison.against.items():
        known = ~np.isnan(difference)
        reason = f"no set has two P sentences and a sentence of the kind {kind}"
        means[kind] = int(known.sum()), _mean(difference[known], comparison.set[known], reason, resamples, seed)
    return means


def _mean(difference: Floats, sets: Ints, reason: str, resamples: int, seed: int) -> Coefficient:
    if not len(difference):
        return Coefficient(None, reason=reason)
    _, number = np.unique(sets, return_inverse=True)
    sums, counts = np.bincount(number, weights=difference), np.bincount(number)
    value = float(difference.mean())
    if not resamples or len(sums) < 2:
        return Coefficient(value)
    (interval,) = percentile_intervals(
        lambda weights: ratio(weights @ sums, weights @ counts)[None],
        np.ones(len(sums), dtype=np.int64),
        resamples=resamples,
        seed=seed,
        expanded=True,
    )
    return Coefficient(value, interval.low, interval.high, undefined_resamples=interval.undefined)


def _mean_to_others(para: Floats, include_self: bool) -> Floats:
    cosines = para @ para.T
    others = len(para)
    if not include_self:
        np.fill_diagonal(cosines, 0.0)
        others -= 1
    mean: Floats = cosines.sum(axis=1) / others
    return mean
