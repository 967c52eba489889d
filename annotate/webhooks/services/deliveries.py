"""Services that create and send webhook deliveries.

A delivery is a row that is written together with the event, so an event is delivered even if a worker or the queue is
unavailable at that moment. A periodic task sends the pending deliveries.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db.models import Max, Min, Q

from annotate.core.services.writing import write
from annotate.models import Study
from annotate.server import clock, encryption
from annotate.server.outgoing import Result, post, signature
from annotate.webhooks.models import Delivery, Webhook
from annotate.webhooks.selectors import completion_events

# The waiting times after failed attempts, which add up to two days.
DELAYS = [timedelta(seconds=s) for s in (60, 300, 1_800, 7_200, 21_600, 43_200, 86_400)]
# After a failure, all deliveries to the webhook are paused for this time.
PAUSE = timedelta(seconds=60)
LEASE = timedelta(seconds=90)  # in which one worker sends the deliveries of a webhook
RUN_SECONDS = 10.0  # after which a run starts no further request, so that jobs wait for one slow receiver at most
KEPT = timedelta(days=30)


def announce(study: Study, kind: str, data: Callable[[], Mapping[str, Any]]) -> None:
    """Create a delivery of this event for each webhook that subscribes to such events. The caller must be in the same
    transaction as the event. The event succeeds even if a webhook is deleted at the same time.
    """
    webhooks = [webhook for webhook in study.webhooks.filter(active=True) if kind in webhook.kinds]
    if not webhooks:
        return
    facts, now = dict(data()), clock.now()
    Delivery.objects.bulk_create(Delivery(webhook=webhook, kind=kind, data=facts, next_at=now) for webhook in webhooks)


def announce_completion() -> None:
    """Create webhook events for completed pilots and studies.

    A periodic task compares the figures, because two simultaneous submissions cannot see that together they complete a
    study. If judgements are added to a complete study, its next completion is announced as well.
    """
    studies = Study.objects.filter(pk__in=Webhook.objects.filter(active=True).values("study"))
    for study in studies.exclude(state__in=[Study.State.DRAFT, Study.State.ARCHIVED]).order_by("pk"):
        events = completion_events(study)
        for webhook in study.webhooks.filter(active=True).order_by("pk"):
            if webhook.reached != events:
                _announce_completion_to(webhook.pk, events)


def _announce_completion_to(webhook_id: int, events: list[str]) -> None:
    with write():
        webhook = Webhook.objects.select_for_update().filter(pk=webhook_id).first()
        if webhook is None:
            return  # the webhook was deleted in the meantime
        new = [kind for kind in events if kind not in webhook.reached and kind in webhook.kinds]
        Delivery.objects.bulk_create(Delivery(webhook=webhook, kind=kind, next_at=clock.now()) for kind in new)
        webhook.reached = events
        webhook.save(update_fields=["reached"])


def send_due_deliveries() -> int:
    """Send the due deliveries of all webhooks for a short time, and return the number of successful deliveries. Only
    one worker sends deliveries at a time, so that slow receivers do not occupy all workers.
    """
    if Webhook.objects.filter(sending_until__gt=clock.now()).exists():
        return 0
    end, sent = time.monotonic() + RUN_SECONDS, 0
    for webhook_id in webhooks_with_due_deliveries():
        if time.monotonic() >= end:
            break  # the rest is sent by the next run
        sent += send_deliveries(webhook_id, end)
    return sent


def webhooks_with_due_deliveries() -> list[int]:
    """Return the primary keys of webhooks that have due deliveries. Webhooks whose deliveries failed come last."""
    webhooks = _due().order_by().values("webhook").annotate(tried=Max("attempts"), since=Min("next_at"))
    return list(webhooks.order_by("tried", "since", "webhook").values_list("webhook", flat=True))


def send_deliveries(webhook_id: int, end: float = math.inf) -> int:
    """Send a webhook's due deliveries, oldest first, until one fails or the time of `time.monotonic` is `end`. Return
    the number of successful deliveries.
    """
    now = clock.now()
    free = Webhook.objects.filter(Q(sending_until=None) | Q(sending_until__lt=now), pk=webhook_id)
    if not free.update(sending_until=now + LEASE):
        return 0  # another worker is sending the deliveries of this webhook
    try:
        return _send_all(webhook_id, end)
    finally:
        Webhook.objects.filter(pk=webhook_id).update(sending_until=None)


def delete_old_deliveries() -> int:
    """Delete deliveries after 30 days, because they contain pseudonyms. Returns their number."""
    return Delivery.objects.filter(created_at__lt=clock.now() - KEPT).delete()[0]


def _due() -> Any:
    waiting = Delivery.objects.filter(state=Delivery.State.WAITING, webhook__active=True)
    return waiting.filter(next_at__lte=clock.now())


def _send_all(webhook_id: int, end: float) -> int:
    sent = 0
    while time.monotonic() < end:
        delivery = _due().filter(webhook=webhook_id).select_related("webhook__study").order_by("next_at", "pk").first()
        if delivery is None:
            break
        result = _send(delivery)
        _store(delivery, result)
        if not result.delivered:
            _pause(delivery.webhook)
            break
        sent += 1
    return sent


def _send(delivery: Delivery) -> Result:
    webhook, now = delivery.webhook, clock.now()
    try:
        secret = encryption.decrypt(webhook.secret)
    except ImproperlyConfigured:  # for example after a restore without the old keys
        return Result(None, "Accord cannot decrypt the secret of this webhook. Replace the secret.")
    body = json.dumps(
        {
            "id": delivery.public_id,
            "event": delivery.kind,
            "study": webhook.study.public_id,
            "at": _iso(delivery.created_at),
            "data": delivery.data,
        },
        ensure_ascii=False,
    ).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Accord-Webhooks/1",
        "Accord-Event": delivery.kind,
        "Accord-Delivery": delivery.public_id,
        "Accord-Signature": signature(secret, int(now.timestamp()), body),
        "Connection": "close",
    }
    return post(webhook.url, body, headers)


def _store(delivery: Delivery, result: Result) -> None:
    """Store the result of an attempt and, after a failure, the time of the next attempt."""
    now, attempts = clock.now(), delivery.attempts + 1
    change: dict[str, Any] = {"attempts": attempts, "status": result.status, "error": result.error}
    if result.delivered:
        change |= {"state": Delivery.State.DELIVERED, "delivered_at": now}
    elif delivery.kind == Delivery.TEST or attempts > len(DELAYS):
        change["state"] = Delivery.State.FAILED
    else:
        change["next_at"] = now + DELAYS[attempts - 1]
    Delivery.objects.filter(pk=delivery.pk).update(**change)  # the webhook may have been deleted in the meantime


def _pause(webhook: Webhook) -> None:
    later = clock.now() + PAUSE
    waiting = webhook.deliveries.filter(state=Delivery.State.WAITING, next_at__lt=later)
    waiting.exclude(kind=Delivery.TEST).update(next_at=later)


def _iso(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
