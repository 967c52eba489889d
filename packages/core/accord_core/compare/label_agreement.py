"""Agreement between the labels of the same units in two or more studies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord_core.numerics.agreement import agreement
from accord_core.numerics.bootstrap import Coefficient, ratio
from accord_core.numerics.group_agreement import agreement_of_counts
from accord_core.numerics.labels import Floats, Ints, Labels

FIGURES = {"equal": "Equal labels", "kappa": "Cohen’s κ"}
NAMES = ("fleiss_kappa", "krippendorff_alpha_nominal")


def label_agreement(
    one: Sequence[str], other: Sequence[str], clusters: Sequence[str], *, resamples: int, seed: int
) -> dict[str, Coefficient]:
    """Return the share of equal labels and Cohen's κ of two lists of labels (U,). Intervals come from resampled
    `clusters` (U,), such as questions.
    """
    if not len(one):
        return dict.fromkeys(FIGURES, Coefficient(None, reason="there are no shared labels"))
    first, second = _numbered([one, other])
    q = int(max(first.max(), second.max())) + 1
    columns = np.concatenate([np.eye(q)[first], np.eye(q)[second], (first == second)[:, None]], axis=1)
    _, cluster = np.unique(np.asarray(clusters), return_inverse=True)
    counts = np.zeros((int(cluster.max()) + 1, columns.shape[1]))
    np.add.at(counts, cluster.ravel(), columns)
    figures = agreement_of_counts(counts, equal_and_kappa, resamples=resamples, seed=seed)
    return dict(zip(FIGURES, figures, strict=True))


def equal_and_kappa(sums: Floats) -> Floats:
    """Return the share of equal labels and Cohen's κ (2, B) from sums (B, 2q + 1): the frequencies of the q labels in
    both studies, and the number of equal labels.
    """
    q = (sums.shape[1] - 1) // 2
    total = sums[:, :q].sum(axis=1)
    observed = ratio(sums[:, -1], total)
    expected = ratio((sums[:, :q] * sums[:, q : 2 * q]).sum(axis=1), total**2)
    return np.stack([observed, ratio(observed - expected, 1 - expected)])


def several_studies(
    runs: Sequence[Sequence[str]], clusters: Sequence[str], *, resamples: int, seed: int
) -> dict[str, Coefficient]:
    """Return Fleiss' κ and Krippendorff's α of the labels (R, U) in R studies, which count as annotators (type III in
    QRA++, Belz 2025).
    """
    numbered = _numbered(runs)
    size = len(numbered[0])
    labels = Labels(
        np.tile(np.arange(size), len(numbered)),
        np.repeat(np.arange(len(numbered)), size),
        np.concatenate(numbered),
        size,
        len(numbered),
        int(max(each.max(initial=0) for each in numbered)) + 1,
    )
    cluster = np.unique(np.asarray(clusters), return_inverse=True)[1].ravel()
    figures = agreement(labels, resamples=resamples, seed=seed, clusters=cluster)
    return {name: figures[name] for name in NAMES}


def _numbered(runs: Sequence[Sequence[str]]) -> list[Ints]:
    numbers: dict[str, int] = {}
    return [np.array([numbers.setdefault(label, len(numbers)) for label in run], dtype=np.int64) for run in runs]
