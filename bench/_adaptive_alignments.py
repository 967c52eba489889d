"""Adaptive rounds of word alignment studies: a third annotator for the pairs on which two annotators differ most."""

from __future__ import annotations

import numpy as np

from alignment_ui.pairs.numerics.links import Alignment
from alignment_ui.words.numerics.aggregation import majority
from alignment_ui.words.numerics.planning import simulate_alignments, word_studies
from annotate.numerics.labels import Bools, Floats

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
    for name, errors in DISTRIBUTIONS.items():
        for careless in CARELESS:
            figures = np.zeros((len(SHARES), 2))
            random = np.zeros(11)
            for seed in range(SIMULATIONS):
                draw = np.random.default_rng([seed, 9])
                truth, drawn = _study(errors(draw), careless, draw, seed)
                order = draw.permutation(PAIRS)
                for tenth in range(11):
                    random[tenth] += _f1(drawn, truth, order < tenth * PAIRS / 10) / SIMULATIONS
                differing = np.array([len(one.links ^ other.links) for one, other, _ in drawn])
                ranks = np.argsort(np.argsort(-differing, kind="stable"))
                for place, share in enumerate(SHARES):
                    value = _f1(drawn, truth, ranks < share * PAIRS)
                    figures[place] += np.array([value, 2 + share]) / SIMULATIONS
            for value, cost in figures:
                equal = float(np.interp(value, random, 2 + np.arange(11) / 10))
                print(
                    f"  {name} difficulty, {careless:.0%} careless: {cost:.2f} alignments per pair give {value:.4f}, "
                    f"as many as {equal:.2f} with random pairs: saves {1 - cost / equal:.0%}"
                )


def _study(
    errors: Floats, careless: float, draw: np.random.Generator, seed: int
) -> tuple[list[Alignment], list[list[Alignment]]]:
    """Return the true alignment of each pair, and three drawn alignments. `errors` (pairs,) are the factors of the
    usual error rates.
    """
    sizes = word_studies(PAIRS, annotators=ANNOTATORS, seed=seed).sizes
    random: Bools = draw.permutation(ANNOTATORS) < round(careless * ANNOTATORS)
    annotators = draw.random((PAIRS, ANNOTATORS)).argsort(axis=1)[:, :3]
    truth, drawn = [], []
    for pair, size in enumerate(sizes):
        values = {"errors": float(errors[pair]), "wrong": WRONG}
        meant, _, alignments = simulate_alignments([size], annotators[[pair]], random, values, draw)
        truth += meant
        drawn += alignments
    return truth, drawn


def _f1(drawn: list[list[Alignment]], truth: list[Alignment], third: Bools) -> float:
    chosen = [majority(each[: 3 if more else 2]) for each, more in zip(drawn, third.tolist(), strict=True)]
    both = sum(len(one.links & other.links) for one, other in zip(chosen, truth, strict=True))
    return 2 * both / sum(len(one.links) + len(other.links) for one, other in zip(chosen, truth, strict=True))
