"""Tests of the operations for gold candidates and for the exclusion of gold questions."""

from collections.abc import Callable

import pytest

from annotate.models import IdempotencyKey, Study, User
from tests.api.conftest import Api, refused
from tests.factories import do_hit, make_annotator, make_study

pytestmark = pytest.mark.django_db
VALUE = {"best": 1, "worst": 2}


@pytest.mark.nightly
def test_candidates_are_drawn_answered_and_promoted(
    owner: Api, user: User, member: Callable[[Study, str], Api]
) -> None:
    study = make_study(user=user)
    reviewer, path = member(study, "reviewer"), f"studies/{study.public_id}/gold-candidates"
    assert owner.post(path, {"count": 2}).json() == {"drawn": 2}
    first, second = owner.get(path).json()["results"]
    answered = owner.put(f"{path}/{first['id']}/answer", {"value": VALUE, "explanation": "Both are about ferries."})
    assert (answered.json()["authors"], answered.json()["others"]) == (1, [])
    assert answered.json()["own_explanation"] == "Both are about ferries."
    [hidden, _] = reviewer.get(path).json()["results"]
    assert (hidden["authors"], hidden["others"], hidden["agreed"]) == (1, [], False)
    revealed = reviewer.put(f"{path}/{first['id']}/answer", {"value": VALUE}).json()
    assert revealed["agreed"]
    assert [other["user"] for other in revealed["others"]] == [str(user)]
    owner.put(f"{path}/{second['id']}/answer", {"value": VALUE})
    assert owner.post(f"{path}/promotion", {"authors": 2}).json() == {"promoted": 1}
    assert [row["ref"] for row in owner.get(path).json()["results"]] == [second["ref"]]
    refused(owner.put(f"{path}/{second['id']}/answer", {"value": {"best": 1, "worst": 1}}), 400, "invalid", "worst")
    refused(owner.put(f"{path}/{first['id']}/answer", {"value": VALUE}), 409, "kind")


def test_an_excluded_gold_question_no_longer_counts(owner: Api, user: User) -> None:
    study = make_study(user=user, gold=3, rule_minimum=1, rule_threshold="1")
    stopped = make_annotator(study)
    do_hit(stopped, right=False)
    path = f"studies/{study.public_id}/gold"
    asked = [row for row in owner.get(path).json()["results"] if row["answered"]]
    for row in asked:
        excluded = owner.post(f"{path}/{row['id']}/exclude", {"reason": "The expected answer is wrong."})
    assert excluded.json() == {"annotators_to_review": 1}
    assert {row["id"] for row in owner.get(path).json()["results"]}.isdisjoint(row["id"] for row in asked)
    refused(owner.post(f"{path}/unknown/exclude", {"reason": "why"}), 404, "unknown")


def test_the_version_protects_a_changed_expected_answer_from_repeated_requests(owner: Api, user: User) -> None:
    study = make_study(user=user, gold=1)
    [row] = owner.get(f"studies/{study.public_id}/gold").json()["results"]
    path = f"studies/{study.public_id}/gold/{row['id']}/expected-answer"
    change = {"value": VALUE, "reason": "The items were swapped.", "version": 1}
    assert owner.post(path, change, Idempotency_Key="once").json()["version"] == 2
    # A stored response would need one transaction around the change, which consists of several transactions.
    refused(owner.post(path, change, Idempotency_Key="once"), 409, "changed")
    assert not IdempotencyKey.objects.exists()
