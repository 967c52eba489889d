"""Tests of the qualification: annotators must pass the practice questions before their first HIT."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.core.services.claim import claim
from annotate.core.services.qualification import reaches_mark
from annotate.core.services.standing import restore
from annotate.core.services.submit import submit_and_claim
from annotate.models import Assignment, Participation, Question, Study
from annotate.pay.selectors.balances import pay_rows
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import missing_before_opening
from tests.console_study import browser_of, page_of
from tests.factories import UserFactory, answers_to, make_annotator, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


def qualifying(**settings: Any) -> Study:
    values = {"qualification_mark": Decimal("0.75"), "qualification_tries": 2} | settings
    return make_study(items=8, gold=4, practice=6, user=UserFactory(), **values)


def attempt(annotator: Participation, *, right: bool) -> str:
    """Answer the questions of one try, and return the reason why no HIT follows, or an empty string."""
    assignment = claim(annotator.pk).assignment
    assert assignment is not None
    assert assignment.kind == Assignment.Kind.PRACTICE
    _, claimed = submit_and_claim(annotator.pk, assignment.public_id, answers_to(assignment, right=right))
    annotator.refresh_from_db()
    assert claimed is not None
    return claimed.why


def test_who_passes_begins_the_first_hit() -> None:
    annotator = make_annotator(qualifying())
    assert attempt(annotator, right=True) == ""
    assert annotator.standing == "active"
    assert annotator.standing_reason == "qualified: 3 of 3 practice questions answered as expected"
    assert annotator.events.filter(verb="qualified").exists()
    assert annotator.answers.filter(question__kind=Question.Kind.PRACTICE).count() == 3


@pytest.mark.nightly
def test_each_try_has_other_questions_and_the_last_one_decides() -> None:
    study = qualifying(qualification_pay=Decimal("0.30"))
    first, second = make_annotator(study), make_annotator(study)
    assert attempt(first, right=False) == "practice"
    assert first.standing == "practising"
    assert attempt(first, right=True) == ""
    refs = list(first.answers.filter(question__kind=Question.Kind.PRACTICE).values_list("question__ref", flat=True))
    assert len(set(refs)) == len(refs) == 6
    assert attempt(second, right=False) == "practice"
    assert attempt(second, right=False) == "stopped"
    assert second.is_unqualified
    assert (claim(second.pk).assignment, claim(second.pk).why) == (None, "stopped")
    assert [row.owed for row in pay_rows(study) if row.pseudonym == second.pseudonym] == [Decimal("0.30")]
    assert second.events.get(verb="stopped").by_qualification
    assert "Not qualified" in page_html(study, "annotators/")
    restore(second.pk, reason="The question was ambiguous.", user=SYSTEM)
    claimed = claim(second.pk).assignment
    assert claimed is not None
    assert claimed.kind == Assignment.Kind.REGULAR


def test_the_pass_mark_itself_is_enough() -> None:
    for percent in range(1, 101):
        mark = Decimal(percent) / 100
        assert reaches_mark(mark, percent, 100)
        assert not reaches_mark(mark, percent - 1, 100)
    assert reaches_mark(Decimal("0.280"), 7, 25), "the floating-point product is more than 7"


def test_fewer_tries_do_not_let_anyone_through() -> None:
    study = qualifying()
    annotator = make_annotator(study)
    attempt(annotator, right=False)
    change_settings(study.pk, qualification_tries=1, user=SYSTEM)
    assert claim(annotator.pk).why == "stopped"


def test_without_a_pass_mark_practice_only_gives_feedback() -> None:
    annotator = make_annotator(qualifying(qualification_mark=None))
    assert attempt(annotator, right=False) == ""
    assert annotator.standing == "active"
    assert annotator.answers.filter(question__kind=Question.Kind.PRACTICE).count() == 6


@pytest.mark.nightly
def test_annotators_read_the_conditions_but_not_the_pass_mark(client: Client) -> None:
    study = qualifying(qualification_mark=Decimal("0.775"))
    page = markup(client.get(f"/join/{study.join_token}"))
    assert "You have 2 tries, each with different questions." in page
    client.post(f"/join/{study.join_token}", {})
    hub = f"/s/{study.public_id}"
    assert "You start with practice questions." in markup(client.get(hub))
    work = client.post(f"{hub}/start", follow=True)
    shown = page + markup(client.get(hub)) + work.content.decode()
    assert not any(mark in shown for mark in ("0.775", "77.5", "0,775", "77,5"))
    annotator = study.participations.get()
    attempt(annotator, right=False)
    assert "You have 1 more try, with other practice questions." in markup(client.get(hub))
    attempt(annotator, right=False)
    page = markup(client.get(hub))
    assert "Thank you for answering the practice questions" in page
    assert "0.775" not in page


def test_a_study_with_a_qualification_needs_practice_questions() -> None:
    study = make_study(gold=4, practice=1, state="draft", qualification_mark=Decimal("0.8"), qualification_tries=3)
    assert "has only 1 practice question." in missing_before_opening(study)["qualification"]
    Study.objects.filter(pk=study.pk).update(qualification_tries=1)
    study.refresh_from_db()
    assert "qualification" not in missing_before_opening(study)


@pytest.mark.nightly
def test_simulated_annotators_can_fail_the_qualification() -> None:
    study = qualifying(qualification_mark=Decimal(1))
    simulate(study, annotators=3, careless=1.0, user=SYSTEM)
    assert study.participations.filter(standing="stopped").exists()
    assert not any(one.is_unqualified and one.assignments.filter(kind="regular") for one in study.participations.all())


def page_html(study: Study, place: str) -> str:
    return markup(browser_of(study).get(page_of(study, place)))
