"""Tests that GET and HEAD requests to the pages of the site and of a study, and to the API, change no table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.sessions.models import Session
from django.test import Client

from annotate.models import User
from annotate.services.credentials import login_path, new_api_token
from annotate.services.questionnaires import add_question
from evaluation.services.splits import SplitChoice, choose_split
from evaluation.services.systems import publish_table
from tests.annotate.test_nested_ids import CHOICES, ROUTES, Route, Two, Visitor
from tests.annotate.test_site_access import Site, outside_studies
from tests.factories import UserFactory, member_of
from tests.nested_objects import Objects

pytestmark = pytest.mark.django_db
# What these URLs name besides the objects in tests/nested_objects.py.
PAGE_CHOICES = {
    "host-file": {"filename": "decisions.csv"},
    "submissions-file": {"filename": "prolific-submissions.csv"},
    "download": {"filename": "scores.csv"},
    "export": {"filename": "scores.csv"},
}
QUERIES = {
    "new-person-question": {"console": "?kind=number"},
    "compare-systems": {"console": "?one={system}&other={system}", "api": "?first={system}&second={system}"},
}
# Pages that the owner of this study cannot open yet, with their status. The rest of the request is the same.
NOT_YET = {
    ("api", "unopened"): 409,  # no setting has changed since the questions were built
    ("api", "extension"): 409,  # all items are in the design
    ("console", "submissions-preview"): 302,  # the import was confirmed
    ("console", "result-file"): 400,  # the stored file is empty
    ("console", "compare-systems"): 422,  # there is no second system
    ("api", "compare-systems"): 400,
}


def tables() -> dict[str, list[Any]]:
    """Return every row of every table except sessions. A session stores the time of its last request, and the pages of
    django-allauth keep the steps of a sign-in in the session.
    """
    models = [model for model in apps.get_models() if model is not Session]
    return {model._meta.label: list(model._default_manager.order_by("pk").values()) for model in models}


def test_pages_outside_studies() -> None:
    site = Site()
    paths = [site.path(route) for name, route in outside_studies().items() if not name.startswith("admin:")]
    paths += [login_path(UserFactory()), f"/join/{site.study.join_token}"]
    for user in User.objects.all():  # as for every account that was not made by a test
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    before = tables()
    for who, cookies in site.cookies.items():
        client = Client()
        client.cookies.load(cookies)
        for path in paths:
            for method in ("GET", "HEAD"):
                client.generic(method, path)
        assert tables() == before, who


@pytest.fixture(scope="module")
def two(share: Callable[..., Two]) -> Two:
    return share(Two)


def test_pages_and_operations_of_a_study(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every GET in a study names a real object. The time of a token's last use is the only column that changes."""
    monkeypatch.setattr("rest_framework.throttling.SimpleRateThrottle.allow_request", lambda *_: True)
    mine = two.mine
    _complete(mine)
    visitors = [
        (True, {"console": Visitor(user=mine.owner), "api": _token(mine.owner)}),
        (False, {"api": _token(mine.owner, scope="read")}),
        *((False, {"console": Visitor(user=user), "api": _token(user)}) for user in _members(mine)),
    ]
    faults, opened = [], 0
    for route in (route for route in ROUTES if "get" in route.methods):
        path = _path(two, route)
        for is_owner, clients in visitors:
            for method in ("get", "head") if route.namespace in clients else ():
                outcome = clients[route.namespace].ask(route, method, path)
                opened += outcome.status == 200
                if outcome.changed:
                    faults.append(f"{method} {route.namespace}:{route.name} changes a table")
                if is_owner and outcome.status not in (405, NOT_YET.get((route.namespace, route.name), 200)):
                    faults.append(f"{method} {route.namespace}:{route.name}: {outcome.status}")
    assert not faults, "\n".join(faults)
    assert opened > 800


def _complete(objects: Objects) -> None:
    """Add what the pages need besides the objects in their URLs."""
    study, owner = objects.study, objects.owner
    question = {"name": CHOICES["name"], "label": "How old are you?", "kind": "number"}
    add_question(study.pk, CHOICES["questionnaire"], question, revision=0, user=owner)
    publish_table(study.pk, heading="Systems", user=owner)
    choose_split(study.pk, SplitChoice(), user=owner)


def _members(objects: Objects) -> list[User]:
    return [member_of(objects.study, role) for role in ("manager", "reviewer", "viewer")]


def _token(user: User, scope: str = "write") -> Visitor:
    return Visitor(authorization=f"Token {new_api_token(user, 'script', scope=scope)[1]}")


def _path(two: Two, route: Route) -> str:
    ids = two.ids(route, two.mine)
    choices = PAGE_CHOICES.get(route.name, {})
    path = route.path(ids)
    for part, choice in choices.items():
        path = path.replace(CHOICES[part], choice)
    return path + QUERIES.get(route.name, {}).get(route.namespace, "").format(**ids)
