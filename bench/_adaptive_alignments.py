"""Adaptive rounds of alignment studies: a third annotator for the pairs on which two annotators differ most."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from accord_core.chunks.numerics.chunks import ChunkLink, IstsPair
from accord_core.chunks.numerics.planning import as_token_links, chunk_studies, simulate_links
from accord_core.chunks.numerics.scores import MEASURES, TokenLinks, added, ists_scores
from accord_core.numerics.labels import Bools, Floats, Ints
from accord_core.pairs.numerics.links import Alignment
from accord_core.words.numerics.aggregation import majority
from accord_core.words.numerics.planning import simulate_alignments, word_studies
from alignment_ui.chunks.adaptive import disputed_weight
from alignment_ui.chunks.columns import final_annotation

SIMULATIONS, PAIRS, ANNOTATORS = 20, 200, 20
CARELESS = (0.0, 0.2)
SHARES = (0.25, 0.5, 0.75)
WRONG = 0.15
DISTRIBUTIONS = {
    "equal": lambda draw: np.full(PAIRS, 1.5),
    "uniform": lambda draw: draw.uniform(0.2, 3.0, PAIRS),
    "two clusters": lambda draw: np.where(draw.random(PAIRS) < 0.3, 4.0, 0.5),
}


def print_words() -> None:
    """Compare F1 of the majority links if the pairs with a third annotator are chosen by difference or at random."""
    print(f"words: F1 of the majority links with the truth, {PAIRS} pairs, {SIMULATIONS} simulations")
    _print_saved(_word_study)


def print_chunks() -> None:
    """Compare F1 of the final annotations if the pairs with a third annotator are chosen by difference or at random."""
    print(f"chunks: F1 of type and score with the truth, {PAIRS} pairs, {SIMULATIONS} simulations")
    _print_saved(_chunk_study)


class _Study(NamedTuple):
    """The difference between the first two annotators of each pair (pairs,), and the F1 of a study in which the pairs
    in a mask have a third annotator.
    """

    differing: Floats
    f1: Callable[[Bools], float]


def _print_saved(study: Callable[[Floats, float, np.random.Generator, int], _Study]) -> None:
    for name, errors in DISTRIBUTIONS.items():
        for careless in CARELESS:
            figures = np.zeros((len(SHARES), 2))
            random = np.zeros(11)
            for seed in range(SIMULATIONS):
                draw = np.random.default_rng([seed, 9])
                simulated = study(errors(draw), careless, draw, seed)
                order = draw.permutation(PAIRS)
                for tenth in range(11):
                    random[tenth] += simulated.f1(order < tenth * PAIRS / 10) / SIMULATIONS
                ranks = np.argsort(np.argsort(-simulated.differing, kind="stable"))
                for place, share in enumerate(SHARES):
                    figures[place] += np.array([simulated.f1(ranks < share * PAIRS), 2 + share]) / SIMULATIONS
            for value, cost in figures:
                equal = float(np.interp(value, random, 2 + np.arange(11) / 10))
                print(
                    f"  {name} difficulty, {careless:.0%} careless: {cost:.2f} alignments per pair give {value:.4f}, "
                    f"as many as {equal:.2f} with random pairs: saves {1 - cost / equal:.0%}"
                )


def _word_study(errors: Floats, careless: float, draw: np.random.Generator, seed: int) -> _Study:
    """Simulate word alignments. `errors` (pairs,) are the factors of the usual error rates."""
    sizes = word_studies(PAIRS, annotators=ANNOTATORS, seed=seed).sizes
    random, annotators = _annotators(careless, draw)
    truth, drawn = [], []
    for pair, size in enumerate(sizes):
        values = {"errors": float(errors[pair]), "wrong": WRONG}
        meant, _, alignments = simulate_alignments([size], annotators[[pair]], random, values, draw)
        truth += meant
        drawn += alignments
    differing = np.array([len(one.links ^ other.links) for one, other, _ in drawn], dtype=np.float64)
    return _Study(differing, lambda third: _word_f1(drawn, truth, third))


def _word_f1(drawn: list[list[Alignment]], truth: list[Alignment], third: Bools) -> float:
    chosen = [majority(each[: 3 if more else 2]) for each, more in zip(drawn, third.tolist(), strict=True)]
    both = sum(len(one.links & other.links) for one, other in zip(chosen, truth, strict=True))
    return 2 * both / sum(len(one.links) + len(other.links) for one, other in zip(chosen, truth, strict=True))


def _chunk_study(errors: Floats, careless: float, draw: np.random.Generator, seed: int) -> _Study:
    """Simulate chunk alignments. `errors` (pairs,) are the factors of the usual error rates."""
    sizes = chunk_studies(PAIRS, annotators=ANNOTATORS, seed=seed).sizes
    random, annotators = _annotators(careless, draw)
    overlaps, differing = [], []
    for pair, size in enumerate(sizes):
        values = {"errors": float(errors[pair])}
        (true,), (links,) = simulate_links([size], annotators[[pair]], random, values, draw)
        drawn = [_as_pair(each) for each in links]
        chosen = [final_annotation(None, drawn[:count]) for count in (2, 3)]
        overlaps.append([ists_scores([_as_pair(as_token_links(true))], [each]).total for each in chosen if each])
        differing.append(disputed_weight(drawn[:2]))

    def f1(third: Bools) -> float:
        return (
            added(each[int(more)] for each, more in zip(overlaps, third.tolist(), strict=True)).figures(MEASURES[-1]).f1
        )

    return _Study(np.array(differing), f1)


def _as_pair(links: TokenLinks) -> IstsPair:
    """Return an annotation with these links between one-word chunks."""
    chunks = (ChunkLink((i,), (j,), link.type, frozenset(), link.score) for (i, j), link in links.items())
    return IstsPair("", (), (), tuple(chunks))


def _annotators(careless: float, draw: np.random.Generator) -> tuple[Bools, Ints]:
    """Return a mask (annotators,) of the careless annotators, and the three annotators of each pair (pairs, 3)."""
    random: Bools = draw.permutation(ANNOTATORS) < round(careless * ANNOTATORS)
    return random, draw.random((PAIRS, ANNOTATORS)).argsort(axis=1)[:, :3]
