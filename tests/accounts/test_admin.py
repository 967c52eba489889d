"""Tests of the admin site, which is only for staff and read-only if a change would violate the rules of the data."""

from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib import admin
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.core.permissions import SYSTEM
from annotate.core.services import standing
from annotate.core.services.credentials import new_api_token
from annotate.models import (
    Answer,
    ApiToken,
    Assignment,
    Event,
    Hit,
    Membership,
    Participation,
    Question,
    Report,
    Slot,
    Study,
    User,
)
from tests.console_study import collected, report_on, somebody
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db

REGISTERED = [model for model in admin.site._registry if model._meta.app_label == "annotate"]
MAY_CHANGE = {User, Membership}
READ_ONLY = [model for model in REGISTERED if model not in MAY_CHANGE]


@pytest.fixture
def staff() -> Client:
    client = Client()
    user = User.objects.create_superuser(email="staff@example.org", password="x")
    TOTP.activate(user, generate_totp_secret())
    client.force_login(user)
    return client


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(reported)


def reported() -> Study:
    study = collected()
    standing.stop(somebody(study).pk, reason="haste", user=SYSTEM)
    report_on(study)
    return study


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def address(model: type[Model], page: str, *args: object) -> str:
    return reverse(f"admin:annotate_{model._meta.model_name}_{page}", args=args)


@pytest.mark.nightly
def test_researchers_who_are_not_staff_are_kept_out(study: Study) -> None:
    client = Client()
    client.force_login(UserFactory())
    assert client.get(reverse("admin:index")).status_code == 302


@pytest.mark.nightly
def test_every_list_and_every_record_opens(staff: Client, study: Study) -> None:
    for model in REGISTERED:
        assert staff.get(address(model, "changelist")).status_code == 200
        assert staff.get(address(model, "changelist") + "?" + urlencode({"q": "tuple"})).status_code == 200
        record = model.objects.first()
        if record is not None:
            assert staff.get(address(model, "change", record.pk)).status_code == 200, model


@pytest.mark.nightly
def test_records_that_rules_depend_on_are_only_looked_at(staff: Client, study: Study) -> None:
    new_api_token(UserFactory(), "script")
    looked_at = set()
    for model in READ_ONLY:
        assert staff.get(address(model, "add")).status_code == 403
        record = model.objects.first()
        if record is None:
            continue
        looked_at.add(model)
        assert staff.post(address(model, "change", record.pk), {}).status_code == 403
        if model is not ApiToken:
            assert staff.post(address(model, "delete", record.pk), {"post": "yes"}).status_code == 403
            assert model.objects.filter(pk=record.pk).exists()
    assert {Answer, Assignment, Event, Report, Slot, Hit, Participation, Question, Study} <= looked_at


@pytest.mark.nightly
def test_lists_do_not_query_row_by_row(staff: Client, study: Study) -> None:
    before = queries_of_lists(staff)
    other = collected(items=16)
    standing.stop(somebody(other).pk, reason="haste", user=SYSTEM)
    report_on(other)
    after = queries_of_lists(staff)
    # At most one more query: the row of dates, if there is more than one date.
    assert {model: count for model, count in after.items() if count > before[model] + 1} == {}
    assert max(before.values()) <= 12


def queries_of_lists(staff: Client) -> dict[type[Model], int]:
    counts = {}
    for model in READ_ONLY:
        with CaptureQueriesContext(connection) as queries:
            staff.get(address(model, "changelist"))
        counts[model] = len(queries)
    return counts


def test_secrets_and_contacts_are_shown_to_nobody(staff: Client, study: Study) -> None:
    who = somebody(study)
    who.annotator.contact, who.annotator.external_id = "person@example.org", "worker-4711"
    who.annotator.save()
    for record in (who, who.annotator):
        page = staff.get(address(type(record), "change", record.pk)).content.decode()
        assert "person@example.org" not in page
        assert "worker-4711" not in page
        assert "resume" not in page.lower()


def test_a_lost_token_can_be_revoked(staff: Client) -> None:
    token, _ = new_api_token(UserFactory(), "script")
    staff.post(address(ApiToken, "delete", token.pk), {"post": "yes"})
    assert not ApiToken.objects.exists()
