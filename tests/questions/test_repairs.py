"""The order *Likely wrong first* of Review: expected repairs per minute, from a results report."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from accord_core.numerics.em import one_coin
from annotate import tasktypes
from annotate.models import QuestionFigures, Study
from annotate.questions.selectors.adjudication import LEAST_REPAIRS, Order, Queue, undecided
from annotate.questions.selectors.data import study_data
from annotate.questions.selectors.decision_pace import USUAL, DecisionPace, decision_pace, pace_of
from annotate.questions.selectors.more_judgements import disputed_questions
from annotate.questions.services.decisions import decide, keep_both
from annotate.questions.services.refresh import current_figures
from annotate.questions.services.repairs import store_repairs
from paraphrase.columns import collected as unpacked
from paraphrase.columns import columns
from paraphrase.errors import final_labels
from paraphrase.report import with_quality_control
from tests.console_study import browser_of, page_of
from tests.factories import make_annotator, member_of
from tests.layout_study import layout_study
from tests.paraphrasing import paraphrase_study, results_of, work_through

pytestmark = pytest.mark.django_db

YES = {f"{domain}-{phrase}": [f"{phrase} branch"] for domain in ("shop", "farm") for phrase in ("bank", "post", "mill")}
MORE = YES | {"shop-bank": ["bank branch", "bank slope"], "farm-mill": ["mill lender", "mill slope"]}


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(make_shared_study)


@pytest.fixture
def study(shared_study: Study, db: None) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def make_shared_study() -> Study:
    """Two annotators agree, and the third differs on one question, on which others disagree more."""
    study = paraphrase_study()
    for yes in (YES, YES, MORE):
        work_through(make_annotator(study), yes)
    current_figures(study)
    return study


def listed(study: Study, order: str = "") -> list[str]:
    return list(Queue(study, order=order).ordered.values_list("question__ref", flat=True))


def test_without_a_report_the_lowest_agreement_comes_first(study: Study) -> None:
    queue = Queue(study, order=Order.LIKELY)
    assert queue.order == Order.AGREEMENT
    assert not queue.has_repairs


def test_a_report_stores_the_expected_number_of_wrong_labels(study: Study) -> None:
    results_of(study)
    data = unpacked(columns(study_data(study)))
    together, gold = with_quality_control(data)
    posterior = one_coin(together, gold=gold).posterior
    assert posterior is not None
    final = (2 * data.labels.counts[:, 1] > data.labels.counts.sum(axis=1)).astype(int)
    wrong = 1 - posterior[np.arange(len(final)), final]
    expected = dict(zip(data.refs, np.bincount(data.question, wrong), strict=True))
    rows = QuestionFigures.objects.filter(study=study, question__kind="regular")
    assert dict(rows.values_list("question__ref", "expected_repairs")) == pytest.approx(expected)
    queue = Queue(study)
    assert queue.order == Order.LIKELY
    rates = [row.repairs_per_minute for row in queue.ordered]
    assert rates == sorted(rates, reverse=True)
    assert not QuestionFigures.objects.filter(study=study, question__kind="gold", expected_repairs__isnull=False)


def test_decided_questions_and_undecided_labels(study: Study) -> None:
    first, second = study.questions.filter(kind="regular").order_by("pk")[:2]
    decide(first.pk, {"votes": [True, False, False]}, user=member_of(study))
    keep_both(second.pk, user=member_of(study))
    labels = final_labels(columns(study_data(study)))
    assert {labels.refs[at] for at in labels.question[labels.decided]} == {first.ref, second.ref}
    assert not labels.repairs().keys() & {first.ref, second.ref}
    third = labels.question[~labels.decided][0]
    undecided_label = labels.question == third
    changed = np.where(undecided_label, np.nan, labels.wrong)
    more = type(labels)(labels.refs, labels.question, labels.part, labels.label, changed, labels.decided)
    assert more.repairs()[labels.refs[third]] == undecided_label.sum()


def test_slow_questions_have_fewer_repairs_per_minute(study: Study) -> None:
    questions = list(study.questions.filter(kind="regular").order_by("pk"))
    QuestionFigures.objects.filter(study=study).update(seconds=20.0)
    for question, seconds in zip(questions, (30.0, 2.0, 500.0), strict=False):
        QuestionFigures.objects.filter(question=question).update(seconds=seconds)
    store_repairs(study, {question.ref: 0.6 for question in questions})
    rates = [QuestionFigures.objects.get(question=question).repairs_per_minute for question in questions]
    usual = 0.6 * 60 / USUAL
    assert rates == pytest.approx([usual / 1.5, usual * 2, usual / 2, *[usual] * (len(questions) - 3)])
    assert listed(study)[:2] == [questions[1].ref, questions[3].ref]
    store_repairs(study, {})
    assert not Queue(study).has_repairs


def test_questions_with_probably_wrong_labels_are_listed_although_annotators_agree(study: Study) -> None:
    disputes = undecided(study)
    agreed = QuestionFigures.objects.filter(study=study, question__kind="regular", agreement=1).order_by("pk")
    below, above = agreed[0].question, agreed[1].question
    store_repairs(study, {below.ref: LEAST_REPAIRS / 2, above.ref: LEAST_REPAIRS * 2})
    assert listed(study)[0] == above.ref
    assert below.ref not in listed(study)
    assert len(listed(study)) == disputes + 1
    assert len(listed(study, Order.AGREEMENT)) == undecided(study) == len(disputed_questions(study)) == disputes
    page = browser_of(study).get(page_of(study, f"adjudicate/{above.public_id}/")).content.decode()
    assert "All answers agree" in page
    assert "All disagreements" not in page
    assert "Small differences" not in page


def test_neighbours_are_in_the_order_of_the_queue(study: Study) -> None:
    results_of(study)
    queue, keys = Queue(study), list(Queue(study).ordered.values_list("question", flat=True))
    assert len(keys) > 1
    for number, key in enumerate(keys, 1):
        place = queue.place(study.questions.get(pk=key))
        assert place.number == number
        assert place.before == (keys[number - 2] if number > 1 else None)
        assert place.after == (keys[number] if number < len(keys) else None)


def test_the_pace_is_the_median_time_between_two_decisions_of_a_reviewer(study: Study) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    seconds = [0, 10, 22, 40, 3_640, 3_650]  # with a break of an hour
    times = {1: [start + timedelta(seconds=each) for each in seconds], 2: [start + timedelta(seconds=5)]}
    assert pace_of(times) == DecisionPace(USUAL, 0)
    times[2].append(start + timedelta(seconds=35))
    assert pace_of(times) == DecisionPace(12, 5)


def test_the_pace_comes_from_recorded_decisions(study: Study) -> None:
    user = member_of(study)
    assert decision_pace(study) == DecisionPace(USUAL, 0)
    for question in study.questions.filter(kind="regular"):
        keep_both(question.pk, user=user)
    pace = decision_pace(study)
    assert pace.measured == 5
    assert 0 <= pace.seconds < USUAL


def test_the_page_offers_both_orders(study: Study) -> None:
    browser, address = browser_of(study), page_of(study, "adjudicate/")
    assert "Likely wrong first" not in browser.get(address).content.decode()
    report = results_of(study)
    page = " ".join(browser.get(address).content.decode().split())
    assert f"according to report {report.number}" in page
    assert "Which results are likely wrong?" in page, "annotators agree on some of these questions"
    assert "repairs per minute</span>" in page
    other = browser.get(f"{address}?order=agreement").content.decode()
    assert "The lowest comes first." in other
    assert "Where do annotators disagree?" in other
    assert "repairs per minute</span>" not in other


def test_every_task_type_with_final_labels_has_estimates() -> None:
    assert {task.slug for task in tasktypes.installed() if task.likely_errors} >= {
        "chunks", "layout", "paraphrase", "words",
    }  # fmt: skip


@pytest.mark.parametrize("make", [paraphrase_study, layout_study])
def test_a_report_without_judgements_stores_no_repairs(make: Callable[[], Study]) -> None:
    study = make()
    assert results_of(study).result["judgements"] == 0
    assert not Queue(study).has_repairs
