"""Samples of final labels: the draw, the reviewers' decisions and the bound on the share of wrong labels."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from accord_core.numerics.error_bound import most_wrong
from accord_core.numerics.error_sample import draw_sample, planned_sample
from annotate.core.permissions import SYSTEM
from annotate.core.services import standing
from annotate.models import Event, Question, QuestionFigures, Report, Study
from annotate.questions.selectors.adjudication import Queue, Show
from annotate.questions.selectors.error_sample import ErrorSample, error_sample, labels_now, offers
from annotate.questions.services.decisions import decide, keep_both, withdraw
from annotate.results.services import draw_error_sample
from annotate.server.refusals import Refused
from layouts.errors import decided_label
from tests.console_study import browser_of, collected, page_of
from tests.factories import make_annotator, member_of
from tests.paraphrasing import item_rows, paraphrase_study, results_of, work_through

pytestmark = pytest.mark.django_db

PHRASES = ("bank", "post", "mill", "dock", "fair", "gate", "lamp", "wall")
YES = {f"{domain}-{phrase}": [f"{phrase} branch"] for domain in ("shop", "farm") for phrase in PHRASES}


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(make_shared_study)


@pytest.fixture
def study(shared_study: Study, db: None) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def make_shared_study() -> Study:
    """Three annotators judge 48 candidates. Two of them accept *branch*, and the third accepts *slope* for *bank*."""
    study = paraphrase_study(rows=item_rows(PHRASES))
    for yes in (YES, YES, YES | {f"{domain}-bank": ["bank slope"] for domain in ("shop", "farm")}):
        work_through(make_annotator(study), yes)
    results_of(study)
    return study


def drawn(study: Study, wanted: float = 0.2) -> list[dict[str, Any]]:
    report = draw_error_sample(study.pk, wanted=wanted, user=member_of(study))
    return [label for stratum in report.result["strata"] for label in stratum["drawn"]]


def sample_of(study: Study) -> ErrorSample:
    sample = error_sample(study)
    assert sample is not None
    return sample


def check(study: Study, wrong: int = 0) -> None:
    """Decide the sampled questions, and reverse `wrong` of the sampled labels."""
    user, by_question = member_of(study), {}
    report = study.reports.get(kind="error-sample", number=sample_of(study).number)
    for label in (label for stratum in report.result["strata"] for label in stratum["drawn"]):
        by_question.setdefault(label["ref"], {})[label["part"]] = label["label"]
    for ref, labels in by_question.items():
        votes = [False, False, False]
        for place, label in labels.items():
            votes[place] = bool(label) != (wrong > 0)
            wrong -= wrong > 0
        decide(study.questions.get(ref=ref).pk, {"votes": votes}, user=user)


def test_a_sample_contains_final_labels_of_the_report(study: Study) -> None:
    labels = drawn(study)
    report = study.reports.get(kind="error-sample")
    assert report.parameters == {"wanted": 0.2, "report": 1, "judgements": 48}
    assert sum(stratum["size"] for stratum in report.result["strata"]) == 48
    assert len(labels) == len({(label["ref"], label["part"]) for label in labels}) == offers(
        study, labels_now(study), [0.2]
    )[0].labels  # fmt: skip
    payloads = {question.ref: question.payload for question in study.questions.filter(kind="regular")}
    for label in labels:
        payload = payloads[label["ref"]]
        text = payload["paraphrases"][label["part"]]
        assert label["label"] == int(text in YES[payload["item"]])
    assert Event.objects.filter(study=study, verb="drew label sample").count() == 1


def test_the_same_request_keeps_an_incomplete_sample(study: Study) -> None:
    assert drawn(study) == drawn(study)
    assert study.reports.filter(kind="error-sample").count() == 1
    drawn(study, 0.15)
    assert sample_of(study).number == 2


def test_the_bound_appears_after_the_last_decision(study: Study) -> None:
    labels = drawn(study)
    refs = sorted({label["ref"] for label in labels})
    assert sample_of(study).questions == frozenset(refs)
    queue = Queue(study, Show.SAMPLE)
    assert set(queue.ordered.values_list("question__ref", flat=True)) == set(refs)
    user = member_of(study)
    for ref in refs[:-1]:
        keep_both(study.questions.get(ref=ref).pk, user=user)
    assert (sample_of(study).bound, sample_of(study).questions) == (None, {refs[-1]})
    last = study.questions.get(ref=refs[-1])
    keep_both(last.pk, user=user)
    sample = sample_of(study)
    assert (sample.checked, sample.wrong) == (len(labels), 0)
    assert sample.bound == most_wrong(sample.strata) / 48
    withdraw(last.pk, user=user)
    assert sample_of(study).bound is None


def test_wrong_labels_count_and_are_corrected(study: Study) -> None:
    drawn(study)
    check(study, wrong=2)
    sample = sample_of(study)
    assert sample.wrong == 2
    assert sample.bound == (most_wrong(sample.strata) - 2) / 48
    first, later = study.reports.get(kind="results"), results_of(study)
    assert error_sample(study, of_report=first) is not None
    assert error_sample(study, of_report=later) is not None
    standing.stop(study.participations.order_by("pk")[0].pk, reason="haste", user=SYSTEM)
    assert error_sample(study, of_report=results_of(study)) is None


def test_labels_decided_before_the_draw_are_right(study: Study) -> None:
    question = study.questions.filter(kind="regular").order_by("pk")[0]
    decide(question.pk, {"votes": [True, True, True]}, user=member_of(study))
    labels = drawn(study)
    assert question.ref not in {label["ref"] for label in labels}
    sample = sample_of(study)
    assert sample.right == 3
    assert sum(stratum.size for stratum in sample.strata) == 45
    check(study)
    assert sample_of(study).bound == most_wrong(sample.strata) / 48


def test_stricter_bounds_need_more_labels(study: Study) -> None:
    sizes = [offer.labels for offer in offers(study, labels_now(study))]
    assert sizes == sorted(sizes)
    assert 0 < sizes[0] < sizes[-1] <= 48


def test_refused(study: Study) -> None:
    user = member_of(study)
    for wanted in (0, 1, math.nan):
        with pytest.raises(Refused, match="greater than 0"):
            draw_error_sample(study.pk, wanted=wanted, user=user)
    with pytest.raises(Refused):
        draw_error_sample(study.pk, wanted=0.1, user=member_of(study, "viewer"))
    for question in study.questions.filter(kind=Question.Kind.REGULAR):
        keep_both(question.pk, user=user)
    with pytest.raises(Refused, match="All final labels have been decided"):
        draw_error_sample(study.pk, wanted=0.1, user=user)
    with pytest.raises(Refused, match="Calculate the results first"):
        labels_now(paraphrase_study())
    with pytest.raises(Refused, match="whose answers are labels"):
        labels_now(collected())


def test_the_page_shows_plan_progress_and_bound(study: Study) -> None:
    browser, address = browser_of(study), page_of(study, "adjudicate/sample/")
    assert "Draw a sample" in browser.get(address).content.decode()
    assert address in browser.get(page_of(study, "adjudicate/")).content.decode()
    assert browser.post(address, {"percent": "0"}).status_code == 422
    assert browser.post(address, {"percent": "20"}).status_code == 302
    page = " ".join(browser.get(address).content.decode().split())
    assert "The bound appears after the last decision." in page
    first = Queue(study, Show.SAMPLE).ordered.first()
    assert first is not None
    assert f"/adjudicate/{first.question.public_id}/?show=sample" in page
    check(study, wrong=1)
    page = " ".join(browser.get(address).content.decode().split())
    bound = f"At most {sample_of(study).bound:.1%} of the final labels are wrong"
    assert f"{bound} (95%)." in page
    assert "1 label was wrong and is corrected." in page
    assert bound in " ".join(browser.get(page_of(study, "results/1/")).content.decode().split())
    viewer = browser_of(study, "viewer")
    assert viewer.get(address).status_code == viewer.get(page_of(study, "adjudicate/")).status_code >= 400


def test_a_sample_can_contain_questions_with_one_answer(study: Study) -> None:
    labels = drawn(study)
    question = study.questions.get(ref=labels[0]["ref"])
    QuestionFigures.objects.filter(question=question).update(agreement=None)
    queue = Queue(study, Show.SAMPLE)
    place = queue.place(question)
    keys = list(queue.ordered.values_list("question", flat=True))
    assert keys[place.number - 1] == question.pk


def test_other_task_types_have_no_page() -> None:
    study = collected()
    assert browser_of(study).get(page_of(study, "adjudicate/sample/")).status_code == 404


@pytest.mark.parametrize(
    ("value", "label", "same"),
    [("a", "a", True), ("b", "a", False), (True, "yes", True), (["x", "y"], '["x", "y"]', True), ([], "[]", True)],
)
def test_labels_in_decisions_about_layouts(value: Any, label: str, same: bool) -> None:
    assert (decided_label({"fields": {"f": value}}, "f", label) == label) == same


def test_the_stored_sample_is_that_of_its_seed(study: Study) -> None:
    labels = drawn(study)
    seed, now = Report.objects.get(kind="error-sample").seed, labels_now(study)
    plan = planned_sample(now.wrong, 0.2)
    assert labels == [now.label(place) for places in draw_sample(plan, seed) for place in places]
    assert labels != [now.label(place) for places in draw_sample(plan, seed + 1) for place in places]
