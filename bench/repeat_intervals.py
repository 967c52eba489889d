"""How often the figure of a repeat is in the interval that the original study predicts for it.

    script/bench repeat_intervals [--fast] [TASK TYPE ...]

Each row simulates studies and one repeat of each with new annotators, and calculates prediction intervals from the
original alone. Careful repeats should be in the 95% interval 95% of the time. Repeats whose annotators answer
about half of the questions carelessly should not. `--fast` simulates fewer studies.
"""

from __future__ import annotations

import os
import sys

import numpy as np

from bench._repeat_studies import CARELESS, SIZES, answered, unanswered

STUDIES, FAST = 400, 60
DRAWS = 79


def main() -> None:
    chosen = [argument for argument in sys.argv[1:] if argument != "--fast"] or list(SIZES)
    studies = FAST if "--fast" in sys.argv[1:] else STUDIES
    print("| task type | figure | studies | usual repeats | careless repeats | mean width | observed − mean |")
    print("|---|---|---|---|---|---|---|")
    for slug in chosen:
        for label, usual, careless, width, bias in shares(slug, studies):
            row = f"{usual:.1%} | {careless:.1%} | {width:.3f} | {bias:+.3f}"
            print(f"| {slug} | {label} | {studies} | {row} |", flush=True)


def shares(slug: str, studies: int, first: int = 0) -> list[tuple[str, float, float, float, float]]:
    """Return, for each figure, the shares of usual and of careless repeats in the interval, its mean width, and the
    mean difference between usual repeats and the mean of simulated repeats."""
    from annotate import tasktypes
    from releases.compare.figures import compare

    task = tasktypes.get(slug)
    found: dict[str, list[tuple[float, ...]]] = {}
    for number in range(first, first + studies):
        generator = np.random.default_rng([7, number])
        study, truth = unanswered(slug, generator)
        original = task.outcomes(answered(study, truth, generator))
        repeats = [task.outcomes(answered(study, truth, generator, *share)) for share in ((), (CARELESS,))]
        for place, outcome in enumerate(original):
            usual, careless = (
                compare(outcome, repeat[place], resamples=0, draws=draws, seed=number)
                for repeat, draws in zip(repeats, (DRAWS, 0), strict=True)
            )
            for one, other in zip(usual, careless, strict=True):
                if one.predicted is None or one.figure.value is None or other.figure.value is None:
                    continue
                low, high, mean = one.predicted
                values = (one.figure.value, other.figure.value)
                inside = (low <= value <= high for value in values)
                found.setdefault(one.label, []).append((*inside, high - low, values[0] - mean))
    return [(label, *np.mean(rows, axis=0).tolist()) for label, rows in found.items()]


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
    import django

    django.setup()
    main()
