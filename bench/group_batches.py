"""What published reports give away about single annotators, with two ways of publishing figures by group.

    script/bench group_batches

`report by report` hides the figures of a group in each report that contains fewer than five of its annotators. `fixed
batches` publishes whole batches only (`accord_core/numerics/batches.py`). The first table contains pairs of successive
reports on simulated studies in which annotators finish and withdraw. It counts the pairs whose difference consists of
one to four people.

The second table is exhaustive, for one batch of three people and then a further person or batch. All people answer all
questions, and agree with the truth in 80% of cases. An attacker knows the people in each report and its coefficients
and, in the last columns, also the majority of all answers to each question. For each possible set of answers, the
attack finds all sets that lead to the same reports. An answer is given away if it is the same in all of them.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from math import comb, prod

import numpy as np

from accord_core.numerics.agreement import agreement
from accord_core.numerics.batches import deal_batches, published_agreement
from accord_core.numerics.labels import Labels
from accord_core.numerics.suppression import SMALLEST_SHOWN

STUDIES, REPORTS, ARRIVALS, WITHDRAWALS = 2_000, 6, 3.0, 0.05
BATCH, RIGHT = 3, 0.8
REPORT_BY_REPORT, FIXED_BATCHES = "report by report", "fixed batches"
Counts = tuple[int, ...]  # of yes answers to each question
World = tuple[tuple[int, int], ...]  # for each question, the counts of the first batch and of the people after it


def main() -> None:
    print(f"{'':>18}{'pairs of reports':>18}{'differ by 1 to 4 people':>26}")
    for name, (pairs, small) in differences(STUDIES, seed=1).items():
        print(f"{name:>18}{pairs:>18,}{small:>16,} ({small / pairs:.1%})")
    print(f"\n{'answers given away':>18}{'questions':>12}{'by the reports':>18}{'and by the majorities':>24}")
    for questions in (2, 3, 4):
        for name in (REPORT_BY_REPORT, FIXED_BATCHES):
            alone, also = (given_away(questions, name, knows_majorities=knows) for knows in (False, True))
            print(f"{name:>18}{questions:>12}{alone:>18.2%}{also:>24.2%}")


# ── differences between reports ───────────────────────────────────────────────────────────────────────────────────
def differences(studies: int, seed: int) -> dict[str, tuple[int, int]]:
    """Return the number of pairs of successive reports, and of the pairs that differ by one to four people."""
    generator = np.random.default_rng(seed)
    pairs = {REPORT_BY_REPORT: 0, FIXED_BATCHES: 0}
    small = dict(pairs)
    for study in range(studies):
        for name, reports in simulated_reports(generator, study).items():
            for earlier, later in itertools.pairwise(reports):
                pairs[name] += 1
                small[name] += gives_away_people(earlier, later)
    return {name: (pairs[name], small[name]) for name in pairs}


def gives_away_people(earlier: frozenset[str], later: frozenset[str]) -> bool:
    """Return whether one to four people joined or left between two reports that both have figures."""
    changed = len(earlier - later), len(later - earlier)
    return bool(earlier and later) and any(0 < number < SMALLEST_SHOWN for number in changed)


def simulated_reports(generator: np.random.Generator, seed: int) -> dict[str, list[frozenset[str]]]:
    """Return the people in each of a study's reports on one group."""
    finished: list[str] = []
    batches: list[frozenset[str]] = []
    reports: dict[str, list[frozenset[str]]] = {REPORT_BY_REPORT: [], FIXED_BATCHES: []}
    for report in range(REPORTS):
        finished = [person for person in finished if generator.random() > WITHDRAWALS]
        finished += [f"{report} {number}" for number in range(generator.poisson(ARRIVALS))]
        batched = frozenset().union(*batches)
        waiting = {person: ("question",) for person in finished if person not in batched}
        batches += [frozenset(members) for members in deal_batches(waiting, seed)]
        whole = [batch for batch in batches if batch <= set(finished)]
        reports[REPORT_BY_REPORT].append(frozenset(finished if len(finished) >= SMALLEST_SHOWN else ()))
        reports[FIXED_BATCHES].append(frozenset().union(*whole))
    return reports


