"""Scores for a system's sentence vectors on paraphrase sets, based on clustering and on the comparison of P with NP
(Pham et al., 2013).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord_core.evaluation.numerics.differences import paired_mean_difference
from accord_core.numerics.bootstrap import Coefficient
from accord_core.paraphrase.systems.formats.pham import KINDS, PARAPHRASE, ParaphraseSets
from accord_core.paraphrase.systems.numerics.cluster_intervals import cluster_intervals
from accord_core.paraphrase.systems.numerics.clustering import cluster_figures, spherical_k_means
from accord_core.paraphrase.systems.numerics.para_nonpara import ParaNonpara, mean_by_kind, mean_by_sets, para_nonpara

Floats = NDArray[np.float64]
Level = Literal["set", "group"]


class ParaphraseComparison(NamedTuple):
    """The comparison for one P sentence: its mean cosine to the other P sentences and to the NP sentences in the set,
    and the difference for each kind of NP sentence alone, or None if the set has no sentence of that kind.
    """

    para: float
    nonpara: float
    against: Mapping[str, float | None]


def paraphrase_set_scores(
    dataset: ParaphraseSets,
    vectors: ArrayLike,
    baseline: ArrayLike | None = None,
    *,
    level: Level = "set",
    include_self: bool = False,
    seed: int = 1,
    resamples: int = 1000,
    permutations: int = 10_000,
) -> dict[str, Any]:
    """Return the figures for the vectors (n, d) as a JSON object. The vectors are in the same order as the sentences in
    `dataset`.

    `sentences` and `sets` are the total numbers in the file, and `paraphrases` is the number of P sentences. Only the P
    sentences are clustered, and `clusters` is the number of their sets, or of their groups (the roman numerals).
    `purity`, `entropy` and `p_vs_np` are numbers or null. `intervals` contains the 95% intervals. If a number is null,
    or has no interval because there are too few sets, `reasons` contains the reason. `p_vs_np_by_kind` contains the
    comparison with the S, D and SD sentences alone. `left_out` contains the numbers of P sentences that the comparison
    of P with NP excludes. If `baseline` contains the vectors of another system, the result contains the figures of this
    system as `baseline`, and the difference between the two systems in the comparison of P with NP as `difference`.
    Raises ValueError if the number of vectors is wrong, or if a vector has no direction.
    """
    rows = np.asarray(vectors, dtype=np.float64)
    if len(rows) != len(dataset.sentences):
        raise ValueError(
            f"The number of vectors ({len(rows)}) must equal the number of sentences ({len(dataset.sentences)})."
        )
    figures, one = _figures(dataset, rows, level, include_self, seed, resamples)
    if baseline is None:
        return figures
    figures["baseline"], other = _figures(
        dataset, np.asarray(baseline, dtype=np.float64), level, include_self, seed, resamples
    )
    figures["difference"] = paired_mean_difference(
        one.difference, other.difference, one.set, seed=seed, resamples=resamples, permutations=permutations
    )
    return figures


def sentence_comparisons(
    dataset: ParaphraseSets, vectors: ArrayLike, *, include_self: bool = False
) -> list[tuple[int, ParaphraseComparison]]:
    """Return the position in `dataset` and the comparison of each P sentence included in “P against NP”."""
    set_of = {key: n for n, key in enumerate(dataset.keys)}
    found = para_nonpara(
        vectors,
        [each.kind == PARAPHRASE for each in dataset.sentences],
        [set_of[each.set] for each in dataset.sentences],
        kinds=[each.kind for each in dataset.sentences],
        include_self=include_self,
    )
    return [
        (
            int(place),
            ParaphraseComparison(
                float(found.para[n]),
                float(found.nonpara[n]),
                {kind: None if np.isnan(each[n]) else float(each[n]) for kind, each in found.against.items()},
            ),
        )
        for n, place in enumerate(found.sentence)
    ]


def sums_of_words(
    sentences: Sequence[str], vector_of: Callable[[str], Floats | None]
) -> tuple[list[Floats | None], set[str]]:
    """Return the bag-of-words baseline: the sum of the vectors of a sentence's words. If none of the words has a
    vector, return None.

    Each word is looked up first in its original spelling and then in lower case. The words without a vector are also
    returned.
    """
    unknown = set()
    sums: list[Floats | None] = []
    for sentence in sentences:
        total = None
        for word in sentence.split():
            vector = vector_of(word)
            if vector is None:
                vector = vector_of(word.lower())
            if vector is None:
                unknown.add(word)
            else:
                total = vector if total is None else total + vector
        sums.append(total)
    return sums, unknown


def _figures(
    dataset: ParaphraseSets, rows: Floats, level: Level, include_self: bool, seed: int, resamples: int
) -> tuple[dict[str, Any], ParaNonpara]:
    sets = {key: n for n, key in enumerate(dataset.keys)}
    groups = {roman: n for n, roman in enumerate(dict.fromkeys(roman for roman, _ in sets))}
    set_of = np.array([sets[each.set] for each in dataset.sentences])
    group_of = np.array([groups[each.set[0]] for each in dataset.sentences])
    is_para = np.array([each.kind == PARAPHRASE for each in dataset.sentences])
    classes = (set_of if level == "set" else group_of)[is_para]
    kinds = [each.kind for each in dataset.sentences]
    comparison = para_nonpara(rows, is_para, set_of, kinds=kinds, include_self=include_self)
    by_kind = mean_by_kind(comparison, resamples=resamples, seed=seed)
    k = len(np.unique(classes))
    coefficients: dict[str, Coefficient]
    if k:
        clusters = spherical_k_means(rows[is_para], k, seed=seed)
        coefficients = cluster_figures(classes, clusters.cluster_of)
        if resamples:
            coefficients = cluster_intervals(coefficients, rows[is_para], classes, set_of[is_para], seed=seed)
    else:
        nothing = Coefficient(None, reason="there is no P sentence")
        coefficients = {"purity": nothing, "entropy": nothing}
    coefficients["p_vs_np"] = mean_by_sets(comparison, resamples=resamples, seed=seed)
    shown = {name: each.as_figure() for name, each in coefficients.items()}
    figures: dict[str, Any] = {
        "sentences": len(dataset.sentences),
        "sets": len(sets),
        "paraphrases": int(is_para.sum()),
        "level": level,
        "clusters": k,
        "include_self": include_self,
        **{name: figure["value"] for name, figure in shown.items()},
        "intervals": {
            name: None if figure["low"] is None else [figure["low"], figure["high"]] for name, figure in shown.items()
        },
        "p_vs_np_by_kind": {
            kind: {"sentences": by_kind[kind][0], **by_kind[kind][1].as_figure()} for kind in KINDS if kind in by_kind
        },
        "left_out": {"without_second_p": comparison.without_second, "without_np": comparison.without_nonpara},
    }
    reasons = {name: figure["reason"] for name, figure in shown.items() if "reason" in figure}
    return (figures | {"reasons": reasons} if reasons else figures), comparison
