"""MaxDiff: its speed, its advantage over counting, and the advantage of annotator reliabilities if some are
spammers.

    python -m bench.maxdiff

The data is simulated: normal utilities with SD 1.5, four items per tuple, factor 2. Times are CPU time of this process.
Each simulated figure is the mean Spearman correlation with the true utilities.
"""

from __future__ import annotations

import time

import numpy as np

from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.maxdiff import maxdiff_scores, maxdiff_with_reliabilities
from accord_core.bws.numerics.scoring import Judgements, counting_scores, spearman
from accord_core.bws.numerics.simulation import simulate_judgements

SIMULATIONS = 40
SPREAD = 1.5
ANNOTATORS = 40


def main() -> None:
    print_speed()
    print_recovery()
    print_recovery_among_spammers()


def print_speed() -> None:
    truth = np.random.default_rng(1).normal(0, SPREAD, 5_500)
    judgements = simulate_judgements(best_worst_design(5_500), truth, per_tuple=2, annotators=100, careless=0.25)
    seconds = []
    for _ in range(3):
        started = time.perf_counter()
        fit = maxdiff_scores(judgements)
        seconds.append(time.perf_counter() - started)
    print(
        f"{len(judgements):,} judgements of 5,500 items: {min(seconds):.2f} s, {fit.iterations} iterations (target 1 s)"
    )
    started = time.perf_counter()
    fit, _ = maxdiff_with_reliabilities(judgements)
    print(f"  with reliabilities: {time.perf_counter() - started:.2f} s, {fit.iterations} iterations of EM")
    seconds_of_scipy(judgements)


def seconds_of_scipy(judgements: Judgements) -> None:
    """Minimise the same loss with scipy's L-BFGS-B, and report the time of its import separately."""
    started = time.perf_counter()
    from scipy.optimize import minimize

    imported = time.perf_counter() - started
    first, number = np.unique(judgements.items, axis=0, return_inverse=True)
    weight, n = np.bincount(number.ravel()), judgements.n_items
    net = np.bincount(judgements.best, minlength=n) - np.bincount(judgements.worst, minlength=n)

    def loss(u: np.ndarray) -> tuple[float, np.ndarray]:
        up = np.exp(u[first])
        total = up.sum(1) * (1 / up).sum(1) - first.shape[1]
        share = (up * (1 / up).sum(1)[:, None] - up.sum(1)[:, None] / up) * (weight / total)[:, None]
        gradient = np.bincount(first.ravel(), share.ravel(), n) - net + 0.1 * u
        return float(weight @ np.log(total) - net @ u + 0.05 * u @ u), gradient

    started = time.perf_counter()
    minimum = minimize(loss, np.zeros(n), jac=True, method="L-BFGS-B")
    fitted = time.perf_counter() - started
    agreement = spearman(minimum.x, maxdiff_scores(judgements).utility)
    print(f"  scipy's L-BFGS-B: {fitted:.2f} s after {imported:.2f} s of import; Spearman with ours {agreement:.5f}")


def print_recovery() -> None:
    figures = []
    for seed in range(1, SIMULATIONS + 1):
        truth = np.random.default_rng(seed).normal(0, SPREAD, 400)
        judgements = simulate_judgements(best_worst_design(400, seed=seed), truth, annotators=ANNOTATORS, seed=seed)
        figures.append(
            (spearman(maxdiff_scores(judgements).utility, truth), spearman(counting_scores(judgements).score, truth))
        )
    model, counting = np.mean(figures, axis=0)
    print(
        f"n = 400, 2 x 2 judgements, {SIMULATIONS} simulations: "
        f"MaxDiff {model:.3f}, counting {counting:.3f} (.946, .930)"
    )


def print_recovery_among_spammers() -> None:
    for per_tuple in (2, 3, 4):
        figures = []
        for seed in range(1, SIMULATIONS // 2 + 1):
            truth = np.random.default_rng(seed).normal(0, SPREAD, 400)
            judgements = simulate_judgements(
                best_worst_design(400, seed=seed),
                truth,
                per_tuple=per_tuple,
                annotators=ANNOTATORS,
                careless=0.25,
                seed=seed,
            )
            fit, _ = maxdiff_with_reliabilities(judgements)
            plain = maxdiff_scores(judgements)
            figures.append((spearman(fit.utility, truth), spearman(plain.utility, truth)))
        known, plain_figure = np.mean(figures, axis=0)
        print(
            f"a quarter spammers, 2 x {per_tuple}: "
            f"with reliabilities {known:.3f}, without {plain_figure:.3f} (.943, .915)"
        )


if __name__ == "__main__":
    main()