# ── the exhaustive attack ─────────────────────────────────────────────────────────────────────────────────────────
def given_away(questions: int, name: str, *, knows_majorities: bool) -> float:
    """Return the expected share of the answers that the reports give away."""
    others = 1 if name == REPORT_BY_REPORT else BATCH
    reports = _report_by_report if name == REPORT_BY_REPORT else _fixed_batches
    cells = list(itertools.product(range(BATCH + 1), range(others + 1)))
    chance = {cell: _chance(cell, others) for cell in cells}
    same: dict[object, list[World]] = defaultdict(list)
    for world in itertools.product(cells, repeat=questions):
        majorities = tuple(np.sign(2 * sum(cell) - BATCH - others) for cell in world) if knows_majorities else ()
        same[(reports(world), majorities)].append(world)
    return sum(
        sum(prod(chance[cell] for cell in world) for world in worlds) * _share_known(worlds, (BATCH, others))
        for worlds in same.values()
    )


def _chance(cell: tuple[int, int], others: int) -> float:
    """Return the probability of these counts of yes answers to a question whose truth is yes or no with the same
    probability.
    """
    yes, people = sum(cell), BATCH + others
    sets = comb(BATCH, cell[0]) * comb(others, cell[1])
    return sets * sum(right**yes * (1 - right) ** (people - yes) for right in (RIGHT, 1 - RIGHT)) / 2


def _share_known(worlds: Sequence[World], people: tuple[int, int]) -> float:
    """Return the share of the answers that are the same in all these worlds. Only a unanimous count gives away who
    answered what.
    """
    counts = np.array(worlds)
    low, high = counts.min(axis=0), counts.max(axis=0)
    known = (low == high) & ((low == 0) | (low == np.array(people)))
    return float((known * np.array(people)).sum() / (sum(people) * len(low)))


def _report_by_report(world: World) -> object:
    """Return the reports before and after one more person."""
    return _figures(_sorted(cell[:1] for cell in world), (BATCH,), False), _figures(
        _sorted((sum(cell),) for cell in world), (BATCH + 1,), False
    )


def _fixed_batches(world: World) -> object:
    """Return the reports on the first batch, on both batches and, after a withdrawal from the first one, on the
    second.
    """
    return tuple(
        _figures(_sorted(cell[part] for cell in world), (BATCH,) * batches, True)
        for part, batches in ((slice(0, 1), 1), (slice(0, 2), 2), (slice(1, 2), 1))
    )


def _sorted(counts: object) -> tuple[Counts, ...]:
    """Return the counts in an order that reveals no questions. The coefficients do not depend on the order."""
    return tuple(sorted(counts))  # type: ignore[call-overload, no-any-return]


@cache
def _figures(counts: Sequence[Counts], sizes: Sequence[int], in_batches: bool) -> object:
    """Return the published coefficients of groups of these sizes, in which the counts answered yes to each question."""
    rows = [
        (question, start + member, int(member < yes))
        for question, cell in enumerate(counts)
        for yes, size, start in zip(cell, sizes, itertools.accumulate(sizes, initial=0))  # noqa: B905
        for member in range(size)
    ]
    item, annotator, label = np.array(rows).T
    labels = Labels(item, annotator, label, len(counts), sum(sizes), 2)
    if not in_batches:
        return tuple(sorted((name, each.value) for name, each in agreement(labels, resamples=0).items()))
    batch = np.repeat(np.arange(len(sizes)), sizes)
    within = published_agreement(labels, 0 * batch, batch, (1,), smallest=BATCH).within[0]
    return tuple(sorted((name, each.value) for name, each in within.items()))


if __name__ == "__main__":
    main()
