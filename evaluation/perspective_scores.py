"""Perspectivist scores of systems that predict the label of each annotator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from accord_core.evaluation.measures import Ratio, differences_of_sums, measures_of_sums
from accord_core.evaluation.numerics.perspectives import estimate, majority_counts, perspective_counts
from accord_core.exchange.faults import Fault, TableError
from accord_core.exchange.labels import LabelFile, numbers_of, read_labels
from accord_core.numerics.labels import Labels
from annotate.tasktypes import Baseline, Difference, Measure

if TYPE_CHECKING:
    from accord_core.numerics.labels import Floats, Ints

MEASURES = (
    Ratio("Error rate", lower=True, undefined="no item has a label"),
    Ratio("Absolute distance", lower=True, undefined="the labels are not numbers"),
)
MAJORITY = "Majority of the other annotators"


class Perspectives(NamedTuple):
    """The collected labels, the systems' predictions (L,) of each label, and the scale, if labels are numbers."""

    labels: Labels
    predicted: list[Ints]
    positions: list[float] | None
    points: float

    def counts(self, system: int) -> Floats:
        return perspective_counts(self.labels, self.predicted[system], self.positions, self.points)

    def measures(self, system: int, *, resamples: int, seed: int) -> list[Measure]:
        """Return a system's measures, with 95% intervals from resampled items."""
        return measures_of_sums(MEASURES, self.counts(system), estimate, resamples=resamples, seed=seed)

    def differences(self, one: int, other: int, *, resamples: int, permutations: int, seed: int) -> list[Difference]:
        """Return the first system's measures minus the second system's measures, on the same labels."""
        counts, less = self.counts(one), self.counts(other)
        return differences_of_sums(
            MEASURES, counts, less, estimate, resamples=resamples, permutations=permutations, seed=seed
        )

    def baseline(self, *, resamples: int, seed: int) -> Baseline:
        """Return the measures of predicting the most frequent label of the item's other annotators."""
        counts = majority_counts(self.labels, self.positions, self.points)
        names = (MEASURES[0]._replace(undefined="no item has two labels"), MEASURES[1])
        return Baseline(MAJORITY, measures_of_sums(names, counts, estimate, resamples=resamples, seed=seed))


def read_perspectives(
    gold: LabelFile, systems: Sequence[tuple[str, bytes]], *, points: int | None = None
) -> Perspectives:
    """Return the collected labels beside each system's predictions, from label files with a name and bytes each.

    By default, the scale has one point for each whole number from the lowest to the highest collected label. Raises
    TableError with the errors in a file, such as collected labels without a prediction.
    """
    files = [read_labels(data, name=name, also=gold.names) for name, data in systems]
    names = list(dict.fromkeys(label for file in (gold, *files) for label in file.names))
    number = {label: place for place, label in enumerate(names)}
    labels = gold.labels
    own = np.array([number[label] for label in gold.names])
    collected = Labels(
        labels.item, labels.annotator, own[labels.label], labels.n_items, labels.n_annotators, len(names)
    )
    scale = numbers_of(gold.names)
    return Perspectives(
        collected,
        [_predicted(gold, file, name, number) for file, (name, _) in zip(files, systems, strict=True)],
        numbers_of(names),
        points or (max(scale) - min(scale) + 1 if scale else 1),
    )


def _predicted(gold: LabelFile, file: LabelFile, name: str, number: dict[str, int]) -> Ints:
    cells = zip(file.labels.item, file.labels.annotator, file.labels.label, strict=True)
    known = {(file.items[item], file.annotators[who]): number[file.names[label]] for item, who, label in cells}
    asked = [
        (gold.items[item], gold.annotators[who])
        for item, who in zip(gold.labels.item, gold.labels.annotator, strict=True)
    ]
    missing = [
        Fault(None, None, f"the label of {who} for {item} is missing. A system must predict every collected label")
        for item, who in asked
        if (item, who) not in known
    ]
    if missing:
        raise TableError(name, missing)
    return np.array([known[key] for key in asked], dtype=np.int64)
