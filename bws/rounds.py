"""The questions of an adaptive round: tuples that compare items of uncertain rank with items of similar utility."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from accord_core.bws.numerics.adaptive import adaptive_tuples
from accord_core.bws.numerics.design import DesignError
from accord_core.bws.numerics.repeated_pairs import pair_codes
from accord_core.bws.numerics.scoring import Ints
from accord_core.exchange.arrays import read_json_array
from accord_core.numerics.draws import derived_seed
from annotate.tasktypes import Check, Columns, Progress, ReportResult, Rounds
from bws.columns import judgements_of

ROUNDS = Rounds(
    choice="Accord chooses new tuples from the MaxDiff scores of all answers. Items with an uncertain rank appear more "
    "often, and each tuple contains items with similar scores. Each tuple is judged once.",
    results="Scores are MaxDiff utilities from all judgements. The reliability and the noise ceiling use only the "
    "design's judgements, because adaptive rounds would bias the split-half reliability.",
    gain="In simulations, adaptive rounds instead of half of the random design saved 17% to 31% of judgements at the "
    "same correlation with the true scores.",
)


def choose(columns: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress) -> ReportResult:
    """Choose the tuples of the adaptive round with the number `round`. The parameter `questions` is their number."""
    judgements = judgements_of(columns)
    if not len(judgements):
        return ReportResult(0, 0, "No judgements count yet.")
    progress(0.1, "MaxDiff scores")
    # Items that were imported later are not in the design yet, so rounds do not contain them.
    items, tuples = np.unique(columns["tuples"], return_inverse=True)
    tuples = tuples.reshape(columns["tuples"].shape)
    among = replace(
        judgements,
        items=np.searchsorted(items, judgements.items),
        best=np.searchsorted(items, judgements.best),
        worst=np.searchsorted(items, judgements.worst),
        n_items=len(items),
    )
    seed = derived_seed(seed, "round", parameters["round"])
    try:
        chosen = adaptive_tuples(among, tuples, int(parameters["questions"]), seed=seed)
    except DesignError as error:
        return ReportResult(len(judgements), reason=str(error))
    keys = read_json_array(columns["keys"])
    own = {
        "questions": [{"items": [keys[item] for item in row]} for row in items[chosen].tolist()],
        "checks": [check.as_json() for check in _checks(chosen, tuples, len(items))],
    }
    return ReportResult(len(judgements), own=own)


def _checks(tuples: Ints, before: Ints, n_items: int) -> list[Check]:
    appearances = np.bincount(tuples.ravel(), minlength=n_items)
    _, counts = np.unique(pair_codes(np.vstack([before, tuples]), n_items), return_counts=True)
    _, earlier = np.unique(pair_codes(before, n_items), return_counts=True)
    repeated = int((counts - 1).sum() - (earlier - 1).sum())
    return [
        Check("Items in the round", f"{int((appearances > 0).sum()):,}", f"of {n_items:,} items"),
        Check(
            "Appearances of an item",
            f"{int(appearances.min())} to {int(appearances.max())}",
            "more for items with an uncertain rank",
        ),
        Check.of(
            "Repeated pairs",
            f"{repeated:,}",
            "pairs of items that were already in the same tuple",
            repeated == 0,
        ),
    ]
