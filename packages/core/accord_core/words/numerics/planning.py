"""Simulated word alignment studies, from which a plan predicts the agreement and the quality of majority links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from accord_core.numerics.intervals import Z_95
from accord_core.numerics.labels import Bools, Floats, Ints
from accord_core.numerics.plan_costs import counted_careless
from accord_core.numerics.planning import Assumption
from accord_core.numerics.predictions import Scale
from accord_core.pairs.numerics.links import Alignment
from accord_core.pairs.numerics.planned_studies import PairStudies, sizes_of_pairs
from accord_core.words.numerics.aggregation import majority
from accord_core.words.numerics.agreement import AlignedPair, word_agreement
from accord_core.words.numerics.pilot import Pilot
from accord_core.words.numerics.simulation import ErrorRates, draw_careful, draw_careless

FIGURES: Mapping[str, Scale] = {
    "f1": "share",
    "f1_sure": "share",
    "c": "correlation",
    "majority_f1": "share",
    "smallest_difference": "positive",
}
LENGTHS = (6, 20)  # the numbers of tokens in simulated sentences
LINKED, SURE = 0.85, 0.8  # the share of source words with a link, and the share of sure links
WRONG = 0.15  # the share of wrong or missing links in the pre-alignment
USUAL = ErrorRates().overlooked
# The ranges that a pilot narrows.
ERRORS, WRONGS, CARELESS, OVERLOOKED = (0.2, 5.0), (0.02, 0.98), (0.0, 0.4), (0.0, 0.9)
CORRECTED = 0.2
CHANCE_SAMPLES = 20  # per pair, for the agreement by chance in C
SYSTEM_ERRORS = 3.0  # error rates of the two systems in the smallest detectable difference
Z_POWER = 0.8416


@dataclass(frozen=True, eq=False)
class WordStudies(PairStudies[Pilot]):
    """Studies in which several of the `annotators` align each sentence pair.

    The assumptions are the `errors` of attentive annotators, as a multiple of the usual `ErrorRates`, the share `wrong`
    of wrong or missing links in the pre-alignment, the share `careless` of annotators, who do not change the
    pre-alignment, and the share `overlooked` of the wrong links that attentive annotators keep. In a study, but not in
    the pilot, the quality rule stops the share `caught` of the careless annotators. `sizes` contains the numbers of
    tokens in the sentences of each pair. The coefficient C takes much longer to calculate than all other figures, so it
    is calculated only for a random share `corrected` of the studies.
    """

    corrected: float = CORRECTED

    @property
    def figures(self) -> Mapping[str, Scale]:
        return FIGURES

    @property
    def target_figure(self) -> str:
        """Agreement does not depend on the number of annotators per pair, but the majority alignment does."""
        return "majority_f1"

    def simulate(self, values: Mapping[str, float], levels: Sequence[int], generator: np.random.Generator) -> Floats:
        """Return the figures of one study for each number of alignments per pair. The first two alignments of each pair
        determine the agreement.
        """
        careless = generator.random(self.annotators) < counted_careless(values["careless"], self.caught)
        annotator = generator.random((len(self.sizes), self.annotators)).argsort(axis=1)[:, : max(levels)]
        truth, start, drawn = simulate_alignments(self.sizes, annotator, careless, values, generator)
        figures = np.empty((len(FIGURES), len(levels), 2))
        corrected = generator.random() < self.corrected
        figures[:3] = _agreement(self.sizes, start, drawn, generator, corrected=corrected)[:, None, None]
        systems = [_systems(meant, size, generator) for meant, size in zip(truth, self.sizes, strict=True)]
        for place, level in enumerate(levels):
            chosen = [majority(of_pair[:level]) for of_pair in drawn]
            figures[3, place] = _pooled_f1(_counts(chosen, truth))
            figures[4, place] = _smallest_difference(chosen, systems)
        return figures

    @staticmethod
    def pilot_statistics(
        pilot: Pilot, values: Mapping[str, float], share: float, generator: np.random.Generator
    ) -> Floats:
        """Simulate alignments of the pilot's pairs by its annotators, and return their statistics. A `share` of the
        annotators is careless.
        """
        careless = generator.random(pilot.n_annotators) < share
        _, start, drawn = simulate_alignments(pilot.sizes, pilot.annotators, careless, values, generator)
        if pilot.start is None:
            return pilot.statistics_of(drawn, None)
        # The statistics must not include the pre-alignments that the annotators of the pilot did not see.
        seen = [each if actual is not None else None for each, actual in zip(start, pilot.start, strict=True)]
        return pilot.statistics_of(drawn, seen)


def word_studies(
    pairs: int,
    *,
    annotators: int = 20,
    errors: tuple[float, float] | None = None,
    wrong: tuple[float, float] | None = None,
    careless: tuple[float, float] | None = None,
    overlooked: tuple[float, float] | None = None,
    caught: float = 0.0,
    pilot: Pilot | None = None,
    seed: int = 1,
) -> WordStudies:
    """Return the model of studies. If an assumption's range is None, the model uses a wide range if there is a pilot,
    and a single typical value otherwise. The sentences have the same lengths as in the pilot or, without a pilot, 6 to
    20 tokens. Raises ValueError for fewer than two pairs.
    """
    generator = np.random.default_rng([seed, 0x512E])
    sizes = sizes_of_pairs(pairs, pilot, LENGTHS, 2, generator)
    known = pilot is not None
    return WordStudies(
        sizes,
        annotators,
        [
            Assumption("errors", *(errors or (ERRORS if known else (1.0, 1.0))), "positive"),
            Assumption("wrong", *(wrong or (WRONGS if known else (WRONG, WRONG))), "share"),
            Assumption("careless", *(careless or (CARELESS if known else (0.1, 0.1))), "share"),
            Assumption("overlooked", *(overlooked or (OVERLOOKED if known else (USUAL, USUAL))), "share"),
        ],
        caught,
        pilot,
    )


def simulate_alignments(
    sizes: Sequence[tuple[int, int]],
    annotators: Sequence[Sequence[int]] | Ints,
    careless: Bools,
    values: Mapping[str, float],
    generator: np.random.Generator,
) -> tuple[list[Alignment], list[Alignment], list[list[Alignment]]]:
    """Return each pair's true alignment and pre-alignment, and the alignments drawn by its `annotators`. `careless`
    marks annotators by number. Without `overlooked`, attentive annotators keep wrong links at the usual rate,
    multiplied by `errors`.
    """
    rates = ErrorRates().times(values["errors"])
    rates = rates._replace(overlooked=values.get("overlooked", rates.overlooked))
    truth, start, drawn = [], [], []
    for size, numbers in zip(sizes, annotators, strict=True):
        meant = _true_alignment(size, generator)
        begun = _prealignment(meant, size, values["wrong"], generator)
        truth.append(meant)
        start.append(begun)
        drawn.append(
            [
                draw_careless(begun, size, generator)
                if careless[number]
                else draw_careful(begun, meant, size, rates, generator)
                for number in numbers
            ]
        )
    return truth, start, drawn


def _true_alignment(size: tuple[int, int], generator: np.random.Generator) -> Alignment:
    """Return links near the diagonal, with at most one link per source word."""
    n, m = size
    linked, sure = generator.random((2, n))
    links = [(i, min(m - 1, i * m // n)) for i in range(n) if linked[i] < LINKED] or [(0, 0)]
    chosen = {link for link in links if sure[link[0]] < SURE}
    return Alignment.of(chosen, set(links) - chosen)


def _prealignment(meant: Alignment, size: tuple[int, int], wrong: float, generator: np.random.Generator) -> Alignment:
    """Return the true links as sure links. A share `wrong` of the links is missing or leads to the next word
    instead.
    """
    links = sorted(meant.links)
    draws = generator.random(len(links)).tolist()
    started = set()
    for (i, j), draw in zip(links, draws, strict=True):
        if draw >= wrong:
            started.add((i, j))
        elif draw < wrong / 2:
            started.add((i, (j + 1) % size[1]))
    return Alignment.of(started)


def _agreement(
    sizes: Sequence[tuple[int, int]],
    start: Sequence[Alignment],
    drawn: Sequence[Sequence[Alignment]],
    generator: np.random.Generator,
    *,
    corrected: bool,
) -> Floats:
    """Return the F1 of all links, the F1 of sure links, and the C of all links, for the first two alignments of each
    pair. C is NaN unless `corrected`.
    """
    # The sentences have no words in common, so there are no links between identical words to exclude.
    pairs = [
        AlignedPair([f"s{i}" for i in range(n)], [f"t{j}" for j in range(m)], first, second, begun.links)
        for (n, m), begun, (first, second, *_) in zip(sizes, start, drawn, strict=True)
    ]
    row = word_agreement(
        pairs,
        ignore_identical=False,
        seed=int(generator.integers(2**31)),
        resamples=0,
        samples=CHANCE_SAMPLES if corrected else 0,
    )
    values = row["possible"]["f1"], row["sure"]["f1"], row["possible"]["c"]
    return np.array([np.nan if each["value"] is None else each["value"] for each in values])


def _systems(meant: Alignment, size: tuple[int, int], generator: np.random.Generator) -> tuple[Alignment, Alignment]:
    rates = ErrorRates().times(SYSTEM_ERRORS)
    one, other = (draw_careful(Alignment(), meant, size, rates, generator) for _ in range(2))
    return one, other


def _counts(given: Sequence[Alignment], gold: Sequence[Alignment]) -> Ints:
    """Return |A ∩ B| and |A| + |B| of all links in each pair, with the shape (2, pairs)."""
    both = [len(a.links & b.links) for a, b in zip(given, gold, strict=True)]
    return np.array([both, [len(a.links) + len(b.links) for a, b in zip(given, gold, strict=True)]])


def _pooled_f1(counts: Ints) -> float:
    both, total = counts.sum(axis=1)
    return float(2 * both / total) if total else np.nan


def _smallest_difference(gold: Sequence[Alignment], systems: Sequence[tuple[Alignment, Alignment]]) -> float:
    """Return the smallest difference in F1 between two systems that is significant at the 5% level in 80% of samples of
    sentence pairs: (1.96 + 0.84)·SE, with the linearised standard error of the difference of two ratios.
    """
    errors = []
    for system in zip(*systems, strict=True):
        counts = _counts(system, gold)
        if not counts[1].sum():
            return np.nan
        errors.append((2 * counts[0] - _pooled_f1(counts) * counts[1]) / counts[1].sum())
    difference = next(one - other for one, other in pairwise(errors))
    return float((Z_95 + Z_POWER) * np.sqrt((difference**2).sum()))
