"""Statistics of a chunk alignment pilot that show how accurate and careful the annotators are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from accord_core.chunks.numerics.scores import MEASURES, TokenLinks, added, overlap
from accord_core.numerics.labels import Floats

# Each annotator gets additional links with this weight and the overall F1, which shrink the annotator's F1 towards it.
NEUTRAL_LINKS = 20


@dataclass(frozen=True, eq=False)
class Pilot:
    """The annotations in a pilot, for each sentence pair with at least two annotators.

    `sizes` contains the numbers of chunks in both sentences, `annotators` the numbers of the annotators of each pair,
    and `drawn` their token links.
    """

    sizes: Sequence[tuple[int, int]]
    annotators: Sequence[Sequence[int]]
    drawn: Sequence[Sequence[TokenLinks]]

    def __post_init__(self) -> None:
        if not self.sizes:
            raise ValueError(
                "The pilot does not show how reliable the annotations are, because no sentence pair has two annotators."
            )

    @property
    def n_annotators(self) -> int:
        return 1 + max(number for numbers in self.annotators for number in numbers)

    @property
    def statistics(self) -> Floats:
        return self.statistics_of(self.drawn)

    def statistics_of(self, drawn: Sequence[Sequence[TokenLinks]]) -> Floats:
        """Return six statistics: the four official F1 measures between annotators of the same pair, and the standard
        deviation and the minimum of the annotators' F1 Typ+Sco with others.
        """
        overlaps = []
        sums = np.zeros((self.n_annotators, 2))
        for numbers, of_pair in zip(self.annotators, drawn, strict=True):
            for (one, first), (other, second) in combinations(zip(numbers, of_pair, strict=True), 2):
                both = overlap(first, second, 2016)
                overlaps.append(both)
                sums[[one, other]] += sum(both.found["f1_typ_sco"]), both.system + both.gold
        total = added(overlaps)
        figures = [total.figures(measure).f1 for measure in MEASURES]
        means = (sums[:, 0] + NEUTRAL_LINKS * figures[-1]) / (sums[:, 1] + NEUTRAL_LINKS)
        means = means[sums[:, 1] > 0]
        spread = means.std() if len(means) > 1 else np.nan
        return np.array([*figures, spread, means.min(initial=1.0)])
