"""The calculation of integrity indicators from stored answers and summaries, and the indicators in the API."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accord_core.numerics.signs import SHOWN
from annotate.core.permissions import SYSTEM
from annotate.core.services import jobs
from annotate.core.services.credentials import new_api_token
from annotate.core.services.jobs import request_job
from annotate.core.services.submit import AnswerSent, submit
from annotate.integrity.selectors import FEWEST, integrity_signs
from annotate.integrity.services import calculate_signs
from annotate.models import ActivitySummary, Answer, IntegrityFigures, Participation, Study, User
from annotate.people.services import remove_personal_data
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings, write_consent
from tests.api.conftest import Api
from tests.factories import UserFactory, make_annotator, make_study, take
from tests.rules.test_activity_summaries import NAMED, SUMMARY

pytestmark = pytest.mark.django_db
PEOPLE = 4


def progress(share: float, message: str) -> None:
    """Report nothing."""


def answer_hits(annotator: Participation, hits: int, *, best: int, seconds: float) -> None:
    """Answer every question with the same positions and in the same time, and store a summary with each answer."""
    for _ in range(hits):
        assignment = take(annotator)
        answers = [
            AnswerSent(answer.position, {"best": best, "worst": 1 + best % 4}, seconds=seconds, activity=SUMMARY)
            for answer in assignment.answers.order_by("position")
        ]
        submit(annotator.pk, assignment.public_id, answers)


def answered_study(user: User) -> tuple[Study, list[Participation]]:
    """A study in which four annotators have answered the same 40 questions, the last one much faster."""
    study = make_study(
        items=20, judgements=PEOPLE, questions_per_hit=20, order="hits", user=user, options={"size": 4}, **NAMED
    )
    people = [make_annotator(study) for _ in range(PEOPLE)]
    for number, annotator in enumerate(people):
        answer_hits(annotator, 2, best=1 + number % 2, seconds=2 if number == PEOPLE - 1 else 20 + number)
    return study, people


@pytest.fixture
def owner(db: None) -> User:
    user: User = UserFactory()
    return user


@pytest.mark.nightly
def test_signs_from_answers_and_summaries(owner: User) -> None:
    study, people = answered_study(owner)
    ActivitySummary.objects.filter(answer__participation=people[1]).update(webdriver=True)
    ActivitySummary.objects.filter(answer__participation=people[2], answer__position__lte=10).delete()
    with CaptureQueriesContext(connection) as queries:
        assert calculate_signs(study.pk, user=owner, progress=progress) == PEOPLE
    assert len(queries) <= 16
    figures = {row.participation_id: row for row in IntegrityFigures.objects.all()}
    values = [figures[annotator.pk].figures for annotator in people]
    assert [figures[annotator.pk].answers for annotator in people] == [40] * PEOPLE
    assert [own["webdriver"] for own in values] == [0, 1, 0, 0]
    assert [own["missing_summaries"] for own in values] == [0, 0, 0.5, 0]
    assert [own["time_away"] for own in values] == [0, 0, 0, 0], "4.5 seconds are not enough"
    assert [own["repeated_answers"] for own in values] == [1] * PEOPLE
    assert values[3]["short_times"] == pytest.approx(2 / 20.5, rel=0.1)
    assert values[0]["even_times"] < 0.1
    # Screen positions agree, but the items are shuffled, so the agreement is that of chance.
    assert all(0 < own["low_agreement"] < 0.6 for own in values)
    assert all(min(own["agreement_over_time"]) == own["low_agreement"] for own in values)
    assert values[0]["straight_paths"] == SUMMARY["straightness"]

    signs = integrity_signs(study)
    fastest = next(sign for sign in signs[people[3].pk].signs if sign.name == "short_times")
    assert (fastest.less_unusual, fastest.others, fastest.unusual) == (PEOPLE - 1, PEOPLE - 1, False)
    assert {sign.name for own in signs.values() for sign in own.signs} == SHOWN - {"untrusted_events"}
    change_settings(study.pk, user=owner, activity_summaries=False)
    assert integrity_signs(Study.objects.get(pk=study.pk)) == {}


@pytest.mark.nightly
def test_a_sign_is_unusual_only_among_many_annotators(owner: User) -> None:
    study = make_study(user=owner, **NAMED)
    people = [make_annotator(study) for _ in range(FEWEST)]
    now = timezone.now()
    for number, annotator in enumerate(people):
        figures = {"webdriver": 1.0 if number == 0 else 0.0, "short_times": None, "untrusted_events": 1.0}
        IntegrityFigures.objects.create(participation=annotator, answers=20, figures=figures, calculated_at=now)
    with CaptureQueriesContext(connection) as queries:
        signs = integrity_signs(study)
    assert len(queries) == 1
    assert [sign.name for sign in signs[people[0].pk].unusual] == ["webdriver"]
    assert [sign.name for sign in signs[people[0].pk].signs] == ["webdriver"], "unknown and hidden signs are omitted"
    assert not any(signs[annotator.pk].unusual for annotator in people[1:])
    IntegrityFigures.objects.filter(participation=people[-1]).delete()
    assert not integrity_signs(study)[people[0].pk].unusual


@pytest.mark.nightly
def test_only_annotators_whose_consent_names_summaries_and_answers_after_it(owner: User) -> None:
    study, people = answered_study(owner)
    before = study.consents.get()
    unnamed = write_consent(study.pk, "Another text.", user=owner)
    Participation.objects.filter(pk=people[0].pk).update(consent=unnamed)
    Participation.objects.filter(pk=people[1].pk).update(consented_at=timezone.now() + timedelta(hours=1))
    Participation.objects.filter(pk=people[2].pk).update(excludes_answers=True)
    assert calculate_signs(study.pk, user=owner, progress=progress) == 1
    assert IntegrityFigures.objects.get().participation == people[3]
    assert before.names_activity


@pytest.mark.nightly
def test_removed_personal_data_has_no_signs_again(owner: User) -> None:
    study, people = answered_study(owner)
    calculate_signs(study.pk, user=owner, progress=progress)
    remove_personal_data(people[0].annotator_id, user=owner, reason="asked for it")
    assert IntegrityFigures.objects.count() == PEOPLE - 1
    assert calculate_signs(study.pk, user=owner, progress=progress) == PEOPLE - 1
    assert not IntegrityFigures.objects.filter(participation=people[0]).exists()
    Study.objects.filter(pk=study.pk).update(personal_data_removed_at=timezone.now())
    assert calculate_signs(study.pk, user=owner, progress=progress) == 0


def test_a_study_without_answers_and_a_study_without_the_setting(owner: User) -> None:
    assert calculate_signs(make_study(user=owner, **NAMED).pk, user=owner, progress=progress) == 0
    with pytest.raises(Refused, match="does not collect activity summaries"):
        calculate_signs(make_study(user=owner).pk, user=owner, progress=progress)


@pytest.mark.nightly
def test_the_api_and_the_report_calculate_the_signs(owner: User) -> None:
    study, people = answered_study(owner)
    api = Api(f"Token {new_api_token(owner, 'script')[1]}")
    path = f"studies/{study.public_id}/integrity-signs"
    assert api.get(path).json()["results"] == []
    assert api.post(path).json()["kind"] == "integrity"
    jobs.run(study.jobs.get(kind="integrity").pk)
    rows = {row["annotator"]: row for row in api.get(path).json()["results"]}
    assert rows.keys() == {annotator.pseudonym for annotator in people}
    own = rows[people[3].pseudonym]
    assert own["answers"] == 40
    assert len(own["agreement_over_time"]) == 3
    assert own["signs"][0].keys() == {"name", "value", "less_unusual", "others", "unusual"}
    fastest = next(sign for sign in own["signs"] if sign["name"] == "short_times")
    assert (fastest["less_unusual"], fastest["others"]) == (3, 3)

    report = request_job(study, "report:results", user=owner)
    jobs.run(report.pk)
    assert study.jobs.filter(kind="integrity").count() == 2
    assert Answer.objects.filter(assignment__study=study).count() == 40 * PEOPLE
    numbers = [value for row in IntegrityFigures.objects.all() for value in row.figures.values()]
    assert not any(isinstance(value, float) and math.isnan(value) for value in numbers)


@pytest.mark.nightly
def test_signs_never_change_the_standing(owner: User) -> None:
    study, people = answered_study(owner)
    ActivitySummary.objects.filter(answer__participation=people[0]).update(webdriver=True, untrusted_events=50)
    events = study.events.count()
    calculate_signs(study.pk, user=SYSTEM, progress=progress)
    assert set(study.participations.values_list("standing", flat=True)) == {"active"}
    assert study.events.count() == events
