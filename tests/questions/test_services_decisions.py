"""Tests of decisions on questions with disagreement: stored decisions, earlier decisions and rejected decisions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.models import Answer, Decision, Question, Study
from annotate.questions.selectors.data import study_data
from annotate.questions.services.decisions import decide, undo, version_of, withdraw
from annotate.server.refusals import Refused
from tests.factories import MembershipFactory, do_hit, make_annotator, make_study, member_of
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(make_shared_study)


@pytest.fixture
def study(shared_study: Study, db: None) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def make_shared_study() -> Study:
    study = make_study(items=8, judgements=1)
    do_hit(make_annotator(study))
    return study


@pytest.fixture
def question(study: Study) -> Question:
    return study.questions.filter(kind="regular", answers__given_at__isnull=False).order_by("pk")[0]


def test_what_was_decided_stands_beside_the_answers_and_goes_into_reports(study: Study, question: Question) -> None:
    given = Answer.objects.get(question=question).value
    decide(question.pk, {"best": 1, "worst": 2}, user=member_of(study), note=" the others misread it ")
    keys = question.payload["items"]
    assert study_data(study).decisions == {question.ref: {"best": keys[0], "worst": keys[1]}}
    assert Decision.objects.get().note == "the others misread it"
    assert Answer.objects.get(question=question).value == given


def test_deciding_anew_replaces_and_the_log_keeps_what_was(study: Study, question: Question) -> None:
    keys = question.payload["items"]
    decide(question.pk, {"best": 1, "worst": 2}, user=member_of(study))
    decide(question.pk, {"best": 3, "worst": 4}, user=member_of(study))
    assert Decision.objects.get().value == {"best": keys[2], "worst": keys[3]}
    last = study.events.filter(verb="decided").latest("pk")
    assert last.detail["before"] == {"best": keys[0], "worst": keys[1]}


def test_the_same_decision_twice_is_one(study: Study, question: Question) -> None:
    for _ in range(2):
        decide(question.pk, {"best": 1, "worst": 2}, user=member_of(study))
    assert study.events.filter(verb="decided").count() == 1


def test_a_withdrawn_decision_leaves_the_answers_alone_to_speak(study: Study, question: Question) -> None:
    decide(question.pk, {"best": 1, "worst": 2}, user=member_of(study))
    for _ in range(2):
        withdraw(question.pk, user=SYSTEM)
    assert study_data(study).decisions == {}
    assert study.events.filter(verb="withdrew decision").count() == 1


def test_undo_restores_the_earlier_decision_with_its_reason_and_author(study: Study, question: Question) -> None:
    first, second = member_of(study), member_of(study)
    keys = question.payload["items"]
    decide(question.pk, {"best": 1, "worst": 2}, user=first, note="Clearly best.")
    changed = decide(question.pk, {"best": 3, "worst": 4}, user=second, note="No.")
    with pytest.raises(Refused, match="Another reviewer has changed the decision"):
        undo(question.pk, user=second, seen="an earlier version")
    restored = undo(question.pk, user=second, seen=version_of(changed))
    assert restored == Decision.objects.get()
    assert (restored.value, restored.note, restored.user) == (
        {"best": keys[0], "worst": keys[1]},
        "Clearly best.",
        first,
    )
    with pytest.raises(Refused, match="has already been undone"):
        undo(question.pk, user=second)
    assert study.events.get(verb="undid decision").user == second
    decide(question.pk, {"best": 3, "worst": 4}, user=second)
    withdraw(question.pk, user=second)
    decide(question.pk, {"best": 4, "worst": 3}, user=second)
    assert undo(question.pk, user=second) is None, "the decision before it had been withdrawn"
    assert not Decision.objects.exists()


def test_the_page_offers_undo_of_the_latest_decision(client: Client, study: Study, question: Question) -> None:
    user = MembershipFactory(study=study, role="reviewer").user
    client.force_login(user)
    page = f"/console/{study.public_id}/adjudicate/?decided={question.public_id}"
    decide(question.pk, {"best": 1, "worst": 2}, user=user)
    changed = decide(question.pk, {"best": 3, "worst": 4}, user=user)
    assert client.get(page).context["undo"].question == question
    undo(question.pk, user=user, seen=version_of(changed))
    assert client.get(page).context["undo"] is None


def test_an_impossible_answer_is_refused_by_field_and_nothing_kept(question: Question) -> None:
    with pytest.raises(Refused) as refusal:
        decide(question.pk, {"best": 1, "worst": 1}, user=member_of(question.study))
    assert (refusal.value.code, list(refusal.value.fields)) == ("invalid", ["value.worst"])
    assert not Decision.objects.exists()


def test_only_what_is_scored_can_be_decided() -> None:
    study = make_study(gold=1)
    with pytest.raises(Refused) as refusal:
        decide(study.questions.get(kind="gold").pk, {"best": 1, "worst": 2}, user=member_of(study))
    assert refusal.value.code == "kind"


@pytest.mark.parametrize(("role", "status"), [("reviewer", 200), ("viewer", 404)])
def test_the_page_is_for_reviewers_and_shows_what_was_answered(
    client: Client, study: Study, question: Question, role: str, status: int
) -> None:
    user = MembershipFactory(study=study, role=role).user
    client.force_login(user)
    page = client.get(f"/console/{study.public_id}/adjudicate/{question.public_id}/")
    assert page.status_code == status
    if status == 200:
        assert page.context["given"]


def test_a_reviewer_decides_and_withdraws_on_the_pages(client: Client, study: Study, question: Question) -> None:
    client.force_login(MembershipFactory(study=study, role="reviewer").user)
    place = f"/console/{study.public_id}/questions/{question.public_id}/"
    page = f"/console/{study.public_id}/adjudicate/{question.public_id}/"
    refused = client.post(page, {"value": '{"best": 1, "worst": 1}', "note": "because"})
    assert refused.status_code == 422
    assert "because" in markup(refused)
    assert client.post(page, {"value": '{"best": 1, "worst": 2}', "note": "because"}).status_code == 302
    shown = markup(client.get(place))
    assert "“because”" in shown
    assert "Withdraw the decision" in shown
    assert client.post(f"{place}withdraw/").status_code == 302
    assert not Decision.objects.exists()


def test_deciding_anew_begins_with_what_was_decided(client: Client, study: Study, question: Question) -> None:
    client.force_login(MembershipFactory(study=study, role="reviewer").user)
    place = f"/console/{study.public_id}/adjudicate/{question.public_id}/"
    assert client.get(place).context["value"] is None
    decide(question.pk, {"best": 2, "worst": 4}, user=member_of(study))
    assert client.get(place).context["value"] == {"best": 2, "worst": 4}
