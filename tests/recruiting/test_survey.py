"""Tests of the survey of annotators: when it is asked, how it is counted, exported and deleted."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import new_api_token
from annotate.core.services.returns import withdraw
from annotate.models import Participation, Questionnaire, Study, SurveyResponse
from annotate.people.selectors.own_data import own_data
from annotate.people.services import remove_expired_personal_data, remove_personal_data
from annotate.questions.selectors.data import study_data
from annotate.recruiting.selectors import questionnaire_file, survey_tables
from annotate.recruiting.services.join import issue_resume_code
from annotate.recruiting.services.questionnaires import answer_survey, change_questionnaire
from annotate.studies.services.study import close_study
from reporting.statement import data_statement
from tests.console_study import browser_of, page_of
from tests.factories import UserFactory, do_hit, make_annotator, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db

GENDER = {"name": "gender", "kind": "single", "label": "Your gender", "options": ["woman", "man", "other"]}
AGE = {"name": "age", "kind": "number", "label": "Your age", "required": True, "minimum": 18}
JOB = {"name": "job", "kind": "short", "label": "Your job"}


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(lambda: make_study(user=UserFactory(), judgements=3))


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def survey(study: Study, *, revision: int = 0, timing: str = "before", **changes: Any) -> Questionnaire:
    values = {"questions": [GENDER, AGE, JOB], "timing": timing} | changes
    return change_questionnaire(study.pk, Questionnaire.Purpose.SURVEY, values, revision=revision, user=SYSTEM)


def answered(study: Study, **raw: Any) -> Participation:
    annotator = make_annotator(study)
    answer_survey(annotator.pk, {"age": None} | raw, revision="1")
    return annotator


def enter_client(annotator: Participation) -> Client:
    client = Client()
    client.post("/resume", {"code": issue_resume_code(annotator.pk).code})
    return client


def counts_of(study: Study, name: str) -> dict[str, int | None]:
    return next(dict(table.rows) for table in survey_tables(study) if table.name == name)


@pytest.mark.nightly
def test_the_survey_comes_before_the_first_hit_and_every_answer_can_be_declined(study: Study) -> None:
    survey(study)
    annotator = make_annotator(study)
    client, home = enter_client(annotator), f"/s/{study.public_id}"
    assert client.post(f"{home}/start")["Location"] == f"{home}/survey"
    page = markup(client.get(f"{home}/survey"))
    assert "Prefer not to say" in page
    assert "Answer this question." in markup(client.post(f"{home}/survey", {"survey": "1"}))
    stale = client.post(f"{home}/survey", {"survey": "7", "declined-age": "1"})
    assert "The questions have changed" in markup(stale)
    unknown = client.post(f"{home}/survey", {"survey": "1", "declined-age": "1", "q-income": "1"})
    assert "unknown question: income" in markup(unknown)
    assert not SurveyResponse.objects.exists()
    for gender, place in (("woman", "/a/"), ("man", home)):  # the first HIT starts, and the second tab changes nothing
        done = client.post(f"{home}/survey", {"survey": "1", "declined-age": "1", "q-gender": gender})
        assert done["Location"].startswith(place)
    assert SurveyResponse.objects.get().answers == {"gender": "woman", "age": None}
    assert own_data(annotator)["survey"]["answers"]["gender"] == "woman"


@pytest.mark.nightly
def test_the_survey_at_the_end_is_offered_after_the_last_hit(study: Study) -> None:
    survey(study, timing="after")
    annotator, idle = make_annotator(study), make_annotator(study)
    client, home = enter_client(annotator), f"/s/{study.public_id}"
    assert client.post(f"{home}/start")["Location"].startswith("/a/")
    do_hit(annotator)
    assert "Open the survey" not in markup(client.get(home))
    close_study(study.pk, user=SYSTEM)
    assert "Open the survey" in markup(client.get(home))
    assert "Open the survey" not in markup(enter_client(idle).get(home)), "without a HIT, there is no last HIT"
    client.post(f"{home}/survey", {"survey": "1", "q-age": "44"})
    assert "Open the survey" not in markup(client.get(home))


@pytest.mark.nightly
def test_researchers_see_counts_without_small_cells(study: Study, client: Client) -> None:
    survey(study)
    for number in range(12):
        answered(study, gender="woman" if number < 9 else "man", age=str(30 + number // 6 * 20), job="baker")
    assert counts_of(study, "gender") == {
        "woman": None, "man": None, "other": 0, "Prefer not to say": 0, "No answer": 0,
    }  # fmt: skip
    assert counts_of(study, "age") == {"30 to 39": 6, "50 to 59": 6, "Prefer not to say": 0, "No answer": 0}
    assert counts_of(study, "job")["Answered"] == 12
    page = markup(browser_of(study, "viewer").get(page_of(study, "questionnaires/survey/")))
    assert "hidden" in page
    assert "baker" not in page
    _token, key = new_api_token(study.memberships.get(role="owner").user, "script")
    address = f"/api/v1/studies/{study.public_id}/questionnaires/survey"
    results = client.get(address, headers={"Authorization": f"Token {key}"}).json()["results"]
    assert results[1]["counts"][0] == {"answer": "30 to 39", "people": 6}
    assert results[0]["counts"][0] == {"answer": "woman", "people": None}
    rows = b"".join(questionnaire_file(study, "survey")).decode().splitlines()
    assert rows[0] == "version,gender,age,job"
    assert min(rows[1:]) == "1,man,50,baker"
    assert not any(each.pseudonym in row for row in rows for each in study.participations.all())
    do_hit(study.participations.first())
    statement = data_statement(study_data(study), {}, authors={}, version="1", licence="CC0", languages=["en"])
    assert "Your gender (12 annotators answered the survey.) woman: hidden; man: hidden" in statement
    assert "were not surveyed" not in statement


@pytest.mark.nightly
def test_survey_answers_are_deleted_on_request_and_after_the_retention_period(study: Study) -> None:
    survey(study)
    people = [answered(study, gender="woman") for _ in range(8)]
    remove_personal_data(people[0].annotator_id, user=study.memberships.get().user, reason="asked")
    withdraw(people[1].pk, keep_answers=False)
    assert counts_of(study, "gender")["woman"] == 6
    close_study(study.pk, user=SYSTEM)
    Study.objects.filter(pk=study.pk).update(closed_at="2020-01-01T00:00:00Z")
    remove_expired_personal_data()
    assert not SurveyResponse.objects.exists()
    assert counts_of(study, "gender")["woman"] == 6
    answer_survey(people[2].pk, {"age": None, "gender": "woman"}, revision="1")
    assert not SurveyResponse.objects.exists(), "nobody answers twice, and no new answer stays forever"
    assert survey(study, revision=1).version == 2, "the version with the counts stays"
    assert "woman" in json.dumps(study.questionnaires.get(version=1).totals)
