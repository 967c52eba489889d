"""The questions of an adaptive round: questions whose labels are least certain get further judgements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from accord_core.exchange.arrays import read_json_array
from accord_core.numerics.draws import draw
from accord_core.numerics.em import one_coin
from accord_core.numerics.labels import UNDECIDED, Bools, Floats
from annotate.tasktypes import Check, Columns, Progress, ReportResult, Rounds
from paraphrase.columns import Collected, collected

ROUNDS = Rounds(
    choice="Accord chooses the questions with the most expected wrong labels under the one-coin "
    "model. Each of these questions gets additional judgements from annotators who have "
    "not seen the question.",
    results="Labels use all judgements. Agreement coefficients use only the design's judgements, because "
    "adaptive rounds would make the coefficients too high.",
    gain="In simulations with three judgements per question, two more for a quarter of the questions saved 25% to 32% "
    "of all judgements at the same accuracy. If each question "
    "had eight candidates, 14% to 25% were saved.",
    per_item=0.25,
)


# If annotators agree, a question with a smaller expected number of wrong labels is not worth further judgements.
LEAST = 0.02


def choose(columns: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress) -> ReportResult:
    """Choose up to `questions` questions that get further judgements in the adaptive round with the number `round`.

    Questions with a higher expected number of wrong labels come first. Each question gets one more judgement, or two if
    the design has an odd number of judgements per question, so that the majority of all judgements is never a tie.
    Questions without all judgements of the design are not chosen.
    """
    answers = np.bincount(columns["answer_question"], minlength=len(columns["sizes"]))
    wanted = int(columns["judgements"])
    complete = answers >= wanted
    if not complete.any():
        return ReportResult(len(columns["answer_question"]), reason="No question has all judgements of the design yet.")
    progress(0.2, "probabilities of the labels")
    data = collected(columns)
    expected = np.where(complete, expected_errors(data), 0.0)
    refs, number = read_json_array(columns["refs"]), int(parameters["round"])
    order = sorted(
        np.flatnonzero((expected > 0) & (disputed(data) | (expected >= LEAST))),
        key=lambda at: (-expected[at], draw(seed, "round", number, refs[at])),
    )
    chosen = sorted(order[: int(parameters["questions"])])
    if not chosen:
        return ReportResult(len(columns["answer_question"]), reason="No question has an uncertain label.")
    checks = [
        Check("Questions with all judgements of the design", f"{int(complete.sum()):,}", f"of {len(complete):,}"),
        Check("Expected wrong labels in these questions", f"{expected[chosen].sum():.1f}", "according to the model"),
        Check("Expected wrong labels in the study", f"{expected.sum():.1f}", "according to the model"),
    ]
    own = {
        "again": [refs[at] for at in chosen],
        "judgements_each": 2 if wanted % 2 else 1,
        "checks": [check.as_json() for check in checks],
    }
    return ReportResult(len(columns["answer_question"]), own=own)


def disputed(data: Collected) -> Bools:
    """Return a mask (questions,) that is true if the votes on at least one candidate differ."""
    differ: Bools = np.zeros(len(data.refs), dtype=np.bool_)
    differ[data.question[(data.labels.counts > 0).all(axis=1)]] = True
    return differ


def expected_errors(data: Collected) -> Floats:
    """Return the expected number of wrong labels (questions,): the sum of 1 − p over candidates, for the most probable
    label's probability p in the one-coin model. Candidates without votes or with a decision count as 0.
    """
    posterior = one_coin(data.labels).posterior
    if posterior is None:
        raise ValueError("The one-coin model returned no probabilities.")
    uncertain = (data.labels.counts.sum(axis=1) > 0) & (data.decided == UNDECIDED) & ~data.kept
    doubt = np.where(uncertain, 1 - posterior.max(axis=1), 0.0)
    errors: Floats = np.bincount(data.question, weights=doubt, minlength=len(data.refs)).astype(np.float64)
    return errors
