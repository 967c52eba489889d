"""Checks on the annotators in an annotation file, based on gold accuracy, agreement with others, and signs of careless
answers.

The checks are those of the report of a study (`bws/people.py`), for files that were collected elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord_core.bws.numerics.careless import FEWEST_ANSWERS, agreement_with_others, median_seconds, position_bias
from accord_core.bws.numerics.gold_answers import GoldRecords
from accord_core.bws.numerics.scoring import Bools, Floats, Ints, Judgements, consistent
from accord_core.numerics.careless import Agreement, chance_tests
from accord_core.numerics.intervals import wilson_interval


@dataclass(frozen=True)
class AnnotatorCheck:
    """One annotator's figures. Undefined figures are None.

    `judgements` does not include gold answers. The accuracy over gold answers and the agreement over shared judgements
    have 95% Wilson intervals. `position_p` is the p-value of the position test. `flags` contains `chance` for agreement
    at chance, and `positions` for position bias.
    """

    judgements: int
    gold_answers: int
    gold_correct: int
    accuracy: float | None
    accuracy_interval: tuple[float, float] | None
    failed_at: int
    agreement: float | None
    agreement_interval: tuple[float, float] | None
    shared: int
    position_p: float | None
    median_seconds: float | None
    flags: tuple[str, ...]


def check_annotators(
    judgements: Judgements, is_gold: Bools, records: GoldRecords, seconds: Floats | None, *, seed: int = 1
) -> list[AnnotatorCheck]:
    """Return the check for each annotator, numbered as in `judgements.annotator`.

    `is_gold` (M,) marks gold answers, which count only for the accuracy. `seconds` (M,) contains the answer times, or
    NaN. The position test assumes that the items of a row are in the order in which the annotator saw them. The
    position test excludes rows that name the same item as best and worst. Raises ValueError if the annotators are
    unknown.
    """
    ordinary = judgements.take(~is_gold)
    agreement = agreement_with_others(ordinary)
    who = ordinary.annotator if ordinary.annotator is not None else np.zeros(0, np.int64)
    size = judgements.items.shape[1]
    times = np.full(len(who), np.nan) if seconds is None else seconds[~is_gold]
    medians = median_seconds(who, times)
    agreements = [
        Agreement(float(agreement.share[number]), 1 / size, int(agreement.judgements[number]))
        if number < len(agreement.judgements) and agreement.judgements[number]
        else None
        for number in range(len(records.answers))
    ]
    places, usable = _places(ordinary), consistent(ordinary)
    checks = []
    for number, (shared, chance) in enumerate(zip(agreements, chance_tests(agreements), strict=True)):
        answers, correct = int(records.answers[number]), int(records.correct[number])
        own = who == number
        best, worst = places[0][own & usable], places[1][own & usable]
        bias = position_bias(best, worst, size, seed=seed) if len(best) >= FEWEST_ANSWERS else None
        flags = ["chance"] if chance is not None and chance.flagged else []
        flags += ["positions"] if bias is not None and bias.flagged else []
        checks.append(
            AnnotatorCheck(
                judgements=int(own.sum()),
                gold_answers=answers,
                gold_correct=correct,
                accuracy=correct / answers if answers else None,
                accuracy_interval=wilson_interval(correct, answers),
                failed_at=int(records.failed_at[number]),
                agreement=None if shared is None else shared.observed,
                agreement_interval=None
                if shared is None
                else wilson_interval(shared.observed * shared.questions, shared.questions),
                shared=0 if shared is None else shared.questions,
                position_p=None if bias is None else bias.p,
                median_seconds=_figure(medians, number),
                flags=tuple(flags),
            )
        )
    return checks


def _places(judgements: Judgements) -> tuple[Ints, Ints]:
    """Return the first positions (M,) of the best item and the worst item in each row."""
    best = (judgements.items == judgements.best[:, None]).argmax(axis=1)
    worst = (judgements.items == judgements.worst[:, None]).argmax(axis=1)
    return best, worst


def _figure(values: Floats, number: int) -> float | None:
    return float(values[number]) if number < len(values) and np.isfinite(values[number]) else None
