"""Simulated repeats of a best–worst study, drawn from a model that is fitted to the study's own judgements.

The model is MaxDiff with a normal prior for the utilities and a reliability for each annotator. A repeat needs
utilities from the posterior instead of the estimates themselves: estimates vary more than the true utilities, so that
repeats drawn from them would agree too well with the study.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from accord_core.bws.numerics.maxdiff import maxdiff_with_reliabilities
from accord_core.bws.numerics.maxdiff_prior import maxdiff_with_prior
from accord_core.bws.numerics.scoring import Floats, Judgements, drop_inconsistent
from accord_core.bws.numerics.simulation import judge
from accord_core.numerics.draws import new_annotators

ROUNDS = 4  # updates of the prior's variance, which then changes by less than its own uncertainty


@dataclass(frozen=True, eq=False)
class RepeatModel:
    """The posterior mean and standard deviation of each item's utility (n_items,), in logits, and the reliability of
    each annotator with judgements (A,).
    """

    utility: Floats
    error: Floats
    reliability: Floats


def fit_repeats(judgements: Judgements) -> RepeatModel:
    """Fit the model. Raises ValueError if no judgement names two items, or if the annotators are unknown.

    The variance of the prior starts at the estimate without reliabilities (`maxdiff_with_prior`) and is then updated to
    the mean of u² + SE² over the judged items, as in the EM algorithm (Efron and Morris 1975).
    """
    consistent, _ = drop_inconsistent(judgements)
    variance = maxdiff_with_prior(consistent).spread ** 2
    judged = np.unique(consistent.items)
    for _ in range(ROUNDS):
        scores, reliability = maxdiff_with_reliabilities(consistent, penalty=1 / (2 * variance))
        variance = float(np.mean(scores.utility[judged] ** 2 + scores.standard_error[judged] ** 2))
    return RepeatModel(
        np.nan_to_num(scores.utility),
        np.nan_to_num(scores.standard_error),
        reliability[~np.isnan(reliability)],
    )


def draw_repeat(model: RepeatModel, judgements: Judgements, generator: np.random.Generator) -> Judgements:
    """Return judgements of the same tuples by as many new annotators, whose reliabilities are drawn from those of the
    study's annotators. Raises ValueError if the annotators are unknown.
    """
    if judgements.annotator is None:
        raise ValueError("A repeat cannot be simulated, because the judgements do not name their annotators.")
    annotators, number = np.unique(judgements.annotator, return_inverse=True)
    utility = generator.normal(model.utility, model.error)
    reliability = model.reliability[new_annotators(len(model.reliability), len(annotators), generator)]
    careless = generator.random(len(judgements)) >= reliability[number.ravel()]
    best, worst = judge(judgements.items, utility, careless, generator)
    return replace(judgements, best=best, worst=worst)
