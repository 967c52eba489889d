"""Program-assisted figures: coverage, width beside people alone, and saved judgements, simulated and with real data.

    CORPORA=folder script/bench assisted [--fast]

Each row draws 2,000 studies (100 with --fast). People judge a fifth or a quarter of the pool. Without CORPORA, the real
data are left out: Ruddit, the Edinburgh corpus, interpretable STS and SWORDS.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from accord_core.numerics.assisted import AssistedFigure, Drawn
from bench import _assisted_corpora
from bench import _assisted_simulations as simulated
from bench._assisted_items import print_items, print_ruddit_items
from bench._assisted_simulations import ACCURACIES, LABELLED, PROGRAMS, SCORED

DRAWS, FAST = 2000, 100
SIZES = (100, 400)
POOL = 5  # the size of the pool for each judged question
ALONE = 400  # questions that people alone would judge

Estimate = Callable[[np.random.Generator], tuple[AssistedFigure, float]]


class Measured:
    """The coverage and mean width of a figure with the program and from people alone, over many draws."""

    def __init__(self, estimate: Estimate, draws: int, *seed: int) -> None:
        rows = []
        for number in range(draws):
            figure, truth = estimate(np.random.default_rng([11, *seed, number]))
            ends = [(each.low, each.high) for each in (figure.assisted, figure.people)]
            if all(low is not None for low, _ in ends):
                rows.append([*ends[0], *ends[1], truth, figure.saved])
        self.draws = len(rows)
        if rows:
            low, high, low_alone, high_alone, truth_of, saved = np.array(rows, dtype=float).T
            self.coverage = ((low <= truth_of) & (truth_of <= high)).mean()
            self.alone = ((low_alone <= truth_of) & (truth_of <= high_alone)).mean()
            self.width, self.width_alone, self.saved = (
                (high - low).mean(),
                (high_alone - low_alone).mean(),
                saved.mean(),
            )

    def cells(self) -> str:
        if not self.draws:
            return "0 | – | – | – | – |"
        ratio = self.width / self.width_alone
        return f"{self.draws:,} | {self.coverage:.1%} | {self.alone:.1%} | {ratio:.3f} | {self.saved:.0%} |"


def main() -> None:
    draws = FAST if "--fast" in sys.argv[1:] else DRAWS
    print("| data | figure | program | judged | draws | coverage | people alone | width | saved |")
    print("|---|---|---|---|---|---|---|---|---|")
    for qualities, kinds in ((PROGRAMS, SCORED), (ACCURACIES, LABELLED)):
        for name, draw_figure in kinds:
            for program, quality in qualities.items():
                for judged in SIZES:
                    estimate = partial(draw_figure, quality, judged=judged, pool=POOL * judged)
                    found = Measured(estimate, draws, judged)
                    print(f"| simulated | {name} | {program} | {judged} | {found.cells()}", flush=True)
    if "CORPORA" in os.environ:
        print_corpora(Path(os.environ["CORPORA"]), draws)
    print_equal_widths(draws)
    print_ranks(draws)
    print_misleading_uncertainty(draws)
    print_items(max(4, draws // 50))
    if "CORPORA" in os.environ:
        print_ruddit_items(Path(os.environ["CORPORA"]) / "ruddit")


def print_corpora(folder: Path, draws: int) -> None:
    for each in _assisted_corpora.populations(folder):

        def estimated(draw: np.random.Generator) -> tuple[AssistedFigure, float]:
            pool = draw.integers(each.questions, size=each.pool)  # noqa: B023 — called within this round
            return each.estimate(pool, Drawn(np.arange(each.judged), np.ones(each.judged), each.pool)), each.truth  # noqa: B023

        found = Measured(estimated, draws)
        print(f"| {each.corpus} | {each.figure} | {each.program} | {each.judged} | {found.cells()}", flush=True)


def print_equal_widths(draws: int) -> None:
    """Compare people alone, who judge a fifth of the pool, with fewer judgements and a program."""
    print("\nJudgements saved at equal width, if people alone would judge a fifth of 2,000 questions:")
    pool, share = POOL * ALONE, 1 / POOL
    for name, estimate in (SCORED[0], SCORED[2]):
        alone = Measured(partial(estimate, 0.0, judged=ALONE, pool=pool), draws).width_alone
        for program in (".6", ".8"):
            judged = fewest_judged(partial(estimate, PROGRAMS[program], pool=pool), alone, draws // 4)
            r = PROGRAMS[program] ** 2 * simulated.RELIABILITY
            formula = f" (formula {r * (1 - share) / (1 - r * share):.1%})" if name == "mean" else ""
            print(f"  {name}, program {program}: {judged} instead of {ALONE}, {1 - judged / ALONE:.1%} saved{formula}")


def fewest_judged(estimate: Callable[..., tuple[AssistedFigure, float]], target: float, draws: int) -> int:
    """Return the smallest number of judged questions with at most this mean width."""
    low, high = ALONE // 10, ALONE
    while high - low > 2:
        middle = (low + high) // 2
        narrow = Measured(partial(estimate, judged=middle), draws).width <= target
        low, high = (low, middle) if narrow else (middle, high)
    return high


def print_ranks(draws: int) -> None:
    print("\nAll four ranks of systems in their ranges, and mean number of ranks in a range:")
    for program in ("useless", ".8"):
        right, sizes = [], []
        for number in range(draws):
            ranks, true = simulated.ranks(PROGRAMS[program], np.random.default_rng([12, number]), ALONE, 5 * ALONE)
            if ranks is not None:
                right.append(all(rank.low <= each <= rank.high for rank, each in zip(ranks, true, strict=True)))
                sizes.append(np.mean([1 + rank.high - rank.low for rank in ranks]))
        print(f"  program {program}: {np.mean(right):.1%}, {np.mean(sizes):.2f} ({len(right):,} draws)")


def print_misleading_uncertainty(draws: int) -> None:
    """Draw by an uncertainty that is high exactly where the program is right."""
    print("\nWidth after a draw by misleading uncertainty, compared with an even draw (bound √(1/τ)):")
    for even in (0.2, 0.5, 0.8):
        misled, right = (
            Measured(partial(simulated.mean_misled, 0.8, each, judged=ALONE, pool=POOL * ALONE), draws // 4).width
            for each in (even, 1.0)
        )
        print(f"  τ = {even}: {misled / right:.2f} (bound {even**-0.5:.2f})")


if __name__ == "__main__":
    main()
