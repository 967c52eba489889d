"""Statistics of a word alignment pilot that show how accurate and careful the annotators are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from accord_core.numerics.labels import Floats
from accord_core.pairs.numerics.links import Alignment

# Each annotator gets this number of additional links, which shrink the annotator's agreement towards the mean.
NEUTRAL_LINKS = 20


@dataclass(frozen=True, eq=False)
class Pilot:
    """The alignments in a pilot, for each sentence pair with at least two annotators.

    `sizes` contains the numbers of tokens, `annotators` the numbers of the annotators of each pair, `drawn` their
    alignments, and `start` the pre-alignments. `start`, or the entry of a pair, is None without a pre-alignment.
    """

    sizes: Sequence[tuple[int, int]]
    annotators: Sequence[Sequence[int]]
    drawn: Sequence[Sequence[Alignment]]
    start: Sequence[Alignment | None] | None

    def __post_init__(self) -> None:
        if not self.sizes:
            raise ValueError(
                "The pilot does not show how reliable the alignments are, because no sentence pair has two annotators."
            )

    @property
    def n_annotators(self) -> int:
        return 1 + max(number for numbers in self.annotators for number in numbers)

    @property
    def statistics(self) -> Floats:
        return self.statistics_of(self.drawn, self.start)

    def statistics_of(self, drawn: Sequence[Sequence[Alignment]], start: Sequence[Alignment | None] | None) -> Floats:
        """Return eight statistics: F1 of all links and of sure links between annotators of the same pair, F1 between
        annotators and the pre-alignment, the share of alignments that equal the pre-alignment, the share of suggested
        links that annotators keep, the share of suggested links that one annotator keeps if another removed them, and
        the standard deviation and the minimum of the annotators' F1 with others. A statistic without data is NaN.
        """
        sums = np.zeros((self.n_annotators, 2))
        sure, prealigned, unchanged = np.zeros(2), np.zeros(2), []
        kept, disputed = np.zeros(2), np.zeros(2)
        for place, (numbers, alignments) in enumerate(zip(self.annotators, drawn, strict=True)):
            for (one, first), (other, second) in combinations(zip(numbers, alignments, strict=True), 2):
                sums[[one, other]] += _both(first.links, second.links)
                sure += _both(first.sure, second.sure)
            begun = None if start is None else start[place]
            if begun is not None:
                for alignment in alignments:
                    prealigned += _both(alignment.links, begun.links)
                    unchanged.append(alignment.links == begun.links)
                    kept += len(begun.links & alignment.links), len(begun.links)
                for first, second in permutations(alignments, 2):
                    removed = begun.links - first.links
                    disputed += len(removed & second.links), len(removed)
        mean = _f1(sums.sum(axis=0))
        means = (2 * sums[:, 0] + NEUTRAL_LINKS * mean) / (sums[:, 1] + NEUTRAL_LINKS)
        means = means[sums[:, 1] > 0]
        return np.array(
            [
                mean,
                _f1(sure),
                _f1(prealigned),
                np.mean(unchanged) if unchanged else np.nan,
                _share(kept),
                _share(disputed),
                means.std() if len(means) > 1 else np.nan,
                means.min(initial=1.0),
            ]
        )


def _both(one: frozenset[tuple[int, int]], other: frozenset[tuple[int, int]]) -> tuple[int, int]:
    return len(one & other), len(one) + len(other)


def _f1(sums: Floats) -> float:
    return 2 * _share(sums)


def _share(sums: Floats) -> float:
    return float(sums[0] / sums[1]) if sums[1] else np.nan
