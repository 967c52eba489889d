"""Activity summaries of simulated annotators, with figures that are typical of annotators who use a mouse."""

from __future__ import annotations

from typing import Any

import numpy as np

from annotate.numerics.draws import generator

LOOKS_UP = 0.04  # the share of answers during which careful annotators open another window
LEAVES = 0.6  # the same share for careless annotators
PAUSES = {False: (1_600.0, 0.3), True: (700.0, 0.03)}  # ms between two presses, and the spread from answer to answer
SPREAD = {False: 0.8, True: 0.06}  # the interquartile range of these times within an answer, as a share of the median
STRAIGHT = {False: (0.88, 0.04), True: (0.97, 0.01)}  # mean and spread of the straightness of pointer paths


def simulated_summary(careless: bool, *names: int | str) -> dict[str, Any]:
    """Return an activity summary for an answer, drawn from `names`.

    Careful annotators click at irregular intervals and rarely use another window. Careless annotators often use another
    window, and click at short and even intervals.
    """
    dice = generator("activity", *names)
    presses = 3 + int(dice.poisson(3.0))
    pause, varies = PAUSES[careless]
    median = pause * float(np.exp(dice.normal(0.0, varies)))
    straight, around = STRAIGHT[careless]
    left = bool(dice.random() < (LEAVES if careless else LOOKS_UP))
    return {
        "untrusted_events": 0,
        "webdriver": False,
        "focus_losses": int(left),
        "unfocused_seconds": round(float(dice.gamma(6.0, 2.0)), 1) if left else 0,
        "pastes": 0,
        "pasted_length": "",
        "keys": 0,
        "key_interval_median": None,
        "key_interval_iqr": None,
        "presses": presses,
        "press_interval_median": round(median, 1),
        "press_interval_iqr": round(median * SPREAD[careless] * float(dice.uniform(0.8, 1.2)), 1),
        "pointer_paths": presses,
        "straightness": round(min(1.0, max(0.0, float(dice.normal(straight, around)))), 3),
    }
