"""Tests of the e-mails with which annotators send themselves the link with their resume code."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accord_core.exchange.people import is_email
from annotate.models import Study
from annotate.recruiting.services.join import issue_resume_code
from tests.factories import make_study

pytestmark = pytest.mark.django_db


def send_link(study: Study, email: str) -> int:
    """Let a new annotator send the link to the address, and return the status of the response."""
    client = Client()
    known = set(study.participations.values_list("pk", flat=True))
    client.post(f"/join/{study.join_token}", {})
    code = issue_resume_code(study.participations.exclude(pk__in=known).get().pk).code
    return client.post(f"/s/{study.public_id}/code/mail", {"code": code, "email": email}).status_code


@pytest.mark.nightly
def test_an_address_gets_five_links_a_day_from_all_annotators_together(settings: Any) -> None:
    settings.EMAIL_HOST = "mail.example.org"
    settings.THROTTLE_JOIN = settings.THROTTLE_RESUME = ["100/hour"]
    cache.clear()
    study = make_study()
    addresses = ["ann@example.org", "Ann@Example.org", "ann@example.ORG", *["ann@example.org"] * 3]
    assert [send_link(study, address) for address in addresses] == [200] * 5 + [429]
    assert len(mail.outbox) == 5
    cache.clear()


@pytest.mark.parametrize(
    "address", ["a\0b@example.org", "a@example..org", f"a@{'x' * 70}.org", f"a@{'ä' * 60}.org", "a\ud800@example.org"]
)
def test_addresses_that_no_mail_server_accepts_are_invalid(address: str) -> None:
    assert not is_email(address)
    assert is_email("ann@müller.example")
