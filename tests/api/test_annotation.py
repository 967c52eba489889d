"""Tests of annotation through the API, as on the annotators' pages: claim, save drafts, answer, acknowledge feedback
and submit.
"""

from collections.abc import Callable
from typing import Any

import pytest

from annotate.models import Answer, Assignment, Participation, Study
from tests.api.conftest import Api, refused
from tests.factories import answers_to, gold_in, let_lapse, make_annotator, make_study, raw_answer, take

pytestmark = pytest.mark.django_db
Page = Callable[[Participation], Api]
VALUE = {"best": 1, "worst": 2}


def working(page: Page, **given: Any) -> tuple[Api, Assignment]:
    """Return the client of an annotator's page with a claimed assignment."""
    participation = make_annotator(make_study(**given))
    api = page(participation)
    claimed = api.post("claims").json()["assignment"]
    return api, Assignment.objects.get(public_id=claimed["id"])


def ordinary(assignment: Assignment) -> int:
    return assignment.answers.filter(question__kind="regular").order_by("position").first().position


def sent(assignment: Assignment, *, right: bool = True, but: tuple[int, ...] = ()) -> list[dict[str, Any]]:
    return [vars(answer) for answer in answers_to(assignment, right=right, but=but)]


def test_a_claim_brings_questions_and_nothing_that_gives_gold_away(page: Page) -> None:
    api, assignment = working(page, items=10, gold=3)
    again = api.post("claims").json()
    assert again["resumed"] is True
    assert again["assignment"]["id"] == assignment.public_id
    shown = again["assignment"]
    assert api.get(f"assignments/{assignment.public_id}").json() == shown
    assert [question["position"] for question in shown["questions"]] == [1, 2, 3, 4, 5, 6]
    assert len({frozenset(question) for question in shown["questions"]}) == 1
    told = str(shown)
    for answer in assignment.answers.select_related("question"):
        assert answer.question.ref not in told
        assert answer.question.public_id not in told
        assert not answer.question.explanation or answer.question.explanation not in told


def test_a_draft_is_kept_under_its_revision_and_a_stale_one_is_refused(page: Page) -> None:
    api, assignment = working(page)
    path = f"assignments/{assignment.public_id}/answers/1/draft"
    half = {"draft": {"best": 2, "worst": None}, "revision": 1}
    assert api.put(path, half).json() == {"revision": 1}
    assert api.put(path, half).json() == {"revision": 1}  # the same request again
    assert api.put(path, {"draft": {"best": 3, "worst": 1}, "revision": 5}).json() == {"revision": 5}
    refused(api.put(path, {"draft": {"best": 4, "worst": 1}, "revision": 5}), 409, "stale", "revision")
    refused(api.put(path, half), 409, "stale", "revision")
    question = api.get(f"assignments/{assignment.public_id}").json()["questions"][0]
    assert (question["draft"], question["revision"], question["value"]) == ({"best": 3, "worst": 1}, 5, None)


def test_an_answer_can_be_given_twice_and_anew_until_it_is_submitted(page: Page) -> None:
    api, assignment = working(page)
    position = ordinary(assignment)
    path = f"assignments/{assignment.public_id}/answers/{position}"
    for value in (VALUE, VALUE, {"best": 3, "worst": 4}):
        told = api.put(path, {"value": value, "seconds": 3.5}).json()
        assert (told["feedback"], told["stopped"]) == ([], False)
    assert api.get(f"assignments/{assignment.public_id}").json()["questions"][position - 1]["value"] == {
        "best": 3,
        "worst": 4,
    }
    assert len(Answer.objects.get(assignment=assignment, position=position).trace) == 1
    assert api.post(f"assignments/{assignment.public_id}/submission", {"answers": sent(assignment)}).status_code == 200
    refused(api.put(path, {"value": {"best": 2, "worst": 4}}), 409, "submitted")
    refused(api.put(f"{path}/draft", {"draft": None, "revision": 99}), 409, "submitted")


