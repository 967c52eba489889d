"""Simulated label studies for predicting agreement and the accuracy of majority labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from accord_core.numerics.agreement import krippendorff_alpha
from accord_core.numerics.intervals import Z_95
from accord_core.numerics.labels import UNDECIDED, Bools, Floats, Ints, Labels, majority
from accord_core.numerics.plan_costs import counted_careless
from accord_core.numerics.planning import MOST_PER_QUESTION, Assumption
from accord_core.numerics.predictions import Scale, to_bounded, to_unbounded
from accord_core.paraphrase.numerics.pilot import Pilot

FIGURES: Mapping[str, Scale] = {
    "alpha": "correlation",
    "label_accuracy": "share",
    "undecided": "share",
    "smallest_difference": "positive",
}
# The probability that an attentive simulated annotator chooses the right label for a typical item. Simulated annotators
# of studies use the same probability.
ATTENTIVE = 0.9
DIFFICULTY = 0.5  # Without a pilot, the difficulty of the items has this standard deviation in logits.
ANNOTATOR_SPREAD = 0.5  # The accuracy of attentive annotators has this standard deviation in logits.
# The ranges that a pilot narrows.
ACCURACIES, DIFFICULTIES, CARELESS = (0.6, 0.995), (0.05, 2.0), (0.0, 0.4)
# The smallest detectable difference applies to two systems of which exactly one is right on this share of the items.
ONE_RIGHT = 0.2
Z_POWER = 0.8416


@dataclass(frozen=True, eq=False)
class LabelStudies:
    """Studies of `items` with `n_labels` possible labels by `annotators`.

    The assumptions are the `accuracy` of an attentive annotator on a typical item, the standard deviation `difficulty`
    of the items in logits, the share `careless` of annotators who choose a label at random, and the share `frequent` of
    items whose true label is the most frequent label. All other true labels are equally frequent, and so are all wrong
    labels. In a study, but not in the pilot, the quality rule stops the share `caught` of the careless annotators.
    """

    items: int
    annotators: int
    n_labels: int
    assumptions: Sequence[Assumption]
    caught: float = 0.0
    pilot: Pilot | None = None

    @property
    def figures(self) -> Mapping[str, Scale]:
        return FIGURES

    @property
    def target_figure(self) -> str:
        """Agreement does not depend on the number of labels per item, but the accuracy of the majority label does."""
        return "label_accuracy"

    @property
    def most(self) -> int:
        """The largest number of labels per item. Each annotator labels an item only once."""
        return min(MOST_PER_QUESTION, self.annotators)

    @property
    def observed(self) -> Floats | None:
        return None if self.pilot is None else self.pilot.statistics

    def simulate(self, values: Mapping[str, float], levels: Sequence[int], generator: np.random.Generator) -> Floats:
        """Return the figures of one study for each number of labels per item. The labels of a level include the labels
        of the lower levels. Undecided items count as wrong majority labels.
        """
        share = counted_careless(values["careless"], self.caught)
        annotator = generator.random((self.items, self.annotators)).argsort(axis=1)[:, : max(levels)]
        item = np.broadcast_to(np.arange(self.items)[:, None], annotator.shape)
        careless = generator.random(self.annotators) < share
        truth, label = simulate_labels(item, annotator, careless, values, self.n_labels, generator)
        figures = np.empty((len(FIGURES), len(levels), 2))
        for place, level in enumerate(levels):
            labels = Labels(
                item[:, :level].ravel(),
                annotator[:, :level].ravel(),
                label[:, :level].ravel(),
                self.items,
                self.annotators,
                self.n_labels,
            )
            figures[:, place] = _figures(labels, truth)[:, None]
        return figures

    def simulate_pilot(self, values: Mapping[str, float], generator: np.random.Generator) -> Floats:
        """Return the statistics of a simulated pilot with the items and annotators of the actual pilot."""
        if self.pilot is None:
            raise ValueError("The model cannot simulate a pilot, because it was created without one.")
        return self.pilot.statistics_of(self._label_again(self.pilot.labels, values, values["careless"], generator))

    def simulate_unfinished(self, values: Mapping[str, float], generator: np.random.Generator) -> Floats:
        """Return Krippendorff's α (2,) of simulated labels of the pilot's items. Both values are equal."""
        if self.pilot is None:
            raise ValueError(
                "The model cannot simulate an unfinished study, because the model was created without a pilot."
            )
        actual = self.pilot.labels
        share = counted_careless(values["careless"], self.caught)
        alpha = krippendorff_alpha(replace(actual, label=self._label_again(actual, values, share, generator))).value
        return np.full(2, np.nan if alpha is None else alpha)

    def _label_again(
        self, actual: Labels, values: Mapping[str, float], share: float, generator: np.random.Generator
    ) -> Ints:
        careless = generator.random(actual.n_annotators) < share
        return simulate_labels(actual.item, actual.annotator, careless, values, self.n_labels, generator)[1]


def label_studies(
    items: int,
    *,
    n_labels: int = 2,
    annotators: int = 20,
    accuracy: tuple[float, float] | None = None,
    difficulty: tuple[float, float] | None = None,
    careless: tuple[float, float] | None = None,
    frequent: tuple[float, float] | None = None,
    caught: float = 0.0,
    pilot: Labels | None = None,
) -> LabelStudies:
    """Return the model of studies. If an assumption's range is None, the model uses a wide range if there is a pilot,
    and a single typical value otherwise. Raises ValueError for fewer than two items or labels.
    """
    if pilot is not None:
        n_labels = pilot.n_labels
    if items < 2:
        raise ValueError(f"Agreement can be calculated only for two or more items, but the number is {items}.")
    if n_labels < 2:
        raise ValueError(f"Agreement can be calculated only for two or more labels, but the number is {n_labels}.")
    equal = 1 / n_labels
    known = pilot is not None
    return LabelStudies(
        items,
        annotators,
        n_labels,
        [
            Assumption("accuracy", *(accuracy or (ACCURACIES if known else (ATTENTIVE, ATTENTIVE))), "share"),
            Assumption("difficulty", *(difficulty or (DIFFICULTIES if known else (DIFFICULTY,) * 2)), "positive"),
            Assumption("careless", *(careless or (CARELESS if known else (0.1, 0.1))), "share"),
            Assumption("frequent", *(frequent or ((equal, 0.98) if known else (equal, equal))), "share"),
        ],
        caught,
        None if pilot is None else Pilot.of(pilot),
    )


def simulate_labels(
    item: Ints,
    annotator: Ints,
    careless: Bools,
    values: Mapping[str, float],
    n_labels: int,
    generator: np.random.Generator,
) -> tuple[Ints, Ints]:
    """Return the true labels (items,) and a simulated label for each pair of `item` and `annotator`, which are arrays
    of the same shape. Label 0 is the most frequent label. `careless` (annotators,) marks annotators who choose each
    label with the same probability.
    """
    n_items = int(item.max()) + 1
    others = 1 + generator.integers(0, n_labels - 1, n_items)
    truth = np.where(generator.random(n_items) < values["frequent"], 0, others)
    clarity = generator.normal(to_unbounded(values["accuracy"], "share"), values["difficulty"], n_items)
    skill = generator.normal(0, ANNOTATOR_SPREAD, len(careless))
    right = generator.random(item.shape) < to_bounded(clarity[item] + skill[annotator], "share")
    wrong = (truth[item] + generator.integers(1, n_labels, item.shape)) % n_labels
    label = np.where(right, truth[item], wrong)
    return truth, np.where(careless[annotator], generator.integers(0, n_labels, item.shape), label)


def smallest_accuracy_difference(items: float, label_accuracy: float, n_labels: int) -> float | None:
    """Return the smallest difference between the accuracies of two systems that is significant at the 5% level in 80%
    of samples (McNemar's test), or None if no difference is large enough.

    Exactly one of the systems is right on a share ψ of the items. The observed difference is the solution of
    d = (1.96 + 0.84)·√((ψ − d²)/n) (Connor 1987). Labels that are wrong with probability 1 − a reduce the true
    difference by the factor a − (1 − a)/(q − 1).
    """
    factor = label_accuracy - (1 - label_accuracy) / (n_labels - 1)
    if items < 2 or factor <= 0:
        return None
    z = (Z_95 + Z_POWER) ** 2
    difference = float(np.sqrt(z * ONE_RIGHT / (items + z))) / factor
    return difference if difference <= ONE_RIGHT else None


def _figures(labels: Labels, truth: NDArray[np.int64]) -> Floats:
    alpha = krippendorff_alpha(labels).value
    chosen = majority(labels).label
    decided = chosen != UNDECIDED
    accuracy = float((chosen == truth).mean())
    difference = None
    if decided.any():
        difference = smallest_accuracy_difference(
            float(decided.sum()), float((chosen == truth)[decided].mean()), labels.n_labels
        )
    return np.array([
        np.nan if alpha is None else alpha, accuracy, 1 - decided.mean(), np.nan if difference is None else difference
    ])  # fmt: skip
