"""Scores of a fixed set of best–worst items with a prior that follows a program (`maxdiff_with_prior`)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.maxdiff_prior import PriorFit, maxdiff_with_prior
from accord_core.bws.numerics.scoring import counting_scores, spearman
from accord_core.bws.numerics.simulation import simulate_judgements
from accord_core.numerics.intervals import Z_95
from bench.ruddit import read_judgements

ITEMS, SPREAD, JUDGEMENTS = 200, 1.5, 360  # scores with a reliability of .80
PROGRAMS = {"people alone": None, "useless": 0.0, ".6": 0.6, ".8": 0.8}
SHARES = (1.0, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4)


def print_items(draws: int) -> None:
    """Print the error and coverage with all judgements, and the judgements that a program saves at equal reliability,
    which is the squared correlation with the true utilities, and at equal error.
    """
    print(f"\nScores of {ITEMS} items from {JUDGEMENTS} judgements ({draws} draws):")
    print("| program | prior | RMSE | reliability | coverage | extreme tenths | saved, reliability | saved, RMSE |")
    print("|---|---|---|---|---|---|---|---|")
    found = {name: np.array([errors_of(name, number) for number in range(draws)]).mean(axis=0) for name in PROGRAMS}
    _, error_alone, reliability_alone, *_ = found["people alone"][0]
    for name, values in found.items():
        spread, error, reliability, coverage, extremes = values[0]
        # The share of the judgements with which the program reaches the figures of people alone
        saved = (
            1 - np.interp(-reliability_alone, -values[:, 2], SHARES),
            1 - np.interp(error_alone, values[:, 1], SHARES),
        )
        cells = f"{spread:.2f} | {error:.3f} | {reliability:.3f} | {coverage:.1%} | {extremes:.1%}"
        print(f"| {name} | {cells} | {saved[0]:.0%} | {saved[1]:.0%} |")


def errors_of(program: str, number: int) -> list[list[float]]:
    """Return the figures of one simulated collection for each share of the judgements."""
    draw = np.random.default_rng([13, number])
    true = draw.normal(0, SPREAD, ITEMS)
    noise, correlation = draw.normal(size=ITEMS), PROGRAMS[program]
    predicted = None if correlation is None else correlation * true / SPREAD + (1 - correlation**2) ** 0.5 * noise
    judgements = simulate_judgements(best_worst_design(ITEMS), true, per_tuple=1, annotators=20, seed=number)
    return [
        _figures(maxdiff_with_prior(judgements.take(slice(round(share * JUDGEMENTS))), predicted), true)
        for share in SHARES
    ]


def _figures(fit: PriorFit, true: np.ndarray) -> list[float]:
    utility, error = fit.scores.utility, fit.scores.standard_error
    difference = utility - true + true.mean()
    covered = np.abs(difference) < Z_95 * error
    rank = true.argsort().argsort()
    extreme = (rank < ITEMS // 10) | (rank >= ITEMS - ITEMS // 10)
    reliability = np.corrcoef(utility, true)[0, 1] ** 2
    return [fit.spread, np.sqrt((difference**2).mean()), reliability, covered.mean(), covered[extreme].mean()]


def print_ruddit_items(folder: Path) -> None:
    """Print how well scores from few real judgements agree with scores from the other judgements."""
    names, judgements = read_judgements(folder / "annotations.csv")
    draw = np.random.default_rng(1)
    used = draw.random(len(judgements)) < 1 / 8
    others = counting_scores(judgements.take(~used)).score
    standard = (others - np.nanmean(others)) / np.nanstd(others)
    print(f"\nRuddit, {used.sum():,} judgements of {len(names):,} items: Spearman with the scores from the others")
    for name, correlation in PROGRAMS.items():
        program = None
        if correlation is not None:
            noise = draw.normal(size=len(names))
            program = correlation * np.nan_to_num(standard) + (1 - correlation**2) ** 0.5 * noise
        utility = maxdiff_with_prior(judgements.take(used), program).scores.utility
        known = ~(np.isnan(utility) | np.isnan(others))
        print(f"  {name}: {spearman(utility[known], others[known]):.3f}")