@pytest.mark.nightly
def test_missed_gold_is_told_once_given_and_stands(page: Page) -> None:
    api, assignment = working(page, items=10, gold=3)
    [gold] = gold_in(assignment)
    path = f"assignments/{assignment.public_id}/answers/{gold.position}"
    wrong, right = raw_answer(gold, right=False), raw_answer(gold)
    told = api.put(path, {"value": wrong}).json()
    [feedback] = told["feedback"]
    assert (feedback["passed"], feedback["expected"], feedback["given"]) == (False, right, wrong)
    assert feedback["explanation"] == gold.question.explanation
    assert (feedback["graded"], feedback["right"]) == (0, 0), "only submitted sets are counted"
    assert api.put(path, {"value": wrong}).json() == told
    refused(api.put(path, {"value": right}), 409, "graded")
    others = sent(assignment, but=(gold.position,))
    refused(api.post(f"assignments/{assignment.public_id}/submission", {"answers": others}), 409, "unacknowledged")
    note = {"disputed": True, "note": "They are the same."}
    for _ in range(2):
        assert api.post(f"{path}/acknowledgement", note).status_code == 204
    assert api.post(f"assignments/{assignment.public_id}/submission", {"answers": others}).status_code == 200
    gold.refresh_from_db()
    assert (gold.disputed, gold.dispute_note) == (True, "They are the same.")


def test_there_is_nothing_to_acknowledge_at_an_ordinary_question(page: Page) -> None:
    api, assignment = working(page, items=10, gold=3)
    path = f"assignments/{assignment.public_id}/answers/{ordinary(assignment)}/acknowledgement"
    refused(api.post(path, {}), 400, "ungraded")


@pytest.mark.nightly
def test_a_submission_brings_the_next_and_is_the_same_twice(page: Page) -> None:
    api, assignment = working(page, items=10, gold=4)
    path = f"assignments/{assignment.public_id}/submission"
    first = api.post(path, {"answers": sent(assignment), "next": True}).json()
    assert first["receipt"] == {
        "assignment": assignment.public_id,
        "state": "done",
        "credited": True,
        "reward": "0.5000",
        "currency": "USD",
        "stopped": False,
        "feedback": [],
    }
    assert first["next"]["assignment"]["id"] != assignment.public_id
    again = api.post(path, {"answers": sent(assignment, right=False), "next": True}).json()
    assert again["receipt"] == first["receipt"]
    assert again["next"]["assignment"]["id"] == first["next"]["assignment"]["id"]
    assert api.post(path, {}).json()["next"] is None


def test_an_incomplete_submission_names_what_is_missing_and_keeps_nothing(page: Page) -> None:
    api, assignment = working(page)
    path = f"assignments/{assignment.public_id}/submission"
    refused(api.post(path, {"answers": sent(assignment, but=(2, 4))}), 409, "incomplete", "answers.2", "answers.4")
    assert not assignment.answers.filter(given_at__isnull=False).exists()
    assert api.post(path, {"answers": sent(assignment)}).json()["receipt"]["state"] == "done"


def test_a_submission_for_another_studys_hit_is_unknown_and_changes_nothing(page: Page) -> None:
    api, mine = working(page)
    theirs = take(make_annotator(make_study()))
    refused(api.post(f"assignments/{theirs.public_id}/submission", {"answers": sent(theirs)}), 404, "unknown")
    for assignment in (mine, theirs):
        assignment.refresh_from_db()
        assert assignment.state == "leased"
        assert not assignment.answers.filter(given_at__isnull=False).exists()


@pytest.mark.parametrize("position", ["0", "7", "32767", "99999999999999999999", "-1", "x"])
def test_a_tampered_position_is_unknown(page: Page, position: str) -> None:
    api, assignment = working(page)
    base = f"assignments/{assignment.public_id}/answers/{position}"
    for response in (
        api.put(base, {"value": VALUE}),
        api.put(f"{base}/draft", {"draft": None, "revision": 1}),
        api.post(f"{base}/acknowledgement", {}),
    ):
        assert refused(response, 404, response.json()["code"])["code"] in ("unknown", "not_found")


