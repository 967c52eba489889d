"""The noise ceiling in a best–worst report, for all scores and for each source of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accord_core.bws.numerics.ceiling import noise_ceiling
from accord_core.bws.numerics.scoring import Judgements

BY = "source"  # STR-2021 reports its figures by source.
MOST_SOURCES = 20


def ceiling_figures(judgements: Judgements, metadata: Sequence[Mapping[str, str]], seed: int) -> dict[str, Any]:
    """Return the reliability of the scores and the noise ceiling, with 95% intervals, as a JSON object.

    `metadata` contains one row per item. If the column `source` divides the items into 2 to 20 groups, `groups`
    contains the same figures for each source.
    """
    figures: dict[str, Any] = noise_ceiling(judgements, seed=seed).as_dict()
    sources = [row.get(BY, "") for row in metadata]
    if 2 <= len(set(sources)) <= MOST_SOURCES:
        names = np.array(sources, dtype=object)
        figures["groups"] = {
            source or "(empty)": noise_ceiling(judgements, None, names == source, seed=seed).as_dict()
            for source in sorted(set(sources))
        }
    return figures
