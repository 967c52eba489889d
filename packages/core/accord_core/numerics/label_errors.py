"""The probability that a final label is wrong, so that reviewers can check the most doubtful labels first.

The probability comes from the one-coin model, which considers who disagrees with a label, not only how many. In the
simulations in `bench/label_errors.py`, this order finds more wrong labels than plain disagreement, and mostly more than
the Dawid–Skene model, whose many error rates are uncertain in studies of a usual size.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from accord_core.numerics.em import one_coin
from accord_core.numerics.labels import UNDECIDED, Floats, Ints, Labels


def wrong_probabilities(labels: Labels, final: ArrayLike, *, gold: ArrayLike | None = None) -> Floats:
    """Return the probability (n_items,) that each final label is wrong, or NaN for an item without one.

    `final` (n_items,) contains the final labels, or −1. `gold` (n_items,) contains the known labels, or −1, from which
    the model learns how accurate each annotator is. A known label is wrong with probability 0 or 1.
    """
    posterior = one_coin(labels, gold=gold).posterior
    if posterior is None:
        raise ValueError("The one-coin model returned no probabilities.")
    chosen: Ints = np.asarray(final)
    wrong = 1 - posterior[np.arange(labels.n_items), np.maximum(chosen, 0)]
    return np.where((chosen == UNDECIDED) | ~labels.counts.any(axis=1), np.nan, wrong)


def expected_repairs(wrong: Floats, voted: ArrayLike) -> Floats:
    """Return the number of labels (n_items,) that a decision is expected to change.

    `wrong` (n_items,) contains probabilities from `wrong_probabilities`. A decision certainly changes an item that has
    votes (`voted`) but no final label.
    """
    repairs: Floats = np.where(np.isnan(wrong), np.asarray(voted, dtype=np.float64), wrong)
    return repairs
