"""Tests of webhooks: settings in the API, events, deliveries with retries, and signatures."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection

from annotate.accounts.services import encrypt_anew
from annotate.backups.scope import never_in_study, of_study
from annotate.celery import app
from annotate.core.permissions import SYSTEM
from annotate.core.services.standing import stop
from annotate.core.services.submit import submit
from annotate.models import Study, User
from annotate.questions.services.more_judgements import add_slots
from annotate.server import clock, encryption
from annotate.server.outgoing import Result, signature
from annotate.studies.services.settings import change_settings
from annotate.webhooks.models import Delivery, Webhook
from annotate.webhooks.services import deliveries
from annotate.webhooks.services.deliveries import announce_completion, send_deliveries, webhooks_with_due_deliveries
from annotate.webhooks.services.webhooks import MOST, add_webhook, change_webhook, delete_webhook, send_test
from annotate.webhooks.tasks import announce_and_deliver
from tests.api.conftest import Api, refused
from tests.api.test_conditional import check_versions
from tests.factories import answers_to, do_hit, make_annotator, make_study, take

pytestmark = pytest.mark.django_db
URL = "https://example.org/accord"
ALL = Webhook.Kind.values


def made(study: Study, *, kinds: list[str] = ALL, url: str = URL) -> Webhook:
    return add_webhook(study.pk, url=url, kinds=kinds, user=SYSTEM)[0]


def kinds_of(webhook: Webhook) -> list[str]:
    return list(webhook.deliveries.order_by("pk").values_list("kind", flat=True))


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Record the requests instead of sending them. `results` are the results of the next requests, by default 204."""

    class Requests(list[tuple[str, bytes, dict[str, str]]]):
        results: list[Result] = []  # noqa: RUF012 - a new class for each test

        def post(self, url: str, body: bytes, headers: dict[str, str]) -> Result:
            self.append((url, body, headers))
            return self.results.pop(0) if self.results else Result(204)

    sent = Requests()
    monkeypatch.setattr(deliveries, "post", sent.post)
    return sent


@pytest.mark.nightly
def test_webhooks_are_added_changed_and_deleted(user: User, owner: Api) -> None:
    study = make_study(user=user, items=0, state="draft")
    path = f"studies/{study.public_id}/webhooks"
    added = owner.post(path, {"url": URL, "events": ["study.complete", "hit.submitted"]})
    assert added.status_code == 201
    webhook, secret = added.json()["webhook"], added.json()["secret"]
    assert (webhook["url"], webhook["active"]) == (URL, True)
    one = f"{path}/{webhook['id']}"
    assert owner.get(path).json() == [webhook]
    assert owner.get(one).json() == webhook
    assert secret not in str(owner.get(one).json())
    changed = owner.patch(one, {"events": ["hit.submitted"], "active": False}).json()
    assert changed == {**webhook, "events": ["hit.submitted"], "active": False}
    refused(owner.post(f"{one}/test"), 409, "inactive")
    owner.patch(one, {"active": True})
    assert owner.post(f"{one}/secret").json()["secret"] != secret
    test = owner.post(f"{one}/test").json()
    assert (test["event"], test["state"], test["attempts"]) == ("test", "waiting", 0)
    assert owner.get(f"{path}/deliveries").json()["results"] == [test]
    assert owner.ask("DELETE", one).status_code == 204
    refused(owner.get(one), 404, "unknown")
    assert not Delivery.objects.exists()
    assert "/accord" not in str(list(study.events.values_list("detail", flat=True))), "a path can contain a secret"


@pytest.mark.parametrize(
    "url",
    [
        *("http://example.org/", "ftp://example.org/", "example.org", "https://", "https:///path", "//example.org/"),
        *("https://user@example.org/", "https://u:p@example.org/", "https://example.org:22/", "https://example.org:x/"),
        *("https://127.0.0.1/", "https://[::1]/", "https://[::ffff:10.0.0.1]/", "https://169.254.169.254/"),
        *("https://example.org/a b", "https://exämple.org/", "https://example.org/\r\nHost: x", "https://[::1/"),
        "https://example.org/" + "a" * 500,
    ],
)
def test_urls_that_are_not_allowed(user: User, owner: Api, url: str) -> None:
    study = make_study(user=user, items=0, state="draft")
    refused(
        owner.post(f"studies/{study.public_id}/webhooks", {"url": url, "events": ["study.complete"]}),
        400,
        "invalid",
        "url",
    )


