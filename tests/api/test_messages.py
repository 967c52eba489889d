"""Annotators' messages and choices over the API, the replies to messages, and skipped questions among the answers."""

import pytest

from annotate.core.services.grading import AnswerSent
from annotate.core.services.remarks import send_remark
from annotate.core.services.returns import return_hit, withdraw
from annotate.core.services.submit import submit
from annotate.models import User
from tests.api.conftest import Api, refused
from tests.factories import answers_to, make_annotator, make_study, take

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(user: User) -> str:
    """A study with a problem, a skipped question, a returned HIT and a withdrawal."""
    stored = make_study(items=8, judgements=2, skips_allowed=True, user=user)
    ann, leaver = make_annotator(stored), make_annotator(stored)
    assignment = take(ann)
    send_remark(ann.pk, assignment.public_id, 1, kind="problem", text="The sentence is cut off.")
    submit(ann.pk, assignment.public_id, [AnswerSent(2, skipped="No idea"), *answers_to(assignment, but=[2])])
    return_hit(ann.pk, take(ann).public_id)
    withdraw(leaver.pk, keep_answers=True)
    return f"studies/{stored.public_id}"


@pytest.mark.nightly
def test_messages_come_in_pages_and_by_kind(owner: Api, study: str) -> None:
    body = owner.get(f"{study}/messages?page_size=3").json()
    assert (body["count"], [row["kind"] for row in body["results"]]) == (4, ["withdrawal", "return", "skip"])
    problem = owner.get(f"{study}/messages?kind=problem").json()["results"][0]
    assert (problem["text"], problem["state"], problem["reply"]) == ("The sentence is cut off.", "unanswered", "")
    assert problem["question"].startswith("tuple-")
    assert problem["sent_at"].endswith("Z")
    assert [row["id"] for row in owner.get(f"{study}/messages?unanswered=true").json()["results"]] == [problem["id"]]
    assert owner.get(f"{study}/messages?unanswered=true&kind=skip").json()["count"] == 0
    one = owner.get(f"{study}/messages?annotator={problem['annotator']}").json()["results"]
    assert {row["annotator"] for row in one} == {problem["annotator"]}
    refused(owner.get(f"{study}/messages?kind=letter"), 400, "invalid", "kind")
    refused(owner.get(f"{study}/messages?unanswered=maybe"), 400, "invalid", "unanswered")
    refused(owner.get(f"{study}/messages?annotator=nobody"), 404, "unknown")


def test_a_reply_is_stored_and_shown(owner: Api, user: User, study: str) -> None:
    message = owner.get(f"{study}/messages?kind=problem").json()["results"][0]["id"]
    replied = owner.post(f"{study}/messages/{message}/reply", {"text": "We have corrected it."}).json()
    assert (replied["reply"], replied["replied_by"], replied["state"]) == (
        "We have corrected it.",
        str(user),
        "answered",
    )
    assert owner.get(f"{study}/messages?unanswered=true").json()["count"] == 0
    refused(owner.post(f"{study}/messages/{message}/reply", {"text": ""}), 400, "invalid", "text")
    refused(owner.post(f"{study}/messages/unknown/reply", {"text": "x"}), 404, "unknown")


def test_skipped_questions_are_among_the_answers_with_their_reason(owner: Api, study: str) -> None:
    rows = owner.get(f"{study}/answers").json()["results"]
    skipped = [row for row in rows if row["skipped"]]
    assert [(row["value"], row["answered_at"], row["skipped"], row["guidelines_version"]) for row in skipped] == [
        (None, None, "No idea", 1)
    ]
    assert skipped[0]["skipped_at"].endswith("Z")
    assert all(row["value"] is not None for row in rows if not row["skipped"])


@pytest.mark.nightly
def test_settings_for_fair_treatment_and_the_promise_of_the_consent_text(owner: Api) -> None:
    settings = {
        "contact": "Mara Lindqvist, mara@example.org",
        "payment_terms": "We pay by bank transfer within a week.",
        "skips_allowed": True,
        "gold_skips_allowed": 1,
        "break_minutes": 45,
    }
    sent = {"title": "Relatedness", "task_type": "bws", "consent": "Agree?", "consent_pays_stopped": True, **settings}
    study = owner.post("studies", sent).json()
    assert {name: study[name] for name in settings} == settings
    assert (study["consent"], study["consent_pays_stopped"], study["guidelines_version"]) == ("Agree?", True, 1)
    path = f"studies/{study['id']}"
    assert owner.patch(path, {"consent": "Agree?"}).json()["consent_pays_stopped"] is True, "the text is the same"
    assert owner.patch(path, {"consent_pays_stopped": False}).json()["consent"] == "Agree?"
    changed = owner.patch(path, {"consent": "Do you agree?"}).json()
    assert changed["consent_pays_stopped"] is None, "a new text does not repeat an earlier promise"
    assert owner.patch(path, {"consent": "", "consent_pays_stopped": True}).json()["consent_pays_stopped"] is None
    refused(owner.patch(path, {"break_minutes": 2}), 400, "invalid", "break_minutes")
    listed = owner.get("studies").json()["results"]
    assert [row["consent"] for row in listed] == [""]
