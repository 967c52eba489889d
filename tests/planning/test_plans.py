"""Tests of the operations that calculate, return and choose plans."""

from collections.abc import Callable

import pytest

from annotate.core.services import jobs
from annotate.core.services.credentials import new_api_token
from annotate.models import Job, Study, User
from tests.api.conftest import Api, refused
from tests.factories import do_hit, make_annotator, make_study

pytestmark = pytest.mark.django_db

SMALL = {"items": 100, "answers": [2, 3], "studies": 20, "target": None}


@pytest.fixture
def study(user: User) -> Study:
    return make_study(items=8, user=user, state="draft", design=False)


def test_a_plan_is_calculated_by_a_job_and_then_stored(study: Study, owner: Api) -> None:
    path = f"studies/{study.public_id}/plans"
    requested = owner.post(path, SMALL)
    assert requested.status_code == 202
    assert requested.json()["plan"] is None
    jobs.run(Job.objects.get(public_id=requested.json()["job"]["id"]).pk)
    stored = owner.post(path, SMALL)
    assert stored.status_code == 200
    plan = stored.json()["plan"]
    assert plan["number"] == 1
    assert [row["per_question"] for row in plan["result"]["designs"]] == [2, 3]
    assert owner.get(f"{path}/1").json() == plan
    (listed,) = owner.get(path).json()["results"]
    assert listed["parameters"]["design"] == {"size": 4, "factor": study.options["factor"]}
    assert "result" not in listed
    refused(owner.get(f"{path}/2"), 404, "unknown")


def test_a_design_is_chosen(study: Study, owner: Api, member: Callable[[Study, str], Api]) -> None:
    path = f"studies/{study.public_id}/plans"
    jobs.run(Job.objects.get(public_id=owner.post(path, SMALL).json()["job"]["id"]).pk)
    design = {"size": 4, "factor": study.options["factor"]}
    refused(owner.post(f"{path}/1/use", {"per_question": 9, "design": design}), 400, "unknown-design")
    body = {"per_question": 3, "design": design, "change_study": True}
    refused(member(study, "reviewer").post(f"{path}/1/use", body), 404, "not_found")
    assert owner.post(f"{path}/1/use", body).json()["chosen"] == {"per_question": 3, "design": design}
    study.refresh_from_db()
    assert study.judgements == 3


def test_impossible_and_invalid_plans_are_refused(study: Study, owner: Api) -> None:
    path = f"studies/{study.public_id}/plans"
    refused(owner.post(path, {"items": 2}), 409, "impossible-plan")
    refused(owner.post(path, {"price": 1, "budget": 0}), 409, "impossible-plan")
    refused(owner.post(path, {"gold": 2}), 400, "invalid", "gold")
    refused(owner.post(path, {"design": {"size": 9}}), 400, "invalid", "design.size")
    refused(owner.post(path, {"assumptions": {"careless": "few"}}), 400, "invalid", "assumptions.careless")
    layout = make_study(items=0, user=study.memberships.get().user, state="draft", task_type="layout", options={})
    refused(owner.post(f"studies/{layout.public_id}/plans", {}), 400, "no-plans")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"assumptions": {"careless": 10**400}}, "assumptions.careless"),
        ({"design": {"factor": 10**400}}, "design.factor"),
        ({"design": {"size": 4.7}}, "design.size"),
        ({"currency": "<b>"}, "currency"),
    ],
)
def test_numbers_that_no_plan_can_use_are_refused(study: Study, owner: Api, body: dict, field: str) -> None:
    refused(owner.post(f"studies/{study.public_id}/plans", body), 400, "invalid", field)


def test_a_large_budget_for_tiny_payments_is_accepted(study: Study, owner: Api) -> None:
    body = {**SMALL, "price": 1e-300, "budget": 1e12}
    assert owner.post(f"studies/{study.public_id}/plans", body).status_code == 202


def test_a_token_for_one_study_does_not_read_the_answers_of_another_study_as_a_pilot(user: User) -> None:
    study, other = make_study(user=user), make_study(user=user)
    do_hit(make_annotator(other))
    limited = Api(f"Token {new_api_token(user, 'one study', study=study)[1]}")
    whole = Api(f"Token {new_api_token(user, 'all studies')[1]}")
    plan = {"pilot": other.public_id}
    refused(limited.post(f"studies/{study.public_id}/plans", plan), 404, "not_found")
    assert not study.jobs.exists()
    assert whole.post(f"studies/{study.public_id}/plans", plan).status_code != 404
