"""The scores of the items in a best–worst report."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord_core.bws.numerics.maxdiff import maxdiff_scores, min_max
from accord_core.bws.numerics.scoring import (
    Floats,
    Ints,
    Judgements,
    counting_scores,
    counting_standard_errors,
    midranks,
    spearman,
    unit_scale,
)


class Scores(NamedTuple):
    """The scores in [−1, 1] and their standard errors, in arrays of shape (n_items,)."""

    score: Floats
    standard_error: Floats


def scores_of(judgements: Judgements, rounds: Ints) -> Scores:
    """Return the scores of a study. `rounds` (M,) contains the adaptive round of each judgement, which is 0 for tuples
    of the design.

    Without adaptive rounds, these are the counting-based scores. With adaptive rounds, they are the MaxDiff utilities
    of all judgements, with the lowest utility at −1 and the highest utility at 1. Counting would underestimate strong
    items and overestimate weak items, because adaptive tuples compare items of similar strength.
    """
    if not rounds.any():
        return Scores(counting_scores(judgements).score, counting_standard_errors(judgements))
    model = maxdiff_scores(judgements)
    spread = np.nanmax(model.utility) - np.nanmin(model.utility)
    return Scores(2 * min_max(model.utility) - 1, 2 * model.standard_error / spread)


def item_scores(keys: list[str], judgements: Judgements, rounds: Ints) -> dict[str, Any]:
    """Return the columns of a report with one value per item, which contain the scores of `scores_of` and the ranks.

    `methods_agree` compares the MaxDiff utilities of all judgements with the counting-based scores of the design.
    """
    shown, model = counting_scores(judgements), maxdiff_scores(judgements)
    score, error = scores_of(judgements, rounds)
    scored = np.isfinite(score)
    ranks = np.full(len(scored), np.nan)
    ranks[scored] = midranks(-score[scored])
    counting = counting_scores(judgements.take(rounds == 0)).score
    both = scored & np.isfinite(counting)
    return {
        "key": keys,
        "score": number_list(score),
        "unit": number_list(unit_scale(score)),
        "standard_error": number_list(error),
        "rank": number_list(ranks),
        "appearances": shown.appearances.tolist(),
        "best": shown.best.tolist(),
        "worst": shown.worst.tolist(),
        "maxdiff": number_list(np.where(scored, model.utility, np.nan)),
        "maxdiff_standard_error": number_list(np.where(scored, model.standard_error, np.nan)),
        "methods_agree": spearman(counting[both], model.utility[both]),
    }


def number_list(values: NDArray[np.float64]) -> list[float | None]:
    """Return numbers in a form that JSON can store, with null for undefined values."""
    return [None if not np.isfinite(value) else round(float(value), 6) for value in values]
