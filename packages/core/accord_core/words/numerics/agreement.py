"""Agreement between two annotators on word links and phrase pairs, as in Tables 3 and 4 of Cohn et al. (2008).

Every figure is calculated from numbers that can be summed over pairs. A thousand resamples of sentence pairs therefore
need only one matrix product, and each phrase is extracted only once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord_core.numerics.bootstrap import Interval, percentile_intervals, ratio
from accord_core.numerics.draws import derived_seed, generator
from accord_core.numerics.labels import Floats
from accord_core.pairs.numerics.links import KINDS, Alignment, Kind, Link, edits, identical_links, link_counts, without
from accord_core.words.numerics.chance import edit_fit, overlap, sampled_link_overlap, sampled_phrase_overlap
from accord_core.words.numerics.phrases import phrase_counts

Row = dict[str, Any]

NO_PAIRS = "there are no sentence pairs"
NO_PREALIGNMENT = "no sentence pair has a pre-alignment"
NO_SAMPLES = "the chance agreement is unknown, because no alignments were sampled"
ALWAYS_AGREE = "the chance agreement is 1"


@dataclass(frozen=True)
class AlignedPair:
    """A sentence pair with two alignments and, optionally, the pre-alignment from which both annotators started.

    Raises ValueError for a sentence without tokens and for a link outside the sentences.
    """

    source: Sequence[str]
    target: Sequence[str]
    first: Alignment
    second: Alignment
    prealignment: frozenset[Link] | None

    def __post_init__(self) -> None:
        n, m = len(self.source), len(self.target)
        if not (n and m):
            raise ValueError("a sentence has no tokens")
        for i, j in self.first.links | self.second.links | (self.prealignment or frozenset()):
            if not (0 <= i < n and 0 <= j < m):
                raise ValueError(f"link ({i}, {j}) is outside a pair of {n} and {m} tokens")


def word_agreement(
    pairs: Sequence[AlignedPair],
    *,
    ignore_identical: bool = True,
    interchangeable: bool = False,
    seed: int,
    resamples: int = 1000,
    samples: int = 100,
) -> Row:
    """Return the agreement between two annotators on word links, as in Table 3 of Cohn, Callison-Burch and Lapata
    (2008).

    The second annotator is the reference. `possible` compares all links of both annotators, because P in the paper
    includes the sure links. `sure` compares only the sure links. Each part contains precision |A ∩ B| / |A|, recall |A
    ∩ B| / |B|, F1 and C. `och_ney` contains the crossed figures of the paper (equation 2): |A_S ∩ B_P| / |A_S|, |A_P ∩
    B_S| / |B_S| and the F1 of both. With `ignore_identical`, as in the paper, links between identical words do not
    count. Only the number of edits of the pre-alignment is based on all cells.

    `interchangeable` is for pairs that were not all aligned by the same two annotators, so that it is arbitrary which
    annotator of a pair comes first. Each comparison then counts in both directions, and a single edit model is fitted
    to all annotators. Otherwise, the crossed figures would depend on the order. Precision, recall and F1 are equal.

    C = (π̂ − π̂₀)/(1 − π̂₀). π̂ is the mean over pairs of |A ∩ B| / min(|A|, |B|). π̂₀ is the mean of the same ratio
    over `samples` alignments in which each annotator only changes cells of the pre-alignment at random, as often as the
    real annotator (see the module `chance`). The figure contains both as `observed` and `chance`. S and P are separate
    matrices, each compared with all pre-aligned links: if an annotator changes a suggested link to possible, P does not
    change, but S loses the link. If neither annotator changed anything, π̂₀ is 1 and C is undefined. Pairs without a
    pre-alignment count in all figures except C. `without_prealignment` is the number of these pairs. If `samples` is 0,
    C is not calculated.

    A figure has the form {"value", "low", "high"}, with a percentile interval from `resamples` seeded resamples of
    sentence pairs. For C, the resamples use the edit models that were fitted to all pairs. The alignments of each pair
    are sampled independently, so the variation between pairs, and therefore the interval, includes the random error of
    the samples. If a figure is undefined, `value` is None, and `reason` contains the reason.
    """
    parts: dict[str, Floats] = {}
    counts = []
    for pair in pairs:
        identical = identical_links(pair.source, pair.target) if ignore_identical else frozenset()
        counts.append(link_counts(without(pair.first, identical), without(pair.second, identical)))
    ss, sp, ps, pp, sure_a, sure_b, all_a, all_b = np.array(counts, dtype=np.float64).reshape(-1, 8).T
    by_kind: dict[Kind, tuple[Floats, Floats, Floats]] = {"possible": (pp, all_a, all_b), "sure": (ss, sure_a, sure_b)}
    for kind, (both, a, b) in by_kind.items():
        chance = _chance(pairs, kind, sampled_link_overlap, ignore_identical, interchangeable, samples, seed)
        parts[kind] = np.stack([*_directions(both, a, both, b, interchangeable), overlap(both, a, b), chance])
    parts["och_ney"] = np.stack(_directions(sp, sure_a, ps, sure_b, interchangeable))
    compared = {"possible": "links", "sure": "sure links", "och_ney": "sure links"}
    return _row(pairs, parts, compared, resamples, seed)


def phrase_agreement(
    pairs: Sequence[AlignedPair],
    *,
    ignore_identical: bool = True,
    interchangeable: bool = False,
    seed: int,
    resamples: int = 1000,
    samples: int = 100,
) -> Row:
    """Return the agreement between two annotators on phrase pairs, as in Table 4 of Cohn, Callison-Burch and Lapata
    (2008).

    The function corresponds to `word_agreement`, but compares the phrase pairs that follow from all links (`possible`)
    and from only the sure links (`sure`). Precision |A_atom ∩ B| / |A_atom| and recall |A ∩ B_atom| / |B_atom| compare
    atomic phrase pairs with all phrase pairs (equation 3). C is calculated from the atomic phrase pairs of both
    annotators. With `ignore_identical`, pairs of identical phrases are removed from A_atom and B_atom after the
    extraction. The result has no `och_ney`.
    """
    parts: dict[str, Floats] = {}
    for kind in reversed(KINDS):
        counts = [
            phrase_counts(
                pair.source,
                pair.target,
                pair.first.of_kind(kind),
                pair.second.of_kind(kind),
                ignore_identical=ignore_identical,
            )
            for pair in pairs
        ]
        a_in_b, a, b_in_a, b, both = np.array(counts, dtype=np.float64).reshape(-1, 5).T
        chance = _chance(pairs, kind, sampled_phrase_overlap, ignore_identical, interchangeable, samples, seed)
        parts[kind] = np.stack([*_directions(a_in_b, a, b_in_a, b, interchangeable), overlap(both, a, b), chance])
    compared = {"possible": "phrase pairs", "sure": "phrase pairs of sure links"}
    return _row(pairs, parts, compared, resamples, seed)


def _directions(found_a: Floats, a: Floats, found_b: Floats, b: Floats, interchangeable: bool) -> list[Floats]:
    """Return the numerators and denominators of precision and recall. They are equal for interchangeable annotators."""
    return [found_a + found_b, a + b] * 2 if interchangeable else [found_a, a, found_b, b]


def _chance(
    pairs: Sequence[AlignedPair],
    kind: Kind,
    sampled_overlap: Callable[..., float],
    ignore_identical: bool,
    interchangeable: bool,
    samples: int,
    seed: int,
) -> Floats:
    """Return the overlap (pairs,) expected by chance, or NaN if there is no pre-alignment."""
    chance = np.full(len(pairs), np.nan)
    started = [(k, pair, pair.prealignment) for k, pair in enumerate(pairs) if pair.prealignment is not None]
    if not started or not samples:
        return chance
    sizes = [(len(pair.source), len(pair.target)) for _, pair, _ in started]
    changed = [
        [edits(before, annotated.of_kind(kind)) for annotated in (pair.first, pair.second)]
        for _, pair, before in started
    ]
    if not np.any(changed):
        chance[[k for k, _, _ in started]] = 1.0
        return chance
    if interchangeable:
        first = second = edit_fit(
            [size for size in sizes for _ in range(2)], [each for edited in changed for each in edited]
        )
    else:
        first, second = (edit_fit(sizes, edited) for edited in zip(*changed, strict=True))
    for (k, pair, before), size in zip(started, sizes, strict=True):
        chance[k] = sampled_overlap(
            before,
            pair.source,
            pair.target,
            (first.probability(*size), second.probability(*size)),
            samples=samples,
            generator=generator(seed, "alignment by chance", k),
            ignore_identical=ignore_identical,
        )
    return chance


def _row(
    pairs: Sequence[AlignedPair], parts: dict[str, Floats], compared: dict[str, str], resamples: int, seed: int
) -> Row:
    """Return the figures for each part, calculated from arrays of shape (4 or 6, pairs) that contain counts for each
    pair. `compared` maps each part to the name of the compared unit.
    """

    def estimate(weights: Floats) -> Floats:
        return np.concatenate([_figures(numbers, weights) for numbers in parts.values()])

    values = estimate(np.ones((1, len(pairs))))[:, 0].tolist()
    intervals = [Interval(None, None, 0)] * len(values)
    if pairs and resamples:
        intervals = percentile_intervals(
            estimate,
            np.ones(len(pairs), dtype=np.int64),
            resamples=resamples,
            seed=derived_seed(seed, "alignment agreement"),
            width=len(parts),
        )
    told = iter(zip(values, intervals, strict=True))
    row: Row = {"pairs": len(pairs), "without_prealignment": sum(pair.prealignment is None for pair in pairs)}
    for part, numbers in parts.items():
        row[part] = {name: _told(*next(told)) for name in ("precision", "recall", "f1")}
        if len(numbers) == 6:
            held = ~np.isnan(numbers[5])
            row[part]["c"] = _told(*next(told))
            row[part]["c"] |= {
                "observed": float(numbers[4, held].mean()) if held.any() else None,
                "chance": float(numbers[5, held].mean()) if held.any() else None,
            }
        _explain(row[part], numbers, compared[part], row["pairs"] - row["without_prealignment"])
    return row


def _figures(numbers: Floats, weights: Floats) -> Floats:
    """Return precision, recall and F1 for `weights` (B, pairs), and C if agreement is corrected for chance. The result
    has the shape (3 or 4, B).
    """
    found_a, a, found_b, b = numbers[:4] @ weights.T
    precision, recall = ratio(found_a, a), ratio(found_b, b)
    # The harmonic mean of two zeros is 0. The mean is undefined if either value is undefined.
    f1 = np.where(precision + recall == 0, 0.0, ratio(2 * precision * recall, precision + recall))
    if len(numbers) == 4:
        return np.stack([precision, recall, f1])
    held = ~np.isnan(numbers[5])
    observed, chance = numbers[4:, held] @ weights[:, held].T
    # Sums over pairs are used instead of means, because the number of pairs cancels out.
    c = ratio(observed - chance, weights[:, held].sum(axis=1) - chance)
    return np.stack([precision, recall, f1, c])


def _told(value: float, interval: Interval) -> Row:
    if np.isnan(value):
        return {"value": None, "low": None, "high": None}
    return {"value": value, "low": interval.low, "high": interval.high}


def _explain(figures: Row, numbers: Floats, compared: str, with_prealignment: int) -> None:
    """Add an explanation to each undefined figure."""
    if not numbers.size:
        reasons = dict.fromkeys(figures, NO_PAIRS)
    else:
        first, second = (f"the {who} annotator has no {compared} to compare" for who in ("first", "second"))
        reasons = {"precision": first, "recall": second, "f1": second if numbers[1].any() else first}
        unknown = NO_SAMPLES if with_prealignment else NO_PREALIGNMENT
        reasons["c"] = unknown if np.isnan(numbers[-1]).all() else ALWAYS_AGREE
    for name, figure in figures.items():
        if figure["value"] is None:
            figure["reason"] = reasons[name]