@pytest.mark.parametrize("public_id", ["x", "a" * 22, "%00", "..", "é", "1", "' OR 1=1 --"])
def test_a_tampered_assignment_is_unknown(page: Page, public_id: str) -> None:
    api, _ = working(page)
    response = api.get(f"assignments/{public_id}")
    assert refused(response, 404, response.json()["code"])["code"] in ("unknown", "not_found")


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ({"best": 1, "worst": 1}, "answers.1.worst"),
        ({"best": 5, "worst": 1}, "answers.1.best"),
        ({"best": 1}, "answers.1.worst"),
        ({}, "answers.1.best"),
        ("1,2", "answers.1.value"),
        ([1, 2], "answers.1.value"),
        ({"best": "1", "worst": 2}, "answers.1.best"),
        ({"best": True, "worst": 2}, "answers.1.best"),
        ({"best": 1.0, "worst": 2}, "answers.1.best"),
        ({"best": 10**30, "worst": 2}, "answers.1.best"),
    ],
)
def test_an_impossible_answer_names_its_field(page: Page, value: Any, field: str) -> None:
    api, assignment = working(page)
    refused(api.put(f"assignments/{assignment.public_id}/answers/1", {"value": value}), 400, "invalid", field)
    one = [{"position": 1, "value": value}]
    refused(api.post(f"assignments/{assignment.public_id}/submission", {"answers": one}), 400, "invalid", field)
    assert Answer.objects.get(assignment=assignment, position=1).value is None


@pytest.mark.nightly
def test_work_that_was_overtaken_is_kept_as_surplus_and_paid(page: Page) -> None:
    api, late = working(page, judgements=1)
    let_lapse(late)
    faster = page(make_annotator(late.study))
    taken = faster.post("claims").json()["assignment"]["id"]
    while (now := Assignment.objects.get(public_id=taken)).hit_id != late.hit_id:
        taken = faster.post(f"assignments/{taken}/submission", {"answers": sent(now), "next": True}).json()["next"][
            "assignment"
        ]["id"]
    faster.post(f"assignments/{taken}/submission", {"answers": sent(now)})
    receipt = api.post(f"assignments/{late.public_id}/submission", {"answers": sent(late)}).json()["receipt"]
    assert (receipt["state"], receipt["credited"]) == ("surplus", True)


def test_why_there_is_nothing(page: Page) -> None:
    study = make_study()
    api = page(make_annotator(study))
    for state, why in (("paused", "paused"), ("closed", "closed")):
        Study.objects.filter(pk=study.pk).update(state=state)
        assert api.post("claims").json() == {"assignment": None, "why": why, "resumed": False, "free_by": None}
    Study.objects.filter(pk=study.pk).update(state="open")
    taken = api.post("claims").json()
    while taken["assignment"]:
        now = Assignment.objects.get(public_id=taken["assignment"]["id"])
        taken = api.post(f"assignments/{now.public_id}/submission", {"answers": sent(now), "next": True}).json()["next"]
    assert taken["why"] == "nothing"


def test_consent_is_asked_for_first(page: Page) -> None:
    study = make_study(consent="Do you agree?")
    participation = make_annotator(study, consent=None)
    refused(page(participation).post("claims"), 403, "consent")


@pytest.mark.nightly
def test_the_quality_rule_stops_over_the_api(page: Page) -> None:
    api, assignment = working(page, items=12, gold=4, rule_minimum=1, rule_threshold="0.7")
    [gold] = gold_in(assignment)
    path = f"assignments/{assignment.public_id}"
    told = api.put(f"{path}/answers/{gold.position}", {"value": raw_answer(gold, right=False)}).json()
    assert told["stopped"] is True
    assert api.post("claims").json()["why"] == "stopped"
    late = api.put(f"{path}/answers/{ordinary(assignment)}", {"value": VALUE}).json()
    assert late == {"feedback": [], "stopped": True, "final": False}, "kept, and the page learns of the stop"
    receipt = api.post(f"{path}/submission", {"answers": sent(assignment, but=(gold.position,))}).json()["receipt"]
    assert (receipt["state"], receipt["stopped"], receipt["credited"]) == ("void", True, True)
    assert not assignment.answers.filter(given_at=None).exists()


def test_a_resume_code_replaces_the_one_before(page: Page) -> None:
    api = page(make_annotator(make_study()))
    codes = {api.post("resume-code").json()["code"] for _ in range(2)}
    assert len(codes) == 2
    assert all(len(code.replace("-", "")) == 12 for code in codes)
