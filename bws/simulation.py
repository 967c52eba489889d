"""Simulated annotators' answers, which are drawn from the MaxDiff model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from accord_core.bws.numerics.simulation import choose_best_worst
from bws.answer import keys_on_screen

# The items' true values in [0, 1] are multiplied by this factor to obtain the utilities in the choice model. If a
# question's items are a quarter of the scale apart, an attentive simulated annotator gives the expected answer about
# four times in five.
SPREAD = 9.0


def simulate_answer(
    payload: Any, shown: Any, truth: Mapping[str, float], careless: bool, generator: np.random.Generator
) -> dict[str, int]:
    """Return an answer as sent by a browser. `truth` contains each item's true value in [0, 1]."""
    utilities = [0.0 if careless else SPREAD * truth[key] for key in keys_on_screen(payload, shown)]
    best, worst = choose_best_worst(utilities, generator.random())
    return {"best": best + 1, "worst": worst + 1}