def test_a_study_has_a_limited_number_of_webhooks(user: User, owner: Api) -> None:
    study = make_study(user=user, items=0, state="draft")
    for _ in range(MOST):
        made(study)
    body = {"url": URL, "events": ["study.complete"]}
    refused(owner.post(f"studies/{study.public_id}/webhooks", body), 409, "too-many")


@pytest.mark.nightly
def test_each_event_is_announced_to_the_webhooks_that_receive_it() -> None:
    study = make_study(pilot_hits=1)
    change_settings(study.pk, user=SYSTEM, piloting=True)
    webhook, other = made(study), made(study, kinds=["annotator.stopped"])
    off = made(study)
    change_webhook(off.pk, active=False, user=SYSTEM)
    first, second = make_annotator(Study.objects.get(pk=study.pk)), make_annotator(study)
    assignment = take(first)
    announce_completion()
    assert kinds_of(webhook) == []
    do_hit(first)
    announce_completion()
    announce_completion()
    assert kinds_of(webhook) == ["hit.submitted", "pilot.complete"]
    assert webhook.deliveries.first().data == {
        "assignment": assignment.public_id,
        "hit": 1,
        "annotator": first.pseudonym,
        "state": "done",
    }
    change_settings(study.pk, user=SYSTEM, piloting=False)
    for _ in range(study.hits.count() - 1):
        do_hit(first)
    announce_completion()
    stop(second.pk, reason="haste", user=SYSTEM)
    assert kinds_of(webhook)[-2:] == ["study.complete", "annotator.stopped"]
    assert kinds_of(other) == ["annotator.stopped"]
    assert other.deliveries.get().data == {"annotator": second.pseudonym, "cause": "decision", "reason": "haste"}
    assert kinds_of(off) == []
    add_slots(study.pk, user=SYSTEM)
    announce_completion()
    third = make_annotator(study)
    for _ in range(study.hits.count()):
        do_hit(third)
    announce_completion()
    assert kinds_of(webhook).count("study.complete") == 2


def test_a_submission_is_stored_if_a_webhook_is_deleted_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    study = make_study()
    webhook = made(study)
    annotator = make_annotator(Study.objects.get(pk=study.pk))
    assignment = take(annotator)

    class Deleting:
        """A clock that deletes the webhook after the submission has read the webhooks."""

        def now(self) -> Any:
            delete_webhook(webhook.pk, user=SYSTEM)
            return clock.now()

    monkeypatch.setattr(deliveries, "clock", Deleting())
    submit(annotator.pk, assignment.public_id, answers_to(assignment))
    monkeypatch.undo()
    connection.check_constraints()  # as at the end of the transaction
    assignment.refresh_from_db()
    assert assignment.state == "done"
    assert webhooks_with_due_deliveries() == [], "nothing is sent to a deleted webhook"


def test_completion_before_the_webhook_is_not_announced() -> None:
    study = make_study()
    annotator = make_annotator(study)
    for _ in range(study.hits.count()):
        do_hit(annotator)
    webhook = made(study)
    announce_completion()
    assert kinds_of(webhook) == []


