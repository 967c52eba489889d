"""Tests of screening: people answer questions before they can join a study."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import PERSONAL_LINKS, group_code
from annotate.models import Annotator, Outcome, Questionnaire, Screening, Study
from annotate.people.selectors.own_data import own_data
from annotate.people.services import remove_expired_personal_data, remove_personal_data
from annotate.recruiting.selectors import ScreeningCounts, screening_counts, verified_id
from annotate.recruiting.services.groups import add_group
from annotate.recruiting.services.join import join
from annotate.recruiting.services.named import add_named
from annotate.recruiting.services.questionnaires import change_questionnaire, screen
from annotate.server.refusals import Refused
from annotate.studies.services.study import close_study
from tests.factories import UserFactory, make_study
from tests.markup import markup

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("forget_counts")]

LANGUAGE = {
    "name": "language",
    "kind": "single",
    "label": "Is English your first language?",
    "required": True,
    "options": ["yes", "no"],
    "admitted": ["yes"],
}
YES, NO = {"screening": "1", "q-language": "yes"}, {"screening": "1", "q-language": "no"}


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(lambda: make_study(user=UserFactory()))


@pytest.fixture
def study(shared_study: Study) -> Study:
    study = Study.objects.get(pk=shared_study.pk)
    change(study)
    return study


def change(study: Study, revision: int = 0, **changes: Any) -> Questionnaire:
    values = {"questions": [LANGUAGE]} | changes
    return change_questionnaire(study.pk, Questionnaire.Purpose.SCREENING, values, revision=revision, user=SYSTEM)


def address(study: Study) -> str:
    return f"/join/{study.join_token}"


def test_people_with_admitted_answers_join_and_others_see_a_polite_end(study: Study) -> None:
    link, client = address(study), Client()
    page = markup(client.get(link))
    assert "Is English your first language?" in page
    assert "Your answers are not stored." in page
    assert "Take part" not in page
    assert "Is English" in markup(client.post(link, {})), "the consent form alone does not lead past the questions"
    assert "Answer this question." in markup(client.post(link, {"screening": "1"}))
    assert client.post(link, YES)["Location"] == link
    assert "Take part" in markup(client.get(link))
    assert client.post(link, {})["Location"] == f"/s/{study.public_id}"
    other = Client()
    assert other.post(link, NO).status_code == 302
    assert "you cannot take part" in markup(other.get(link))
    assert screening_counts(study) == ScreeningCounts(admitted=1, joined=1, screened_out=1)
    assert set(Screening.objects.values_list("answers", "person_hash")) == {(None, "")}


def test_going_back_and_answering_differently_does_not_admit(study: Study) -> None:
    link, client = address(study), Client()
    client.post(link, NO)
    assert "you cannot take part" in markup(client.post(link, YES))
    assert "you cannot take part" in markup(client.post(link, {}))
    assert screening_counts(study).screened_out == 1
    change(study, 1, ending="Come back in **June**.")
    assert "Is English" in markup(client.get(link)), "a new version of the questions can be answered again"
    client.post(link, NO | {"screening": "2"})
    assert "<strong>June</strong>" in markup(client.get(link))
    assert study.participations.count() == 0


def test_a_result_admits_one_annotator(study: Study) -> None:
    link, client = address(study), Client()
    client.post(link, YES)
    client.post(link, {})
    client.post(f"/s/{study.public_id}/not-me")
    assert "Is English" in markup(client.get(link)), "the next person on a shared device answers the questions"
    passed = screen(study, {"language": "yes"}, revision="1")
    join(study, platform=Annotator.Platform.WEB, screening=passed.public_id)
    for result in (passed.public_id, screen(study, {"language": "no"}, revision="1").public_id, "", "any"):
        with pytest.raises(Refused) as refusal:
            join(study, platform=Annotator.Platform.WEB, screening=result)
        assert refusal.value.code == "screening"
    join(study, platform=Annotator.Platform.TRY)
    join(study, platform=Annotator.Platform.SIMULATED, external_id="simulated-1")


def test_changed_questions_and_unknown_questions_are_refused(study: Study) -> None:
    link, client = address(study), Client()
    change(study, 1, introduction="Two questions follow.")
    outdated = client.post(link, YES)
    assert (outdated.status_code, "The questions have changed" in markup(outdated)) == (409, True)
    unknown = client.post(link, {"screening": "2", "q-language": "yes", "q-age": "30"})
    assert (unknown.status_code, "unknown question: age" in markup(unknown)) == (400, True)
    wrong = client.post(link, {"screening": "2", "q-language": "perhaps"})
    assert "Choose one of the options." in markup(wrong)
    assert not Screening.objects.exists()


@pytest.mark.nightly
def test_a_prolific_participant_stays_screened_out_in_another_browser(study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(recruitment=Study.Recruitment.PROLIFIC)
    link = f"{address(study)}?PROLIFIC_PID=abc123"
    assert "Is English" not in markup(Client().get(address(study))), "without an ID, the page asks for Prolific's link"
    assert Client().post(link, NO)["Location"] == link
    assert "Is English" not in markup(Client().get(link))
    change(study, 1, ending="Come back in June.")
    assert "Come back in June." in markup(Client().get(link)), "a changed questionnaire does not start a second payment"
    assert study.prolific_submissions.get().outcome == Outcome.SCREENED_OUT
    other = link.replace("abc", "def")
    client = Client()
    client.post(other, YES | {"screening": "2"})
    assert Client().post(other, {}).status_code == 302, "the result belongs to the ID, not to the browser"
    hashes = [result.person_hash for result in Screening.objects.all()]
    assert len(set(hashes)) == 2
    assert not any("abc123" in text or len(text) != 64 for text in hashes)


def test_named_annotators_answer_the_questions_too(study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(admission=Study.Admission.NAMED)
    (ada, bea) = add_named(study.pk, ["Ada", "Bea"], user=SYSTEM)
    link, client = PERSONAL_LINKS.path(ada.public_id), Client()
    page = markup(client.get(link))
    assert "Is English" in page
    assert "Continue with your code" not in page, "named annotators have no code"
    client.post(link, YES)
    assert client.post(link, {}).status_code == 302
    assert "Is English" not in markup(Client().get(link)), "the link continues on another device"
    Client().post(PERSONAL_LINKS.path(bea.public_id), NO)
    assert "you cannot take part" in markup(Client().get(PERSONAL_LINKS.path(bea.public_id)))


def test_people_with_a_group_link_answer_the_questions_too(study: Study) -> None:
    link, client = f"{address(study)}/group/{group_code(add_group(study.pk, 'Class', user=SYSTEM).public_id)}", Client()
    assert "Is English" in markup(client.get(link))
    client.post(link, YES)
    assert client.post(link, {}).status_code == 302
    assert study.participations.get().screening.is_admitted
    assert "Is English" in markup(Client().post(link, {}))


def test_stored_answers_are_removed_with_the_personal_data(study: Study) -> None:
    change(study, 1, stores_answers=True)
    results = [screen(study, {"language": answer}, revision="2", person=f"p{answer}") for answer in ("yes", "no")]
    annotator = join(study, platform=Annotator.Platform.WEB, screening=results[0].public_id)
    assert own_data(annotator)["screening"]["answers"] == {"language": "yes"}
    owner = study.memberships.get().user
    remove_personal_data(annotator.annotator_id, user=owner, reason="asked")
    admitted = Screening.objects.get(is_admitted=True)
    assert (admitted.answers, admitted.person_hash) == (None, "")
    assert Screening.objects.get(is_admitted=False).answers == {"language": "no"}
    close_study(study.pk, user=SYSTEM)
    Study.objects.filter(pk=study.pk).update(closed_at="2020-01-01T00:00:00Z")
    assert remove_expired_personal_data() == 1
    assert set(Screening.objects.values_list("answers", "person_hash")) == {(None, "")}


def test_answers_to_an_earlier_version_are_removed_with_the_personal_data(study: Study) -> None:
    change(study, 1, stores_answers=True)
    Study.objects.filter(pk=study.pk).update(recruitment=Study.Recruitment.PROLIFIC)
    study.refresh_from_db()
    screen(study, {"language": "yes"}, revision="2", person="abc123")
    screen(study, {"language": "yes"}, revision="2", person=verified_id("abc123"))
    screen(study, {"language": "yes"}, revision="2", person="def456")
    change(study, 2, introduction="Again.")
    result = screen(study, {"language": "yes"}, revision="3", person="abc123")
    platform = Annotator.Platform.PROLIFIC
    annotator = join(study, platform=platform, external_id="abc123", screening=result.public_id)
    remove_personal_data(annotator.annotator_id, user=study.memberships.get().user, reason="asked")
    assert Screening.objects.exclude(person_hash="").get().answers == {"language": "yes"}
    assert Screening.objects.filter(answers__isnull=True, person_hash="").count() == 3
