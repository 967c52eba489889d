"""Tests of the console pages for webhooks."""

import re

import pytest
from django.test import Client

from annotate.server.outgoing import Result
from annotate.webhooks.models import Delivery
from annotate.webhooks.services import deliveries
from annotate.webhooks.services.deliveries import send_deliveries
from tests.factories import make_study

pytestmark = pytest.mark.django_db
URL = "https://example.org/accord"


def text_of(client: Client, path: str) -> str:
    return re.sub(r"\s+", " ", client.get(path).content.decode())


@pytest.mark.nightly
def test_a_webhook_from_its_creation_to_its_deletion(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    study = make_study(items=0, state="draft")
    client.force_login(study.memberships.get().user)
    pages = f"/console/{study.public_id}/webhooks/"
    assert "Add a webhook" in text_of(client, pages)

    refused = client.post(pages, {"url": "http://example.org/", "events": ["study.complete"]})
    assert refused.status_code == 422
    assert "The URL must start with https://" in refused.content.decode()
    added = client.post(pages, {"url": URL, "events": ["study.complete"]})
    webhook = study.webhooks.get()
    page = f"{pages}{webhook.public_id}/"
    [secret] = re.findall(r"whsec_[\w-]+", added.content.decode())
    assert added.status_code == 201
    assert secret not in text_of(client, page)
    assert URL in text_of(client, pages)

    client.post(f"{page}test/")
    monkeypatch.setattr(deliveries, "post", lambda *request: Result(410, "example.org responded with status 410."))
    assert "waiting" in text_of(client, page)
    send_deliveries(webhook.pk)
    assert "example.org responded with status 410." in text_of(client, page)

    client.post(page, {"url": URL, "events": ["hit.submitted", "pilot.complete"]})
    client.post(page, {"active": "false"})
    webhook.refresh_from_db()
    assert (webhook.kinds, webhook.active) == (["hit.submitted", "pilot.complete"], False)
    assert "This webhook is turned off" in text_of(client, page)
    [new] = re.findall(r"whsec_[\w-]+", client.post(f"{page}secret/").content.decode())
    assert new != secret

    assert client.post(f"{page}delete/").status_code == 302
    assert not Delivery.objects.exists()