def test_a_delivery_is_signed_and_marked(requests: Any) -> None:
    study = make_study(items=0, state="draft")
    webhook, secret = add_webhook(study.pk, url=URL, kinds=["study.complete"], user=SYSTEM)
    delivery = send_test(webhook.pk, user=SYSTEM)
    assert webhooks_with_due_deliveries() == [webhook.pk]
    assert send_deliveries(webhook.pk) == 1
    [(url, body, headers)] = requests
    assert url == URL
    sent = json.loads(body)
    assert (sent["id"], sent["event"], sent["study"], sent["data"]) == (
        delivery.public_id,
        "test",
        study.public_id,
        {},
    )
    timestamp = int(headers["Accord-Signature"].split(",")[0].removeprefix("t="))
    assert headers["Accord-Signature"] == signature(secret, timestamp, body)
    assert abs(timestamp - clock.now().timestamp()) < 60
    assert (headers["Accord-Event"], headers["Accord-Delivery"]) == ("test", delivery.public_id)
    delivery.refresh_from_db()
    assert (delivery.state, delivery.attempts, delivery.status, delivery.error) == ("delivered", 1, 204, "")
    assert webhooks_with_due_deliveries() == []


def test_failed_deliveries_are_repeated_with_growing_delays(requests: Any) -> None:
    webhook = made(make_study(items=0, state="draft"))
    delivery = Delivery.objects.create(webhook=webhook, kind="hit.submitted", next_at=clock.now())
    gaps = []
    for _ in range(8):
        requests.results = [Result(500, "example.org responded with status 500.")]
        assert send_deliveries(webhook.pk) == 0
        delivery.refresh_from_db()
        gaps.append(round((delivery.next_at - clock.now()).total_seconds()))
        assert send_deliveries(webhook.pk) == 0, "the next attempt waits"
        Delivery.objects.filter(pk=delivery.pk).update(next_at=clock.now() - timedelta(seconds=1))
    assert gaps[:7] == [60, 300, 1_800, 7_200, 21_600, 43_200, 86_400]
    assert (delivery.state, delivery.attempts, delivery.status) == ("failed", 8, 500)
    assert len(requests) == 8
    assert delivery.error == "example.org responded with status 500."


def test_a_failure_makes_the_other_deliveries_of_the_webhook_wait(requests: Any) -> None:
    study = make_study(items=0, state="draft")
    slow, fast = made(study), made(study)
    for webhook in (slow, slow, slow, fast):
        Delivery.objects.create(webhook=webhook, kind="hit.submitted", next_at=clock.now())
    requests.results = [Result(None, "example.org did not respond within 10 seconds.")]
    assert send_deliveries(slow.pk) == 0
    assert len(requests) == 1
    assert webhooks_with_due_deliveries() == [fast.pk]
    assert send_deliveries(fast.pk) == 1
    slow.deliveries.update(next_at=clock.now())
    assert send_deliveries(slow.pk) == 3


def test_only_one_worker_at_a_time_sends_the_deliveries_of_a_webhook(requests: Any) -> None:
    webhook = made(make_study(items=0, state="draft"))
    send_test(webhook.pk, user=SYSTEM)
    Webhook.objects.filter(pk=webhook.pk).update(sending_until=clock.now() + timedelta(seconds=30))
    assert send_deliveries(webhook.pk) == 0
    Webhook.objects.filter(pk=webhook.pk).update(sending_until=clock.now() - timedelta(seconds=1))
    assert send_deliveries(webhook.pk) == 1, "a worker that has ended no longer counts"


