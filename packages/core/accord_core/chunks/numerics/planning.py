"""Simulated chunk alignment studies, from which a plan predicts the agreement between annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord_core.chunks.numerics.chunks import TOP_SCORE, ChunkLink
from accord_core.chunks.numerics.pilot import Pilot
from accord_core.chunks.numerics.scores import MEASURES, TokenLinks, added, overlap, token_links
from accord_core.chunks.numerics.simulation import CONFUSED, ErrorRates, draw_links
from accord_core.numerics.intervals import Z_95
from accord_core.numerics.labels import Bools, Floats, Ints
from accord_core.numerics.plan_costs import counted_careless
from accord_core.numerics.planning import Assumption
from accord_core.numerics.predictions import Scale
from accord_core.pairs.numerics.planned_studies import PairStudies, sizes_of_pairs

Links = list[dict[str, Any]]

FIGURES: Mapping[str, Scale] = {**dict.fromkeys(MEASURES, "share"), "smallest_difference": "positive"}
CHUNKS = (3, 8)  # the numbers of chunks in simulated sentences
LINKED, EQUAL, OPPOSITE = 0.8, 0.45, 0.03  # the share of linked chunks, and the shares of EQUI and OPPO links
# The ranges that a pilot narrows.
ERRORS, CARELESS = (0.2, 4.0), (0.0, 0.4)
SYSTEM_ERRORS = 2.0  # error rates of the two systems in the smallest detectable difference
Z_POWER = 0.8416


@dataclass(frozen=True, eq=False)
class ChunkStudies(PairStudies[Pilot]):
    """Studies in which several of the `annotators` annotate each sentence pair.

    The assumptions are the `errors` of attentive annotators, as a factor of the usual `ErrorRates`, and the share
    `careless` of annotators, who draw random links. `sizes` contains the numbers of chunks in the sentences of each
    pair, and each chunk has one word.
    """

    @property
    def figures(self) -> Mapping[str, Scale]:
        return FIGURES

    @property
    def target_figure(self) -> str:
        return "f1_ali"

    def simulate(self, values: Mapping[str, float], levels: Sequence[int], generator: np.random.Generator) -> Floats:
        """Return the figures of one study. The figures depend only on the first two annotations of each pair, so they
        are the same for all `levels`.
        """
        careless = generator.random(self.annotators) < counted_careless(values["careless"], self.caught)
        annotator = generator.random((len(self.sizes), self.annotators)).argsort(axis=1)[:, :2]
        truth, drawn = simulate_links(self.sizes, annotator, careless, values, generator)
        total = added(overlap(first, second, 2016) for first, second in drawn)
        agreement = [total.figures(measure).f1 for measure in MEASURES]
        gold = [first for first, _ in drawn]
        difference = _smallest_difference(truth, gold, self.sizes, generator)
        figures = np.empty((len(FIGURES), len(levels), 2))
        figures[:] = np.array([*agreement, difference])[:, None, None]
        return figures

    @staticmethod
    def pilot_statistics(
        pilot: Pilot, values: Mapping[str, float], share: float, generator: np.random.Generator
    ) -> Floats:
        """Simulate annotations of the pilot's pairs by its annotators, and return their statistics. A `share` of the
        annotators is careless.
        """
        careless = generator.random(pilot.n_annotators) < share
        _, drawn = simulate_links(pilot.sizes, pilot.annotators, careless, values, generator)
        return pilot.statistics_of(drawn)


def chunk_studies(
    pairs: int,
    *,
    annotators: int = 20,
    errors: tuple[float, float] | None = None,
    careless: tuple[float, float] | None = None,
    caught: float = 0.0,
    pilot: Pilot | None = None,
    seed: int = 1,
) -> ChunkStudies:
    """Return the model of studies. Assumptions without a range get a wide one if there is a pilot, and otherwise a
    typical value. The sentences have as many chunks as those in the pilot or, without a pilot, 3 to 8. Raises
    ValueError for fewer than two pairs.
    """
    generator = np.random.default_rng([seed, 0xC4C])
    sizes = sizes_of_pairs(pairs, pilot, CHUNKS, 1, generator)
    known = pilot is not None
    return ChunkStudies(
        sizes,
        annotators,
        [
            Assumption("errors", *(errors or (ERRORS if known else (1.0, 1.0))), "positive"),
            Assumption("careless", *(careless or (CARELESS if known else (0.1, 0.1))), "share"),
        ],
        caught,
        pilot,
    )


def simulate_links(
    sizes: Sequence[tuple[int, int]],
    annotators: Sequence[Sequence[int]] | Ints,
    careless: Bools,
    values: Mapping[str, float],
    generator: np.random.Generator,
) -> tuple[list[Links], list[list[TokenLinks]]]:
    """Return the true links of each pair, and the token links drawn by its `annotators`. `careless` marks annotators by
    number.
    """
    rates = ErrorRates().times(values["errors"])
    truth = [_true_links(size, generator) for size in sizes]
    drawn = [
        [as_token_links(draw_links(links, size, bool(careless[number]), rates, generator)) for number in numbers]
        for links, size, numbers in zip(truth, sizes, annotators, strict=True)
    ]
    return truth, drawn


def as_token_links(links: Links) -> TokenLinks:
    """Convert links between one-word chunks into token links."""
    chunks = [
        ChunkLink((link["source"],), (link["target"],), link["type"], frozenset(link["flags"]), link["score"])
        for link in links
    ]
    return token_links(chunks, (), ())


def _true_links(size: tuple[int, int], generator: np.random.Generator) -> Links:
    links: Links = []
    for place in range(min(size)):
        linked, kind = generator.random(2)
        if linked >= LINKED and links:
            continue
        name = CONFUSED[generator.integers(len(CONFUSED))]
        name = "EQUI" if kind < EQUAL else "OPPO" if kind < EQUAL + OPPOSITE else name
        score = TOP_SCORE if name == "EQUI" else int(generator.integers(1, TOP_SCORE))
        links.append({"source": place, "target": place, "type": name, "flags": [], "score": score})
    return links


def _smallest_difference(
    truth: Sequence[Links],
    gold: Sequence[TokenLinks],
    sizes: Sequence[tuple[int, int]],
    generator: np.random.Generator,
) -> float:
    """Return the smallest detectable difference in F1 Typ+Sco between two systems (5% level, 80% power).

    The difference is (1.96 + 0.84)·SE. SE is the linearised standard error of the difference between two ratios over
    samples of sentence pairs.
    """
    rates = ErrorRates().times(SYSTEM_ERRORS)
    errors = []
    for _ in range(2):
        system = [
            as_token_links(draw_links(links, size, False, rates, generator))
            for links, size in zip(truth, sizes, strict=True)
        ]
        overlaps = [overlap(ours, theirs, 2016) for ours, theirs in zip(system, gold, strict=True)]
        found = np.array([sum(each.found["f1_typ_sco"]) for each in overlaps])
        total = np.array([each.system + each.gold for each in overlaps])
        if not total.sum():
            return np.nan
        errors.append((found - found.sum() / total.sum() * total) / total.sum())
    return float((Z_95 + Z_POWER) * np.sqrt(((errors[0] - errors[1]) ** 2).sum()))
