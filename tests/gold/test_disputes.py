"""Tests of disputed gold: one dispute after another, with an answer to use, and an expected answer to keep."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotate.console.selectors.overview import doubtful_gold
from annotate.core.services.answer import acknowledge
from annotate.gold.selectors.disputes import disputed_gold, disputed_questions, open_disputes
from annotate.gold.services import keep_expected_answer
from annotate.models import Answer, Participation, Question, Study, User
from tests.factories import MembershipFactory, UserFactory, do_hit, make_annotator, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def at(name: str, study: Study, *more: str) -> str:
    return reverse(f"console:{name}", args=[study.public_id, *more])


def dispute(study: Study, note: str) -> tuple[Participation, Question]:
    """Let a new annotator miss a gold question and dispute it."""
    annotator = make_annotator(study)
    do_hit(annotator, right=False)
    answer = Answer.objects.filter(participation=annotator, tally__isnull=False).select_related("question").get()
    acknowledge(annotator.pk, answer.assignment.public_id, answer.position, disputed=True, note=note)
    return annotator, answer.question


@pytest.fixture
def study() -> Study:
    return make_study(items=12, gold=1, judgements=6, rule_minimum=9, user=UserFactory())  # type: ignore[arg-type]


@pytest.fixture
def owner(study: Study) -> Client:
    return client_of(study.members.get())


@pytest.mark.nightly
def test_a_dispute_is_open_until_the_expected_answer_is_kept_and_again_after_undo(study: Study, owner: Client) -> None:
    annotator, question = dispute(study, "Pair 2 is closer.")
    page = owner.get(at("disputes", study))
    text = markup(page)
    assert "Missed by 1 of 1 annotator · 1 of 1 disputed question" in text
    assert "1 annotator objected" in text
    assert "“Pair 2 is closer.”" in text
    assert annotator.pseudonym in text
    assert set(page.context["pictures"]) == {"expected", str(page.context["answers"][0].pk)}
    assert at("dispute", study, question.public_id) in markup(owner.get(at("overview", study)))
    kept = owner.post(at("keep-expected-answer", study, question.public_id), {"until": page.context["until"]})
    after = owner.get(kept.url)
    assert f"You kept the expected answer to {question.ref}." in markup(after)
    assert "No dispute is open." in markup(after)
    assert (disputed_questions(study), doubtful_gold(study)) == (0, [])
    event = study.events.get(verb="kept expected answer")
    assert (event.detail["question"], event.detail["disputes"]) == (question.ref, 1)
    undone = owner.post(at("reopen-disputes", study, question.public_id))
    assert undone.url == at("dispute", study, question.public_id)
    assert disputed_gold(study) == [question.pk]
    assert owner.get(at("dispute", study, question.public_id)).status_code == 200


def test_a_dispute_that_the_reviewer_has_not_seen_stays_open(study: Study, owner: Client) -> None:
    _, question = dispute(study, "First.")
    seen = owner.get(at("disputes", study)).context["until"]
    later, _ = dispute(study, "Second.")
    owner.post(at("keep-expected-answer", study, question.public_id), {"until": seen})
    (left,) = open_disputes(study)
    assert Answer.objects.get(pk=left.answer).participation_id == later.pk
    assert keep_expected_answer(question.pk, user=study.members.get()) == 1
    assert keep_expected_answer(question.pk, user=study.members.get()) == 0
    assert study.events.filter(verb="kept expected answer").count() == 2


def test_equal_answers_stand_together_and_one_of_them_can_become_the_expected_answer(
    study: Study, owner: Client
) -> None:
    _, question = dispute(study, "Pair 2.")
    dispute(study, "")
    page = owner.get(at("disputes", study))
    (answer,) = page.context["answers"]
    assert [objector.note for objector in answer.by] == ["Pair 2.", ""]
    place = f"{at('expected-answer', study, question.public_id)}?answer={answer.pk}"
    assert place in markup(page)
    form = owner.get(place)
    assert json.loads(form.context["form"]["value"].value()) == answer.value
    sent: dict[str, Any] = {"value": json.dumps(answer.value), "reason": "They are right.", "seen": 1}
    effects = owner.post(place, sent)
    done = owner.post(place, sent | {"confirmed": effects.context["confirmed"]})
    assert done.url == at("disputes", study)
    assert open_disputes(study) == [], "the answers are correct now"


def test_a_settled_dispute_leads_to_its_question(study: Study, owner: Client) -> None:
    question = study.questions.get(kind="gold")
    assert owner.get(at("dispute", study, question.public_id)).url == at("question", study, question.public_id)
    other = make_study(items=8, gold=1)
    foreign = other.questions.get(kind="gold")
    assert owner.post(at("keep-expected-answer", study, foreign.public_id), {"until": "2026-01-01"}).status_code == 404


def test_viewers_read_disputes_and_reviewers_keep_the_expected_answer(study: Study) -> None:
    dispute(study, "Pair 2 is closer.")
    viewer, reviewer = (MembershipFactory(study=study, role=role).user for role in ("viewer", "reviewer"))
    page = markup(client_of(viewer).get(at("disputes", study)))
    assert "Pair 2 is closer." in page
    assert "Keep the expected answer" not in page
    page = markup(client_of(reviewer).get(at("disputes", study)))
    assert "Keep the expected answer" in page
    assert "Use this answer" not in page


@pytest.mark.nightly
def test_the_badge_counts_disputed_questions_and_there_is_no_tab_without_disputes() -> None:
    study = make_study(items=12, gold=2, judgements=6, rule_minimum=9, user=UserFactory())  # type: ignore[arg-type]
    for note in ("One.", "Two.", "Three."):
        dispute(study, note)
    page = client_of(study.members.get()).get(at("gold", study))
    (tab,) = [tab for place in page.wsgi_request.console.places for tab in place.tabs if tab.label == "Disputed gold"]
    assert tab.work == len(disputed_gold(study))
    without = make_study(items=8, gold_block=0, user=UserFactory())  # type: ignore[arg-type]
    page = client_of(without.members.get()).get(at("gold", without))
    assert "Disputed gold" not in markup(page)
    assert "There are none yet." in markup(page)
    with_gold = make_study(items=12, gold=2, user=UserFactory())  # type: ignore[arg-type]
    assert "Disputed gold" not in markup(client_of(with_gold.members.get()).get(at("gold", with_gold)))


def test_the_api_settles_and_reopens_disputes(study: Study, owner: Client) -> None:
    _, question = dispute(study, "Pair 2 is closer.")
    place = f"/api/v1/studies/{study.public_id}/gold/{question.public_id}/keep"
    assert owner.post(place, {"until": "2020-01-01T00:00:00Z"}, content_type="application/json").json() == {
        "settled": 0
    }
    assert owner.post(place, {}, content_type="application/json").json() == {"settled": 1}
    (row,) = owner.get(f"/api/v1/studies/{study.public_id}/gold").json()["results"]
    assert (row["disputes"], row["doubtful"]) == (0, False)
    assert owner.delete(place).status_code == 204
    (row,) = owner.get(f"/api/v1/studies/{study.public_id}/gold").json()["results"]
    assert (row["disputes"], row["doubtful"]) == (1, True)
