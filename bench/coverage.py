"""The coverage of every interval that Accord prints: how often an interval contains the true value.

    script/bench coverage [--fast] [COMMAND ...]

Intervals are 95% intervals, except the 90% interval of the forecast of a study's end. Each simulated collection draws
its units, such as questions, annotators, or both, from the same population (`_assisted_simulations`,
`_compare_simulations`, `_interval_simulations`, `_reliability_simulations` and `_study_simulations`). The true value is
the mean of the figure over all collections, so that the small bias of a figure does not affect the coverage, or a value
that the simulation knows. `--fast` simulates fewer collections. Names of commands select rows, such as “labels
agreement” or “ists score”.
`tests/project/test_coverage.py` checks that this table covers every function that calculates an interval.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from accord_core.numerics.generalising import Over, agreement_over
from accord_core.numerics.labels import Labels
from bench import (
    _assisted_simulations,
    _compare_simulations,
    _copying_simulations,
    _error_simulations,
    _group_simulations,
    _interval_simulations,
    _program_simulations,
    _reliability_simulations,
    _repeat_simulations,
    _study_simulations,
)
from bench._interval_simulations import Simulation

SIMULATIONS: tuple[Simulation, ...] = (
    *_assisted_simulations.SIMULATIONS,
    *_group_simulations.SIMULATIONS,
    *_interval_simulations.SIMULATIONS,
    *_program_simulations.SIMULATIONS,
    *_compare_simulations.SIMULATIONS,
    *_copying_simulations.SIMULATIONS,
    *_error_simulations.SIMULATIONS,
    *_reliability_simulations.SIMULATIONS,
    *_repeat_simulations.SIMULATIONS,
    *_study_simulations.SIMULATIONS,
)
AGREEMENT = "labels agreement"
COLLECTIONS, FAST = 400, 60
RESAMPLES = 400
CANDIDATES = 3
OVERS: tuple[Over, ...] = ("questions", "annotators", "both")
NAMES = ("raw_agreement", "cohen_kappa_mean", "fleiss_kappa", "krippendorff_alpha_nominal", "gwet_ac1")


def main() -> None:
    chosen = [argument for argument in sys.argv[1:] if argument != "--fast"]
    collections = FAST if "--fast" in sys.argv[1:] else COLLECTIONS
    print("| command or page | figure | units | collections | coverage | SE |")
    print("|---|---|---|---|---|---|")
    for simulation in SIMULATIONS:
        if not chosen or simulation.command in chosen:
            for units in simulation.sizes:
                print_rows(simulation, units, int(collections * simulation.share))
    for over in OVERS if not chosen or AGREEMENT in chosen else ():
        for questions in (50, 200, 1000):
            for annotators in (3, 5, 10):
                units = f"{over}: {questions:,} questions, {annotators} annotators"
                for name, share in zip(NAMES, coverage(over, questions, annotators, collections), strict=True):
                    print_row(AGREEMENT, name, units, collections, share)


def print_rows(simulation: Simulation, units: int, collections: int) -> None:
    """Print one row for each figure of a simulation. Collections in which a figure is undefined are not counted."""
    found: dict[str, list[tuple[float, ...]]] = {}
    for number in range(collections):
        for name, figure in simulation.draw(np.random.default_rng([3, units, number]), units).items():
            if not any(each is None for each in figure):
                found.setdefault(name, []).append(figure)  # type: ignore[arg-type]
    for name, rows in found.items():
        values, low, high, *known = np.array(rows).T
        truth = known[0] if known else values.mean()
        share = float(((low <= truth) & (truth <= high)).mean())
        print_row(simulation.command, name, f"{units:,} {simulation.unit}", len(rows), share)


def print_row(command: str, figure: str, units: str, collections: int, share: float) -> None:
    """Print the coverage with its standard error. With a share of 1, the error is that of one miss."""
    error = np.sqrt(max(share * (1 - share), (1 - 1 / collections) / collections) / collections)
    print(f"| {command} | {figure} | {units} | {collections:,} | {share:.1%} | {error:.1%} |", flush=True)


def coverage(over: Over, questions: int, annotators: int, collections: int) -> list[float]:
    values, ends = [], []
    for labels, clusters in simulated(over, questions, annotators, collections):
        found = agreement_over(labels, over=over, clusters=clusters, resamples=RESAMPLES).coefficients
        values.append([found[name].value for name in NAMES])
        ends.append([(found[name].low, found[name].high) for name in NAMES])
    truth = np.mean(np.array(values, dtype=float), axis=0)
    low, high = np.moveaxis(np.array(ends, dtype=float), 2, 0)
    return ((low <= truth) & (truth <= high)).mean(axis=0).tolist()


def simulated(over: Over, questions: int, annotators: int, collections: int) -> Iterator[tuple[Labels, np.ndarray]]:
    """Yield collections that share the questions or the annotators to which the intervals do not generalise."""
    fixed = np.random.default_rng([1, questions, annotators])
    fixed_questions, fixed_annotators = draw_questions(fixed, questions), draw_annotators(fixed, annotators)
    for number in range(collections):
        generator = np.random.default_rng([2, questions, annotators, number])
        yes = fixed_questions if over == "annotators" else draw_questions(generator, questions)
        lean, care = fixed_annotators if over == "questions" else draw_annotators(generator, annotators)
        chance = 1 / (1 + np.exp(-(care[None, :] * yes[:, None] + lean[None, :])))
        label = (generator.random(chance.shape) < chance).astype(np.int64)
        item, annotator = (each.ravel() for each in np.indices(chance.shape))
        clusters = np.arange(len(yes)) // CANDIDATES
        yield Labels(item, annotator, label.ravel(), len(yes), annotators, 2), clusters


def draw_questions(generator: np.random.Generator, questions: int) -> np.ndarray:
    """Return the propensity of “yes” for each candidate. The candidates of a question have a part in common."""
    common = generator.normal(-0.4, 1.0, size=questions)
    return np.repeat(common, CANDIDATES) + generator.normal(0, 1.5, size=questions * CANDIDATES)


def draw_annotators(generator: np.random.Generator, annotators: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the leaning towards “yes” and the care of each annotator."""
    return generator.normal(0, 0.5, size=annotators), generator.gamma(6.0, 0.25, size=annotators)


if __name__ == "__main__":
    main()
