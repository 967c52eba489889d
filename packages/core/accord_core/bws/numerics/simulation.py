"""Simulated annotators, who follow the MaxDiff model or, if careless, choose at random."""

import numpy as np
from numpy.typing import ArrayLike

from accord_core.bws.numerics.scoring import Bools, Floats, Ints, Judgements


def simulate_judgements(
    tuples: ArrayLike,
    utility: ArrayLike,
    *,
    per_tuple: int = 2,
    annotators: int = 20,
    careless: float = 0.0,
    seed: int = 1,
) -> Judgements:
    """Simulate T × per_tuple judgements of `tuples` (T, k) by annotators who know each item's `utility` (n_items,).

    Each tuple is judged by `per_tuple` different annotators. As in a study, every tuple is judged once in each round.
    The first ⌊careless × annotators⌉ annotators choose two different items with equal probability, and all other
    annotators follow MaxDiff: P(best = i, worst = j) ∝ exp(u_i − u_j). Raises ValueError if there are too few
    annotators for a tuple, or if a tuple repeats an item.
    """
    shown, truth = np.asarray(tuples, dtype=np.int64), np.asarray(utility, dtype=np.float64)
    if not 1 <= per_tuple <= annotators:
        raise ValueError(
            f"{annotators} annotators cannot give {per_tuple} judgements per tuple, because each "
            f"annotator judges a tuple only once."
        )
    if not 0 <= careless <= 1:
        raise ValueError(f"The share of careless annotators must be between 0 and 1, not {careless}.")
    if (np.diff(np.sort(shown, axis=1), axis=1) == 0).any():
        raise ValueError("A tuple repeats an item. The items in each tuple must all be different.")
    generator = np.random.default_rng([seed, 0x51])
    annotator = _different_annotators(generator, len(shown), per_tuple, annotators).T.ravel()
    items = np.tile(shown, (per_tuple, 1))
    best, worst = judge(items, truth, annotator < round(careless * annotators), generator)
    return Judgements(items, best, worst, len(truth), annotator)


def judge(items: Ints, utility: Floats, careless: Bools, generator: np.random.Generator) -> tuple[Ints, Ints]:
    """Return the best and worst items (M,) in simulated judgements of the tuples `items` (M, k). The rows `careless`
    (M,) are random choices, and all other rows follow MaxDiff with the `utility` (n_items,).
    """
    utilities = utility[items]
    utilities[careless] = 0.0
    best, worst = _choose(utilities, generator.random(len(items)))
    rows = np.arange(len(items))
    return items[rows, best], items[rows, worst]


def choose_best_worst(utilities: ArrayLike, u: float) -> tuple[int, int]:
    """Return the (best, worst) positions that the MaxDiff model gives for one question with k `utilities`. The number
    `u` in [0, 1) selects the outcome.

    The k(k − 1) ordered pairs of positions divide [0, 1) in proportion to exp(u_i − u_j), in the order (0, 1), (0, 2),
    …, (k − 1, k − 2). The same u therefore always results in the same choice. Equal utilities result in random choices.
    """
    values = np.asarray(utilities, dtype=np.float64)
    if values.ndim != 1 or len(values) < 2:
        raise ValueError(
            f"Each question needs at least two items, but the array of questions has the shape {values.shape}."
        )
    if not 0 <= u < 1:
        raise ValueError(f"The random draw `u` must be at least 0 and less than 1, not {u}.")
    best, worst = _choose(values[None, :], np.array([u]))
    return int(best[0]), int(worst[0])


def _choose(utilities: Floats, u: Floats) -> tuple[Ints, Ints]:
    """Return the best and worst positions (M,) for M questions with `utilities` (M, k), by inverting the cumulative
    distribution at `u`.
    """
    k = utilities.shape[1]
    best, worst = np.nonzero(~np.eye(k, dtype=np.bool_))
    difference = utilities[:, best] - utilities[:, worst]
    weight = np.exp(difference - difference.max(axis=1, keepdims=True, initial=-np.inf))
    reached = np.cumsum(weight, axis=1)
    pair = (reached <= u[:, None] * reached[:, -1:]).sum(axis=1)
    # If u is just below 1, the product of u and the total can be rounded up to the total.
    pair = np.minimum(pair, len(best) - 1)
    return best[pair], worst[pair]


def _different_annotators(generator: np.random.Generator, tuples: int, per_tuple: int, annotators: int) -> Ints:
    """Return an array of annotators of shape (tuples, per_tuple), in which no row repeats an annotator. Floyd's
    algorithm samples all rows at once, and each row is then shuffled.
    """
    chosen = np.empty((tuples, per_tuple), dtype=np.int64)
    for place, newest in enumerate(range(annotators - per_tuple, annotators)):
        draw = generator.integers(0, newest + 1, size=tuples)
        already_chosen = (chosen[:, :place] == draw[:, None]).any(axis=1)
        chosen[:, place] = np.where(already_chosen, newest, draw)
    return generator.permuted(chosen, axis=1)
