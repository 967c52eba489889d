"""Pay over the API: balances, payments, bonuses, corrections and spending, with the permissions of the console."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from annotate.core.permissions import SYSTEM
from annotate.models import Annotator, Participation, Study, User
from annotate.studies.services.settings import change_settings
from tests.api.conftest import Api, refused
from tests.factories import do_hit, make_annotator, make_study, member_of, take

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_people(share: Callable[..., list[Participation]]) -> list[Participation]:
    return share(make_people)


@pytest.fixture
def people(shared_people: list[Participation], db: None) -> list[Participation]:
    """Return three annotators, of whom the first two have submitted a HIT each and the first has a platform ID."""
    return [Participation.objects.get(pk=ann.pk) for ann in shared_people]


@pytest.fixture
def study(shared_people: list[Participation], db: None) -> Study:
    return Study.objects.get(pk=shared_people[0].study_id)


@pytest.fixture
def user(study: Study) -> User:
    return study.memberships.get().user


def make_people() -> list[Participation]:
    study = make_study(items=20, planned_hourly_wage="12.00", budget_cap="20.00")
    annotators = [make_annotator(study) for _ in range(3)]
    Annotator.objects.filter(pk=annotators[0].annotator_id).update(external_id="5f3a8e91")
    for ann in annotators[:2]:
        do_hit(ann)
    return annotators


def payment(*annotators: Participation, **sent: Any) -> dict[str, Any]:
    parts = [{"annotator": ann.pseudonym, "amount": "0.50", "paid": "0"} for ann in annotators]
    return {"reference": "Transfer 1", "paid_on": "2026-11-20", "annotators": parts} | sent


@pytest.mark.nightly
def test_everybody_is_paid_through_the_api(owner: Api, study: Study, people: list[Participation]) -> None:
    path = f"studies/{study.public_id}"
    rows = {row["annotator"]: row for row in owner.get(f"{path}/pay").json()["results"]}
    first = rows[people[0].pseudonym]
    amounts = {name: first[name] for name in ("credited", "bonus", "paid", "owed", "currency")}
    assert amounts == {"credited": "0.5000", "bonus": "0.0000", "paid": "0.0000", "owed": "0.5000", "currency": "USD"}
    assert (first["state"], first["hits"], first["platform_id"]) == ("owed", 1, "5f3a8e91")
    assert rows[people[2].pseudonym]["state"] == "nothing"

    sent = payment(*people[:2])
    response = owner.post(f"{path}/payments", sent, Idempotency_Key="november")
    again = owner.post(f"{path}/payments", sent, Idempotency_Key="november")
    assert response.status_code == again.status_code == 201
    assert response.json() == again.json()
    assert (response.json()["number"], response.json()["amount"]) == (1, "1.0000")
    refused(owner.post(f"{path}/payments", sent), 409, "changed", *(ann.pseudonym for ann in people[:2]))
    assert {row["annotator"] for row in owner.get(f"{path}/pay?show=paid").json()["results"]} == {
        ann.pseudonym for ann in people[:2]
    }
    assert owner.get(f"{path}/payments").json()["results"][0]["annotators"] == 2
    assert owner.get(f"{path}/pay?search=8e91").json()["count"] == 1

    entry = owner.get(f"{path}/payments/1").json()["entries"][0]
    corrected = owner.post(
        f"{path}/pay-entries/{entry['id']}/correction", {"amount": "0.40", "reason": "Bank fee."}
    ).json()
    assert (corrected["amount"], corrected["recorded_amount"]) == ("0.4000", "0.5000")
    assert corrected["corrections"][0]["amount"] == "-0.1000"
    undone = owner.post(f"{path}/payments/1/undo", {"reason": "The transfer failed."}).json()
    assert (undone["amount"], {each["amount"] for each in undone["entries"]}) == ("0.0000", {"0.0000"})
    verbs = [event["verb"] for event in owner.get(f"{path}/events").json()["results"]]
    assert verbs[:3] == ["corrected payment", "corrected payment", "recorded payment"]
    refused(owner.get(f"{path}/payments/2"), 404, "unknown")
    refused(owner.post(f"{path}/payments/2/undo", {"reason": "x"}), 404, "unknown")


def test_bonuses_and_spending_under_the_cap(owner: Api, study: Study, people: list[Participation]) -> None:
    path, name = f"studies/{study.public_id}", people[0].pseudonym
    take(people[2])
    given = owner.post(f"{path}/bonuses", {"annotator": name, "amount": "2.00", "reason": "Careful notes."})
    assert given.status_code == 201
    assert owner.get(f"{path}/bonuses").json()["results"] == [given.json()]
    spend = owner.get(f"{path}/spend").json()
    figures = {name: spend[name] for name in ("credited", "bonuses", "open_hits", "committed", "budget_cap", "left")}
    assert figures == {
        "credited": "1.0000",
        "bonuses": "2.0000",
        "open_hits": "0.5000",
        "committed": "3.5000",
        "budget_cap": "20.0000",
        "left": "16.5000",
    }
    assert (spend["planned_hourly_wage"], spend["actual_hourly_wage"]) == ("12.0000", None)
    refused(
        owner.post(f"{path}/bonuses", {"annotator": name, "amount": "16.51", "reason": "x"}), 409, "budget", "amount"
    )
    refused(
        owner.post(f"{path}/bonuses", {"annotator": name, "amount": "0.005", "reason": "x"}), 400, "invalid", "amount"
    )
    refused(
        owner.post(f"{path}/bonuses", {"annotator": "nobody", "amount": "1", "reason": "x"}),
        404,
        "unknown",
        "annotator",
    )


@pytest.mark.nightly
def test_the_actual_hourly_wage_is_the_reward_at_the_median_time(owner: Api, user: User) -> None:
    study = make_study(items=20, user=user, planned_hourly_wage="12.00", budget_cap="20.00")
    ann = make_annotator(study)
    for _ in range(5):
        do_hit(ann)  # five answers of 2.5 seconds each
    spend = owner.get(f"studies/{study.public_id}/spend").json()
    assert (spend["median_seconds"], spend["actual_hourly_wage"]) == (12.5, "144.0000")
    change_settings(study.pk, reward=Decimal("0.25"), user=SYSTEM)
    assert owner.get(f"studies/{study.public_id}/spend").json()["actual_hourly_wage"] == "72.0000"


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"reference": ""}, "reference"),
        ({"paid_on": "20 Nov"}, "paid_on"),
        ({"paid_on": "2999-01-01"}, "paid_on"),
        ({"annotators": []}, "annotators"),
        ({"annotators": [{"annotator": "a", "amount": "1e99", "paid": "0"}]}, "annotators.0.amount"),
        ({"annotators": [{"annotator": "a", "amount": "0", "paid": "0"}]}, "amount"),
    ],
)
def test_impossible_payments_are_refused_with_the_field(
    owner: Api, study: Study, people: list[Participation], sent: dict[str, Any], field: str
) -> None:
    refused(owner.post(f"studies/{study.public_id}/payments", payment(people[0], **sent)), 400, "invalid", field)


@pytest.mark.nightly
def test_platform_ids_follow_the_table_of_permissions(
    script: Callable[[User], Api], study: Study, people: list[Participation]
) -> None:
    path = f"studies/{study.public_id}"
    for role, sees in (("manager", True), ("reviewer", False), ("viewer", False)):
        api = script(member_of(study, role))
        rows = {row["annotator"]: row["platform_id"] for row in api.get(f"{path}/pay").json()["results"]}
        assert rows[people[0].pseudonym] == ("5f3a8e91" if sees else None)
        assert api.get(f"{path}/pay?search=8e91").json()["count"] == int(sees)
        file = b"".join(api.get(f"{path}/pay.csv")).decode()
        assert ("5f3a8e91" in file) == sees
        assert api.get(f"{path}/payments.csv").status_code == api.get(f"{path}/payments.xlsx").status_code == 200
    refused(script(member_of(study, "viewer")).get(f"{path}/pay?show=rich"), 400, "invalid", "show")
