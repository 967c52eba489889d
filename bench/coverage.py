"""The coverage of the 95% intervals: how often an interval contains the figure for all units of the population.

    script/bench coverage [--fast] [COMMAND ...]

The first rows are the agreement on labels. Each simulated collection draws its questions, its annotators, or both, from
the same population. Every annotator labels every question. Each question has three candidates of a common difficulty,
and each annotator has a degree of care and a leaning towards “yes”. The other rows are the simulations in
`_interval_simulations`. The true value is the mean of the figure over all collections, so that the small bias of a
figure does not affect the coverage. `--fast` simulates fewer collections. Names of commands select rows, such as
“labels agreement” or “ists score”.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from annotate.numerics.generalising import Over, agreement_over
from annotate.numerics.labels import Labels
from bench._interval_simulations import SIMULATIONS, Simulation

AGREEMENT = "labels agreement"
COLLECTIONS, FAST = 400, 60
RESAMPLES = 400
CANDIDATES = 3
OVERS: tuple[Over, ...] = ("questions", "annotators", "both")
NAMES = ("raw_agreement", "cohen_kappa_mean", "fleiss_kappa", "krippendorff_alpha_nominal", "gwet_ac1")


def main() -> None:
    chosen = [argument for argument in sys.argv[1:] if argument != "--fast"]
    collections = FAST if "--fast" in sys.argv[1:] else COLLECTIONS
    print("| command | figure | resampled units | collections | coverage |")
    print("|---|---|---|---|---|")
    for simulation in SIMULATIONS:
        if not chosen or simulation.command in chosen:
            for units in simulation.sizes:
                print_rows(simulation, units, int(collections * simulation.share))
    for over in OVERS if not chosen or AGREEMENT in chosen else ():
        for questions in (50, 200, 1000):
            for annotators in (3, 5, 10):
                units = f"{over}: {questions:,} questions, {annotators} annotators"
                for name, share in zip(NAMES, coverage(over, questions, annotators, collections), strict=True):
                    print(f"| {AGREEMENT} | {name} | {units} | {collections} | {share:.1%} |", flush=True)


def print_rows(simulation: Simulation, units: int, collections: int) -> None:
    """Print one row for each figure of a simulation. Collections in which a figure is undefined are not counted."""
    found: dict[str, list[tuple[float, float, float]]] = {}
    for number in range(collections):
        for name, ends in simulation.draw(np.random.default_rng([3, units, number]), units).items():
            if None not in ends:
                found.setdefault(name, []).append(ends)  # type: ignore[arg-type]
    for name, rows in found.items():
        values, low, high = np.array(rows).T
        share = ((low <= values.mean()) & (values.mean() <= high)).mean()
        print(
            f"| {simulation.command} | {name} | {units:,} {simulation.unit} | {len(rows):,} | {share:.1%} |", flush=True
        )


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
