"""Tests of groups that people join by their answers to a screening question, or by the study URL on Prolific."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import group_code
from annotate.models import AnnotatorGroup, Participation, Questionnaire, Screening, Study
from annotate.recruiting.services.groups import revoke_group
from annotate.recruiting.services.join import join
from annotate.recruiting.services.questionnaires import change_questionnaire, screen
from annotate.server.refusals import Refused
from tests.at_once import CALLS, at_once
from tests.factories import do_hit
from tests.markup import markup
from tests.rules.test_quotas import finish, quota_study, work

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("forget_counts")]

LANGUAGE = {
    "name": "language",
    "kind": "single",
    "label": "Is English your first language?",
    "required": True,
    "options": ["yes", "no"],
    "groups": ["native speakers", "learners"],
}
NEEDS_NOBODY = "This study needs no annotators from your group."


def change(study: Study, **question: Any) -> Questionnaire:
    questions = {"questions": [LANGUAGE | question]}
    return change_questionnaire(study.pk, Questionnaire.Purpose.SCREENING, questions, revision=0, user=SYSTEM)


def study_by_answers(**settings: Any) -> tuple[Study, AnnotatorGroup, AnnotatorGroup]:
    """Return an open study with quotas of native speakers and learners, whose answers determine the group."""
    study, (native, learners) = quota_study({"native speakers": 1, "learners": 2}, **settings)
    change(study)
    return study, native, learners


def answer(client: Client, study: Study, language: str, query: str = "") -> str:
    """Answer the screening question, and return the page after it."""
    link = f"/join/{study.join_token}{query}"
    client.post(link, {"screening": "1", "q-language": language})
    return markup(client.get(link))


def member(study: Study, language: str) -> Participation:
    """Return a new annotator who has given this answer."""
    result = screen(study, {"language": language}, revision="1")
    return join(study, platform="web", screening=result.public_id)


def joined(client: Client, study: Study, query: str = "") -> Participation:
    client.post(f"/join/{study.join_token}{query}", {})
    return Participation.objects.filter(study=study).latest("pk")


def test_the_answer_determines_the_group() -> None:
    study, native, learners = study_by_answers()
    for language, group in (("yes", native), ("no", learners)):
        client = Client()
        page = markup(client.get(f"/join/{study.join_token}"))
        assert "the group of annotators to which you belong" in page
        assert "native speakers" not in page
        assert "Take part" in answer(client, study, language)
        assert joined(client, study).group == group


def test_the_first_answer_counts() -> None:
    study, native, learners = study_by_answers()
    client = Client()
    answer(client, study, "yes")
    answer(client, study, "no")
    assert joined(client, study).group == native
    first = screen(study, {"language": "no"}, revision="1", person="5f1a")
    assert screen(study, {"language": "yes"}, revision="1", person="5f1a") == first
    assert first.group == learners


@pytest.mark.parametrize("full", ["places", "quota"])
def test_people_of_a_full_group_read_that_it_needs_nobody(full: str) -> None:
    study, native, _learners = study_by_answers()
    if full == "places":
        AnnotatorGroup.objects.filter(pk=native.pk).update(places=1)
        member(study, "yes")
    else:
        work(member(study, "yes"))
    client = Client()
    page = answer(client, study, "yes")
    assert NEEDS_NOBODY in page
    assert "Take part" not in page
    assert "Take part" in answer(Client(), study, "no")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Diese Studie sucht keine Teilnehmenden"),
        ("es", "Este estudio no necesita"),
        ("ar", "لا تحتاج هذه الدراسة"),
    ],
)
def test_they_read_it_in_the_language_of_the_study(language: str, text: str) -> None:
    study, _native, _learners = study_by_answers(language=language)
    work(member(study, "yes"))
    assert text in answer(Client(), study, "yes")


def test_groups_need_no_link_if_answers_lead_to_them() -> None:
    study, native, learners = study_by_answers()
    for group in (native, learners):
        revoke_group(study.pk, group.public_id, user=SYSTEM)
    client = Client()
    assert "Take part" in answer(client, study, "no")
    assert joined(client, study).group == learners


def test_questions_name_existing_groups_once_per_option() -> None:
    study, _groups = quota_study({"native speakers": 1, "learners": 2})
    for fields, message in {
        ("native speakers", "teachers"): "not a group of this study",
        ("native speakers",): "one group for each of the 2 options",
    }.items():
        with pytest.raises(Refused, match=message):
            change(study, groups=list(fields))
    with pytest.raises(Refused, match="must be true"):
        change(study, required=False)
    with pytest.raises(Refused, match="single choice"):
        change(study, kind="multiple")
    twice = {"questions": [LANGUAGE, LANGUAGE | {"name": "again"}]}
    with pytest.raises(Refused, match="already assigned"):
        change_questionnaire(study.pk, Questionnaire.Purpose.SCREENING, twice, revision=0, user=SYSTEM)


def test_participants_from_prolific_join_the_group_of_their_answer() -> None:
    study, native, learners = study_by_answers(recruitment="prolific", hits_per_annotator=1)
    client = Client()
    assert "Take part" in answer(client, study, "no", "?PROLIFIC_PID=5f1a")
    person = joined(client, study, "?PROLIFIC_PID=5f1a")
    assert (person.group, person.annotator.external_id) == (learners, "5f1a")
    while study.slots.filter(group=native, open=1).exists():
        do_hit(member(study, "yes"))
    page = answer(Client(), study, "yes", "?PROLIFIC_PID=9e9e")
    assert NEEDS_NOBODY in page
    assert Screening.objects.filter(group=native, participation=None).exists()


def test_the_study_url_on_prolific_can_name_the_group() -> None:
    study, (_native, learners) = quota_study({"native speakers": 1, "learners": 2}, recruitment="prolific")
    code = group_code(learners.public_id)
    client, query = Client(), f"?PROLIFIC_PID=5f1a&GROUP={code}"
    page = markup(client.get(f"/join/{study.join_token}{query}"))
    assert f'name="GROUP" value="{code}"' in page
    client.post(f"/join/{study.join_token}", {"PROLIFIC_PID": "5f1a", "GROUP": code})
    assert Participation.objects.get(study=study).group == learners
    for unknown in ("", "&GROUP=wrong"):
        page = markup(Client().get(f"/join/{study.join_token}?PROLIFIC_PID=77{unknown}"))
        assert "Take part" not in page
    finish(study)
    page = markup(Client().get(f"/join/{study.join_token}?PROLIFIC_PID=78&GROUP={code}"))
    assert NEEDS_NOBODY in page


@pytest.mark.rules
@pytest.mark.django_db(transaction=True)
def test_the_last_place_of_a_group_is_taken_once() -> None:
    study, native, _learners = study_by_answers()
    AnnotatorGroup.objects.filter(pk=native.pk).update(places=2)
    results = [screen(study, {"language": "yes"}, revision="1").public_id for _ in range(CALLS)]
    outcomes = at_once(lambda number: join(study, platform="web", screening=results[number]).group)
    assert outcomes == {"native speakers": 2, "group": CALLS - 2}


@pytest.mark.rules
@pytest.mark.django_db(transaction=True)
def test_answers_of_one_person_at_once_lead_to_one_group() -> None:
    study, _native, _learners = study_by_answers()
    outcomes = at_once(
        lambda number: screen(study, {"language": ["yes", "no"][number % 2]}, revision="1", person="5f1a").group
    )
    assert list(outcomes.values()) == [CALLS]
