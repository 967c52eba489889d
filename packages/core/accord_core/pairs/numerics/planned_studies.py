"""Simulated studies of sentence pairs: the parts that word alignment and chunk alignment share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np

from accord_core.numerics.labels import Floats
from accord_core.numerics.plan_costs import counted_careless
from accord_core.numerics.planning import MOST_PER_QUESTION, Assumption

Sizes = Sequence[tuple[int, int]]


class PairPilot(Protocol):
    """A pilot's answers, with the sizes of its sentence pairs and the statistics for estimating the assumptions."""

    @property
    def sizes(self) -> Sizes: ...

    @property
    def statistics(self) -> Floats: ...


Pilot = TypeVar("Pilot", bound=PairPilot)


@dataclass(frozen=True, eq=False)
class PairStudies(ABC, Generic[Pilot]):
    """Studies in which several of the `annotators` align each sentence pair.

    `sizes` contains the numbers of units in both sentences of each pair. In a study, but not in the pilot, the quality
    rule stops the share `caught` of the careless annotators.
    """

    sizes: Sizes
    annotators: int
    assumptions: Sequence[Assumption]
    caught: float = 0.0
    pilot: Pilot | None = None

    @property
    def most(self) -> int:
        """The largest number of annotators per pair. Each annotator aligns a pair only once."""
        return min(MOST_PER_QUESTION, self.annotators)

    @property
    def observed(self) -> Floats | None:
        return None if self.pilot is None else self.pilot.statistics

    def simulate_pilot(self, values: Mapping[str, float], generator: np.random.Generator) -> Floats:
        """Return the statistics of a simulated pilot with the pairs and annotators of the actual pilot."""
        if self.pilot is None:
            raise ValueError("The model cannot simulate a pilot, because it was created without one.")
        return self.pilot_statistics(self.pilot, values, values["careless"], generator)

    def simulate_unfinished(self, values: Mapping[str, float], generator: np.random.Generator) -> Floats:
        """Return the main figure (2,) of simulated annotators of the pilot's pairs. Both values are equal."""
        if self.pilot is None:
            raise ValueError(
                "The model cannot simulate an unfinished study, because the model was created without a pilot."
            )
        share = counted_careless(values["careless"], self.caught)
        return np.full(2, self.pilot_statistics(self.pilot, values, share, generator)[0])

    @staticmethod
    @abstractmethod
    def pilot_statistics(
        pilot: Pilot, values: Mapping[str, float], share: float, generator: np.random.Generator
    ) -> Floats:
        """Simulate the answers of the pilot's annotators, of whom the `share` is careless, and return their statistics.
        The first statistic is the main figure.
        """


def sizes_of_pairs(
    pairs: int, pilot: PairPilot | None, units: tuple[int, int], difference: int, generator: np.random.Generator
) -> list[tuple[int, int]]:
    """Return the sizes of simulated pairs, which are those of random pairs of the pilot. Without a pilot, the number of
    units in a source sentence is drawn from the range `units`, and the target sentence differs by at most `difference`
    units.

    Raises ValueError for fewer than two pairs.
    """
    if pairs < 2:
        raise ValueError(f"Agreement can be calculated only for two or more sentence pairs, but the number is {pairs}.")
    if pilot is not None:
        return [pilot.sizes[row] for row in generator.integers(len(pilot.sizes), size=pairs).tolist()]
    source = generator.integers(units[0], units[1] + 1, size=pairs)
    target = np.maximum(2, source + generator.integers(-difference, difference + 1, size=pairs))
    return list(zip(source.tolist(), target.tolist(), strict=True))
