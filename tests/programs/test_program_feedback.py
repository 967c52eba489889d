"""Tests that no response to a program depends on whether a question is a gold question."""

from collections import defaultdict
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.core.selectors.own_gold import own_gold_standing
from annotate.core.services.credentials import participation_token
from annotate.models import Answer, Assignment, Participation, Study, User
from annotate.people.selectors.own_data import own_data
from annotate.programs.services.joining import add_program
from tests.api.conftest import Api
from tests.factories import make_study, raw_answer, take

pytestmark = pytest.mark.django_db
SHOWN = ("skipped", "final", "feedback", "draft")


@pytest.fixture
def study(user: User) -> Study:
    return make_study(
        user=user,
        gold=4,
        practice=3,
        gold_block=2,
        questions_per_hit=3,
        rule_minimum=1,
        rule_threshold="0.9",
        skips_allowed=True,
    )


@pytest.fixture
def assignment(study: Study, user: User) -> Assignment:
    return take(add_program(study.pk, platform="system", name="baseline 1.0", user=user))


def test_programs_have_no_practice_questions(assignment: Assignment) -> None:
    assert assignment.kind == Assignment.Kind.PROGRAM
    assert assignment.participation.standing == Participation.Standing.ACTIVE


def test_a_program_that_joined_before_programs_skipped_practice_begins_its_work(study: Study, user: User) -> None:
    participation = add_program(study.pk, platform="system", name="baseline 1.0", user=user)
    Participation.objects.filter(pk=participation.pk).update(standing=Participation.Standing.PRACTISING)
    assert take(participation).kind == Assignment.Kind.PROGRAM


@pytest.mark.nightly
@pytest.mark.parametrize("right", [True, False])
def test_gold_questions_get_the_same_responses_as_other_questions(assignment: Assignment, right: bool) -> None:
    program, path = Api(f"Participation {participation_token(assignment.participation)}"), own_path(assignment)
    answers = list(assignment.answers.select_related("question", "participation__study"))
    before, after = defaultdict(set), defaultdict(set)
    for answer in answers:
        value = raw_answer(answer, right=right)
        with CaptureQueriesContext(connection) as queries:
            first = program.put(f"{path}/answers/{answer.position}", {"value": value, "seconds": 2.0})
        requests = [first, *sent_again(program, answer, value)]
        before[answer.question.kind].add(
            f"{len(queries)} {[texts(one) for one in requests]} {question(program, answer)}"
        )
    receipt = program.post(f"{path}/submission", {"answers": []}).json()["receipt"]
    assert (receipt["state"], receipt["feedback"], receipt["stopped"]) == ("done", [], False)
    for answer in answers:
        requests = sent_again(program, answer, raw_answer(answer, right=right))
        after[answer.question.kind].add(f"{[texts(one) for one in requests]} {question(program, answer)}")
    assert set(before) == {"gold", "regular"}
    for responses in (before, after):
        assert len(responses["regular"]) == 1
        assert responses["gold"] == responses["regular"]


@pytest.mark.parametrize("right", [True, False])
def test_the_own_pages_of_a_program_do_not_mark_gold_questions(assignment: Assignment, right: bool) -> None:
    program = Api(f"Participation {participation_token(assignment.participation)}")
    answers = assignment.answers.select_related("question", "participation__study")
    body = [{"position": one.position, "value": raw_answer(one, right=right)} for one in answers]
    assert program.post(f"{own_path(assignment)}/submission", {"answers": body}).json()["receipt"]["feedback"] == []
    participation = Participation.objects.select_related("study", "annotator").get(pk=assignment.participation_id)
    standing = own_gold_standing(participation)
    assert standing is None or (standing.graded, standing.right, standing.share) == (0, 0, None)
    data = own_data(participation)["assignments"][0]["answers"]
    assert all(one["expected"] is None for one in data)
    assert (participation.graded, participation.tallies, participation.gold_skips) == (0, {}, 0)
    assert not assignment.answers.exclude(tally=None, passed=None, acknowledged_at=None).exists()


def own_path(assignment: Assignment) -> str:
    return f"assignments/{assignment.public_id}"


def sent_again(program: Api, answer: Answer, value: Any) -> list[Any]:
    """Return the responses to further requests about the same question."""
    path = f"{own_path(answer.assignment)}/answers/{answer.position}"
    return [
        program.put(path, {"value": value}),
        program.put(path, {"value": {"best": 3, "worst": 0}}),
        program.put(path, {"skipped": "unclear"}),
        program.put(path, {"value": value}),
        program.post(f"{path}/acknowledgement", {"disputed": True, "note": "wrong"}),
    ]


def texts(response: Any) -> str:
    """Return the status and body of a response without numbers, because messages contain the question's position."""
    body = response.content.decode() if response.content else ""
    return f"{response.status_code} {''.join(letter for letter in body if not letter.isdigit())}"


def question(program: Api, answer: Answer) -> dict[str, Any]:
    body = program.get(own_path(answer.assignment)).json()
    shown = next(one for one in body["questions"] if one["position"] == answer.position)
    return {name: shown[name] for name in SHOWN}
