"""Tests of questionnaires: the definition of questions, the validation of answers, versions, and the console."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import new_api_token
from annotate.models import Event, Questionnaire, Study
from annotate.models.questionnaire_definition import FormQuestion, next_name, read_questions
from annotate.recruiting.questionnaires.answers import admits, posted_answers, read_answers
from annotate.recruiting.services import questionnaires
from annotate.recruiting.services.questionnaires import Place, change_questionnaire, screen
from annotate.server.refusals import Refused
from annotate.studies.services.copies import copy_study
from tests.console_study import browser_of
from tests.factories import UserFactory, make_study
from tests.markup import markup

SCREENING = Questionnaire.Purpose.SCREENING
LANGUAGE = {
    "name": "language",
    "kind": "single",
    "label": "Is English your first language?",
    "required": True,
    "options": ["yes", "no"],
    "admitted": ["yes"],
}
AGE = {"name": "age", "kind": "number", "label": "Your age", "required": True, "minimum": 0, "admitted_minimum": 18}


def one(**fields: Any) -> FormQuestion:
    return read_questions([{"name": "q1", "label": "A question", **fields}], screening=True)[0]


# ── the definition ────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("question", "field", "message"),
    [
        ({**LANGUAGE, "admitted": ["maybe"]}, "admitted", "not an option"),
        ({**LANGUAGE, "required": False}, "required", "must be true"),
        ({**LANGUAGE, "options": ["yes"]}, "options", "2 to 60"),
        ({**LANGUAGE, "options": ["yes", "yes"]}, "options", "twice"),
        ({**LANGUAGE, "options": ["yes", " no"]}, "options", "space"),
        ({**LANGUAGE, "option": ["yes"]}, "option", "is not a field"),
        ({**LANGUAGE, "name": "First Language"}, "name", "lower-case"),
        ({**LANGUAGE, "label": " "}, "label", "is empty"),
        ({**LANGUAGE, "required": 1}, "required", "true or false"),
        ({**AGE, "kind": "age"}, "kind", "must be one of"),
        ({**AGE, "minimum": True}, "minimum", "whole number"),
        ({**AGE, "minimum": 90, "maximum": 18}, "maximum", "greater than"),
        ({**AGE, "maximum": 17}, "admitted_minimum", "no answer would be admitted"),
        ({**AGE, "admitted": ["18"]}, "admitted", "single choice"),
        ({"name": "s", "kind": "scale", "label": "How?", "maximum": 99}, "maximum", "11 points"),
        ({"name": "s", "kind": "short", "label": "Why?", "options": ["a", "b"]}, "options", "only for"),
    ],
)
def test_an_invalid_question_is_refused_with_its_field(question: dict[str, Any], field: str, message: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_questions([AGE | {"name": "first"}, question], screening=True)
    assert refusal.value.code == "invalid"
    assert message in refusal.value.fields[f"questions.1.{field}"][0]


def test_a_survey_admits_everyone_and_names_are_unique() -> None:
    with pytest.raises(Refused, match="only for screening"):
        read_questions([LANGUAGE], screening=False)
    with pytest.raises(Refused, match="already the name"):
        read_questions([AGE, AGE], screening=True)
    with pytest.raises(Refused, match="at most 40"):
        read_questions([AGE] * 41, screening=True)
    assert next_name([one(kind="short"), one(kind="short", name="q3")]) == "q2"


# ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("fields", "raw", "stored"),
    [
        ({"kind": "single", "options": ["a", "b"]}, "b", "b"),
        ({"kind": "multiple", "options": ["a", "b", "c"]}, ["c", "a"], ["a", "c"]),
        ({"kind": "number"}, " −7 ", -7),
        ({"kind": "scale"}, "5", 5),
        ({"kind": "short"}, " Ada ", "Ada"),
        ({"kind": "long"}, "one\r\ntwo", "one\ntwo"),
    ],
)
def test_answers_are_stored_in_one_format(fields: dict[str, Any], raw: Any, stored: Any) -> None:
    assert read_answers([one(**fields)], {"q1": raw}, may_decline=False) == {"q1": stored}
    assert read_answers([one(**fields)], {}, may_decline=False) == {}


@pytest.mark.parametrize(
    ("fields", "raw"),
    [
        ({"kind": "single", "options": ["a", "b"]}, "c"),
        ({"kind": "multiple", "options": ["a", "b"]}, ["a", "c"]),
        ({"kind": "number"}, "3.5"),
        ({"kind": "number"}, "٣"),
        ({"kind": "number", "minimum": 0}, "-1"),
        ({"kind": "scale"}, "6"),
        ({"kind": "short"}, "x" * 201),
        ({"kind": "short", "required": True}, "  "),
        ({"kind": "single", "options": ["a", "b"], "required": True}, None),
    ],
)
def test_invalid_answers_are_refused(fields: dict[str, Any], raw: Any) -> None:
    with pytest.raises(Refused) as refusal:
        read_answers([one(**fields)], {"q1": raw}, may_decline=False)
    assert refusal.value.fields["q1"]


def test_forms_with_unknown_questions_are_refused() -> None:
    several = one(kind="multiple", options=["a", "b"])
    assert posted_answers([several], QueryDict("q-q1=a&q-q1=b&page=2")) == {"q1": ["a", "b"]}
    assert posted_answers([several], QueryDict("declined-q1=1")) == {"q1": None}
    for form in ("q-q2=a", "declined-q2=1"):
        with pytest.raises(Refused) as refusal:
            posted_answers([several], QueryDict(form))
        assert refusal.value.code == "unknown-question"


@pytest.mark.parametrize(
    ("fields", "answer", "admitted"),
    [
        ({"kind": "single", "options": ["a", "b"], "admitted": ["a"], "required": True}, "a", True),
        ({"kind": "single", "options": ["a", "b"], "admitted": ["a"], "required": True}, "b", False),
        ({"kind": "multiple", "options": ["a", "b", "c"], "admitted": ["a"], "required": True}, ["a", "c"], True),
        ({"kind": "multiple", "options": ["a", "b", "c"], "admitted": ["a"], "required": True}, ["b", "c"], False),
        ({"kind": "number", "admitted_minimum": 18, "required": True}, 18, True),
        ({"kind": "number", "admitted_minimum": 18, "required": True}, 17, False),
        ({"kind": "scale", "admitted_maximum": 2, "required": True}, 3, False),
        ({"kind": "short"}, None, True),
    ],
)
def test_admission_needs_an_admitted_answer(fields: dict[str, Any], answer: Any, admitted: bool) -> None:
    assert admits([one(**fields)], {"q1": answer}) is admitted


# ── versions ──────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(lambda: make_study(user=UserFactory()))


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def stored(study: Study, *questions: dict[str, Any], revision: int = 0) -> Questionnaire:
    return change_questionnaire(study.pk, SCREENING, {"questions": list(questions)}, revision=revision, user=SYSTEM)


@pytest.mark.django_db
def test_a_questionnaire_becomes_a_new_version_once_it_has_been_answered(study: Study) -> None:
    first = stored(study, LANGUAGE)
    assert (stored(study, LANGUAGE, AGE, revision=1).pk, study.questionnaires.count()) == (first.pk, 1)
    assert screen(study, {"language": "no", "age": "30"}, revision="2").is_admitted is False
    second = stored(study, AGE, revision=2)
    assert (second.version, second.revision) == (2, 3)
    assert [len(each.questions) for each in study.questionnaires.all()] == [2, 1]
    assert Event.objects.filter(study=study, verb="changed screening questions").count() == 3
    copy = copy_study(study.pk, user=study.memberships.get().user)
    assert [(each.version, each.questions) for each in copy.questionnaires.all()] == [(1, second.questions)]


@pytest.mark.django_db
def test_the_later_of_two_tabs_is_refused(study: Study) -> None:
    stored(study, LANGUAGE)
    with pytest.raises(Refused) as refusal:
        stored(study, AGE)
    assert refusal.value.code == "changed"
    place = Place(study.pk, SCREENING, "language", revision=1)
    questionnaires.replace_question(place, LANGUAGE | {"label": "Do you speak English?"}, user=SYSTEM)
    with pytest.raises(Refused, match="Reload"):
        questionnaires.delete_question(place, user=SYSTEM)
    questionnaires.add_question(study.pk, SCREENING, AGE, revision=2, user=SYSTEM)
    questionnaires.move_question(Place(study.pk, SCREENING, "age", revision=3), by=-1, user=SYSTEM)
    names = [question.name for question in Questionnaire.objects.get(study=study).entries]
    assert names == ["age", "language"]


# ── the console and the API ───────────────────────────────────────────────────────────────────────────────────
@pytest.mark.nightly
@pytest.mark.django_db
def test_researchers_write_screening_questions_in_the_console(study: Study) -> None:
    browser, home = browser_of(study), f"/console/{study.public_id}/questionnaires/screening/"
    assert "no screening questions" in markup(browser.get(home))
    new = {"revision": 0, "label": "First language?", "required": "on", "options": "English\nOther"}
    wrong = browser.post(home + "new/?kind=single", new | {"admitted": "German"})
    assert wrong.status_code == 422
    assert "which is not an option" in markup(wrong)
    browser.post(home + "new/?kind=single", new | {"admitted": "English"})
    browser.post(home + "new/?kind=number", {"revision": 1, "label": "Age", "name": "age", "admitted_minimum": 18})
    assert study.questionnaires.get().revision == 1, "a question with admitted answers must be required"
    age = {"revision": 1, "label": "Age", "name": "age", "required": "on", "admitted_minimum": 18}
    browser.post(home + "new/?kind=number", age)
    browser.post(home + "questions/age/move/", {"revision": 2, "direction": "up"})
    browser.post(home + "questions/age/", age | {"revision": 3, "label": "Your age"})
    browser.post(home + "questions/age/delete/", {"revision": 3})
    page = markup(browser.get(home))
    assert "Someone changed the questionnaire, or you changed it in another tab" in page
    assert [(each.name, each.label) for each in study.questionnaires.get().entries] == [
        ("age", "Your age"),
        ("q1", "First language?"),
    ]
    assert "18 to" in page
    browser.post(home + "change/", {"revision": 4, "ending": "Thank you.", "stores_answers": "on"})
    questionnaire = study.questionnaires.get()
    assert (questionnaire.ending, questionnaire.stores_answers) == ("Thank you.", True)
    assert browser.get(home + "new/?kind=colour").status_code == 404
    assert browser.get(home.replace("screening", "quiz")).status_code == 404


@pytest.mark.django_db
def test_scripts_read_and_change_the_questions_as_json(study: Study, client: Client) -> None:
    _token, key = new_api_token(study.memberships.get().user, "script")
    address, bearer = f"/api/v1/studies/{study.public_id}/questionnaires/screening", {"Authorization": f"Token {key}"}

    def patch(**body: Any) -> Any:
        return client.patch(address, body, content_type="application/json", headers=bearer)

    assert client.get(address, headers=bearer).json()["revision"] == 0
    changed = patch(revision=0, questions=[LANGUAGE], stores_answers=True)
    assert changed.json()["questions"] == [LANGUAGE]
    assert patch(revision=0, questions=[AGE]).json()["code"] == "changed"
    wrong = patch(revision=1, questions=[LANGUAGE | {"admitted": ["maybe"]}])
    assert (wrong.status_code, list(wrong.json()["fields"])) == (400, ["questions.0.admitted"])
    screen(study, {"language": "no"}, revision="1")
    screen(study, {"language": "yes"}, revision="1")
    assert client.get(address, headers=bearer).json()["counts"] == {"admitted": 1, "joined": 0, "screened_out": 1}
    rows = client.get(address + "/answers.csv", headers=bearer).getvalue().decode().splitlines()  # type: ignore[attr-defined]
    assert rows[0] == "version,result,language"
    assert sorted(rows[1:]) == ["1,admitted,yes", "1,screened out,no"]
    assert client.get(address.replace("screening", "quiz"), headers=bearer).status_code == 404
