"""Tests that GET and HEAD requests to the pages of the site and of a study change no table."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.sessions.models import Session
from django.test import Client

from annotate.services.credentials import login_path
from tests.annotate.test_console_access import OF_A_STUDY, path_of
from tests.annotate.test_site_access import Site, outside_studies
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
# A session stores the time of its last request, and django-allauth's pages keep the steps of a sign-in in the session.
# Its pages also add the missing row for the address of an account that a command created.
EXCEPTIONS = [Session, EmailAddress]


def tables() -> dict[str, list[Any]]:
    models = [model for model in apps.get_models() if model not in EXCEPTIONS]
    return {model._meta.label: list(model._default_manager.order_by("pk").values()) for model in models}


def test_pages_outside_studies() -> None:
    site = Site()
    paths = [site.path(route) for name, route in outside_studies().items() if not name.startswith("admin:")]
    paths += [login_path(UserFactory()), f"/join/{site.study.join_token}"]
    before = tables()
    for who, cookies in site.cookies.items():
        client = Client()
        client.cookies.load(cookies)
        for path in paths:
            for method in ("GET", "HEAD"):
                client.generic(method, path)
        assert tables() == before, who


def test_pages_of_a_study() -> None:
    study = Site().study
    client = Client()
    client.force_login(study.memberships.get().user)
    before = tables()
    for path in [path_of(route, study) for route in OF_A_STUDY]:
        for method in ("GET", "HEAD"):
            client.generic(method, path)
    assert tables() == before
