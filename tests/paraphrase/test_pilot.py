"""Tests of the labels of a study as a pilot."""

import numpy as np
import pytest

from accord_core.exchange.arrays import json_array
from accord_core.numerics.unfinished import TooFewAnswers
from accord_core.paraphrase.numerics.planning import label_studies, simulate_labels
from annotate.tasktypes import Columns
from paraphrase.pilot import measured, pilot
from paraphrase.report import results

QUESTIONS, CANDIDATES, EACH = 30, 3, 3
VALUES = {"accuracy": 0.85, "difficulty": 0.4, "careless": 0.0, "frequent": 0.6}


def columns_of(*, questions: int = QUESTIONS) -> Columns:
    generator = np.random.default_rng(1)
    annotator = generator.random((questions, 6)).argsort(axis=1)[:, :EACH].ravel()
    question = np.repeat(np.arange(questions), EACH)
    item = question[:, None] * CANDIDATES + np.arange(CANDIDATES)
    _, votes = simulate_labels(
        item, np.broadcast_to(annotator[:, None], item.shape), np.zeros(6, dtype=np.bool_), VALUES, 2, generator
    )
    nothing = np.zeros(0, dtype=np.int64)
    gold = ("decided_question", "decided_votes", "gold_question", "gold_annotator", "gold_passed", "gold_votes")
    return {
        **dict.fromkeys((*gold, "gold_sizes", "gold_expected"), nothing),
        "answer_question": question,
        "answer_annotator": annotator,
        "answer_round": np.zeros(len(question), dtype=np.int64),
        "answer_seconds": np.full(len(question), 5.0),
        "answer_votes": votes.ravel().astype(np.uint8),
        "sizes": np.full(questions, CANDIDATES),
        "domain": np.zeros(questions, dtype=np.int64),
        "pair": np.arange(questions * CANDIDATES),
        "gold_refs": json_array([]),
        "refs": json_array([f"q{number}" for number in range(questions)]),
        "domains": json_array(["news"]),
        "names": json_array([f"a{number}" for number in range(6)]),
        "options": json_array({"ties": "undecided", "good_sentences": 1}),
    }


def test_each_candidate_is_an_item_of_the_pilot() -> None:
    answers = pilot(columns_of())
    items = QUESTIONS * CANDIDATES
    assert (answers.answers, answers.questions, answers.annotators) == (items * EACH, items, 6)
    model = label_studies(300, pilot=answers.pilot)
    assert np.isfinite(model.simulate_unfinished(VALUES, np.random.default_rng(1))).all()


def test_the_measured_agreement_is_the_figure_of_the_report() -> None:
    columns = columns_of()
    report = results(columns, {"resamples": 200}, 5, lambda share, text: None).own["agreement"]
    alpha, figure = report["krippendorff_alpha_nominal"], measured(columns, 5)
    assert [figure.value, figure.low, figure.high] == pytest.approx([alpha[name] for name in ("value", "low", "high")])


def test_a_study_without_enough_labels_is_no_pilot() -> None:
    with pytest.raises(TooFewAnswers, match=r"At least 10 items .* \(so far: 9\)\."):
        pilot(columns_of(questions=3))
