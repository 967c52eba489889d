"""Scores with intervals for a system's links and phrase pairs against gold links, and comparisons of systems.

All figures are calculated from counts that are summed over sentence pairs, so resamples of sentence pairs need only one
matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord_core.evaluation.measures import Estimate, Ratio, differences_of_sums, measures_of_sums, precision_recall_f1
from accord_core.evaluation.summed_figures import SummedFigures
from accord_core.numerics.bootstrap import ratio
from accord_core.numerics.labels import Floats
from accord_core.pairs.numerics.links import KINDS, Alignment, identical_links, link_counts, without
from accord_core.words.numerics.phrases import phrase_counts

LINKS = (("sure", "f1"), ("possible", "f1"), ("och_ney", "aer"))
FIGURES_OF = {"f1": ("precision", "recall", "F1"), "aer": ("precision", "recall", "AER")}
PHRASES = tuple((f"phrases {kind}", "f1") for kind in KINDS)


@dataclass(frozen=True)
class GoldPair:
    """A sentence pair with its gold links. `source` and `target` are needed only to compare phrase pairs and to ignore
    identical words.
    """

    source: Sequence[str]
    target: Sequence[str]
    gold: Alignment


def counts_by_pair(
    pairs: Sequence[GoldPair], system: Sequence[Alignment], *, phrases: bool, ignore_identical: bool
) -> Floats:
    """Return each sentence pair's counts as an array (U, 8), or (U, 16) with `phrases`.

    The first eight columns are the fields of `LinkCounts`, with the system as A. The others are |A_atom ∩ B|, |A_atom|,
    |A ∩ B_atom| and |B_atom| for each kind of link. With `ignore_identical`, links between identical words and
    identical phrases do not count (Cohn, Callison-Burch and Lapata 2008).
    """
    rows = []
    for pair, drawn in zip(pairs, system, strict=True):
        ignored = identical_links(pair.source, pair.target) if ignore_identical else frozenset()
        row = list(link_counts(without(drawn, ignored), without(pair.gold, ignored)))
        for kind in KINDS if phrases else ():
            both = drawn.of_kind(kind), pair.gold.of_kind(kind)
            row += phrase_counts(pair.source, pair.target, *both, ignore_identical=ignore_identical)[:4]
        rows.append(row)
    return np.array(rows, dtype=np.float64).reshape(len(pairs), -1)


def estimate(sums: Floats) -> Floats:
    """Return the figures (F, B), in the order of `figure_names`, from sums (B, 8 or 16) of `counts_by_pair`.

    Precision, recall and F1 of sure links and of all links are from Mihalcea and Pedersen (2003). The crossed precision
    and recall and the alignment error rate are from Och and Ney (2003). Precision, recall and F1 of phrase pairs are
    from Cohn, Callison-Burch and Lapata (2008, equation 3).
    """
    ss, sp, ps, pp, sure_a, sure_b, all_a, all_b = sums[:, :8].T
    expected = all_a + sure_b
    aer = np.where(expected == 0, 0.0, 1 - ratio(ps + pp, expected))  # The error is 0 if neither side has any links.
    figures = [
        precision_recall_f1(ss, sure_a, ss, sure_b),
        precision_recall_f1(pp, all_a, pp, all_b),
        np.stack([ratio(sp, sure_a), ratio(ps, sure_b), aer]),
    ]
    figures += [precision_recall_f1(*sums[:, start : start + 4].T) for start in range(8, sums.shape[1], 4)]
    return np.concatenate(figures)


def figure_names(counts: Floats) -> list[tuple[str, str]]:
    """Return each figure's part and name, such as (`och_ney`, `aer`)."""
    parts = [*LINKS, *(PHRASES if counts.shape[1] > 8 else ())]
    return [(part, name) for part, last in parts for name in ("precision", "recall", last)]


def rarer_links(counts: Floats) -> Floats:
    """Return the number of matching or of non-matching links, whichever is smaller, for each figure of `estimate` (F,)
    except those for phrase pairs. `counts` (U, 8) contains each sentence pair's counts.
    """
    ss, sp, ps, pp, sure_a, sure_b, all_a, all_b = counts.sum(axis=0)[:8]
    rarer: list[float] = []
    for found_a, a, found_b, b in ((ss, sure_a, ss, sure_b), (pp, all_a, pp, all_b), (sp, sure_a, ps, sure_b)):
        rarer += [min(found_a, a - found_a), min(found_b, b - found_b)]
        rarer.append(min(found_a + found_b, a + b - found_a - found_b))
    rarer[-1] = min(ps + pp, all_a + sure_b - ps - pp)  # the alignment error rate
    return np.array(rarer)


# The figures of a system if people have aligned a random part of the pairs
ASSISTED = SummedFigures(
    [f"{name} ({'Och and Ney' if part == 'och_ney' else part})" for part, last in LINKS for name in FIGURES_OF[last]],
    estimate,
    rarer_links,
    ranked=8,
    lower=True,
)


def system_figures(counts: Floats, *, resamples: int, seed: int) -> dict[str, dict[str, dict[str, Any]]]:
    """Return each figure's `value`, `low` and `high`, by part and name. The 95% intervals are calculated from resampled
    sentence pairs. An undefined value is None.
    """
    return figures_of_sums(figure_names(counts), counts, estimate, resamples=resamples, seed=seed)


def figures_of_sums(
    names: Sequence[tuple[str, str]], counts: Floats, estimate: Estimate, *, resamples: int, seed: int
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the figures of `system_figures` for different `names` (part and name) and a different `estimate`."""
    measures = measures_of_sums([Ratio(name) for _, name in names], counts, estimate, resamples=resamples, seed=seed)
    figures: dict[str, dict[str, dict[str, Any]]] = {}
    for (part, name), measure in zip(names, measures, strict=True):
        figures.setdefault(part, {})[name] = {"value": measure.value, "low": measure.low, "high": measure.high}
    return figures


def system_differences(
    one: Floats, other: Floats, *, resamples: int, seed: int, permutations: int = 10_000
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the difference between each figure of `one` and the same figure of `other`, with `value`, `low`, `high`
    and `p`, by part and name.

    The interval comes from resampled sentence pairs, with the same pairs for both systems. The two-sided p-value comes
    from permutations in which the systems' results for each pair are swapped at random (`differences_of_sums`).
    """
    return compared_sums(
        figure_names(one), one, other, estimate, resamples=resamples, seed=seed, permutations=permutations
    )


def compared_sums(
    names: Sequence[tuple[str, str]],
    one: Floats,
    other: Floats,
    estimate: Estimate,
    *,
    resamples: int,
    seed: int,
    permutations: int = 10_000,
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the differences of `system_differences` for different `names` (part and name) and a different
    `estimate`.
    """
    found = differences_of_sums(
        [Ratio(name) for _, name in names],
        one,
        other,
        estimate,
        resamples=resamples,
        permutations=permutations,
        seed=seed,
    )
    figures: dict[str, dict[str, dict[str, Any]]] = {}
    for (part, name), each in zip(names, found, strict=True):
        figure = {"value": each.value, "low": each.low, "high": each.high, "p": each.p}
        figures.setdefault(part, {})[name] = figure
    return figures