def test_a_webhook_that_is_deleted_during_a_delivery_leaves_nothing(
    requests: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhook = made(make_study(items=0, state="draft"))
    send_test(webhook.pk, user=SYSTEM)

    def post(*request: Any) -> Result:
        delete_webhook(webhook.pk, user=SYSTEM)
        return Result(204)

    monkeypatch.setattr(deliveries, "post", post)
    assert send_deliveries(webhook.pk) == 1
    assert not Delivery.objects.exists()


def test_a_secret_without_its_key_is_reported(requests: Any) -> None:
    webhook = made(make_study(items=0, state="draft"))
    Webhook.objects.update(secret="encrypted elsewhere")
    delivery = send_test(webhook.pk, user=SYSTEM)
    assert send_deliveries(webhook.pk) == 0
    delivery.refresh_from_db()
    assert "Replace the secret" in delivery.error
    assert not requests


def test_old_deliveries_are_deleted() -> None:
    webhook = made(make_study(items=0, state="draft"))
    old, recent = (send_test(webhook.pk, user=SYSTEM) for _ in range(2))
    Delivery.objects.filter(pk=old.pk).update(created_at=clock.now() - timedelta(days=31))
    assert deliveries.delete_old_deliveries() == 1
    assert webhook.deliveries.get() == recent


def test_slow_receivers_keep_jobs_waiting_for_one_request_only_and_come_last(
    requests: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make_study(items=0, state="draft")
    hanging = [made(study, url=f"{URL}/hangs") for _ in range(3)]
    fine = made(study)
    for webhook in (*hanging, fine):
        for _ in range(2):
            Delivery.objects.create(webhook=webhook, kind="hit.submitted", next_at=clock.now())
    now = [0.0]
    monkeypatch.setattr(deliveries, "time", SimpleNamespace(monotonic=lambda: now[0]))

    def post(url: str, *request: Any) -> Result:
        requests.append(url)
        if url == URL:
            return Result(204)
        now[0] += 10
        return Result(None, "example.org did not respond within 10 seconds.")

    monkeypatch.setattr(deliveries, "post", post)
    for _ in range(4):
        announce_and_deliver()
        assert requests.count(f"{URL}/hangs") <= 1, "a run ends after a slow request"
        requests.clear()
    assert not webhooks_with_due_deliveries()
    assert kinds_of(fine) == ["hit.submitted"] * 2
    Delivery.objects.create(webhook=fine, kind="hit.submitted", next_at=clock.now())
    Delivery.objects.filter(webhook__in=hanging).update(next_at=clock.now() - timedelta(hours=1))
    Webhook.objects.filter(pk=hanging[0].pk).update(sending_until=clock.now() + timedelta(seconds=30))
    announce_and_deliver()
    assert requests == [], "only one worker sends deliveries at a time"
    Webhook.objects.update(sending_until=None)
    announce_and_deliver()
    assert requests == [URL, f"{URL}/hangs"], "webhooks whose deliveries failed come last"


def test_viewers_and_reviewers_see_no_webhooks(member: Callable[[Study, str], Api]) -> None:
    study = make_study(items=0, state="draft")
    made(study)
    for role in ("viewer", "reviewer"):
        refused(member(study, role).get(f"studies/{study.public_id}/webhooks"), 404, "not_found")


def test_the_secrets_of_webhooks_rotate_too(settings: Any) -> None:
    settings.ENCRYPTION_KEYS = ["the old key"]
    study = make_study(items=0, state="draft")
    webhook, secret = add_webhook(study.pk, url="https://example.org/", kinds=["study.complete"], user=SYSTEM)
    assert secret not in webhook.secret
    settings.ENCRYPTION_KEYS = ["the new key", "the old key"]
    assert encrypt_anew() == 1
    settings.ENCRYPTION_KEYS = ["the new key"]
    webhook.refresh_from_db()
    assert encryption.decrypt(webhook.secret) == secret


def test_a_change_needs_the_version_that_was_read(user: User, owner: Api) -> None:
    study = make_study(user=user, items=0, state="draft")
    url = f"studies/{study.public_id}/webhooks/{made(study).public_id}"
    check_versions(owner, url, {"active": False}, {"active": True})


def test_the_tasks_are_scheduled() -> None:
    schedule = {entry["task"]: entry["schedule"] for entry in app.conf.beat_schedule.values()}
    assert schedule["annotate.webhooks.tasks.announce_and_deliver"] == 5
    assert schedule["annotate.webhooks.tasks.delete_old_deliveries"] == 3600


def test_a_draft_is_deleted_with_its_webhooks(user: User, owner: Api) -> None:
    study = make_study(user=user, items=0, state="draft")
    made(study)
    assert owner.delete(f"studies/{study.public_id}").status_code == 204
    assert not Webhook.objects.exists()


def test_a_backup_of_one_study_contains_no_webhooks(user: User) -> None:
    study = make_study(user=user, items=0, state="draft")
    made(study)
    assert not {Webhook, Delivery} & {part.model for part in of_study(study)}
    assert {"webhooks.webhook", "webhooks.delivery"} <= never_in_study()
