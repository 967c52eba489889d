"""Tests that no page and no operation shows secrets of a study to people and tokens that cannot invite."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import models
from django.urls import URLResolver, get_resolver

from annotate.encryption import decrypt
from annotate.models import Invitation, Study
from annotate.services.credentials import group_code, invitation_path, new_api_token, personal_path, waiting_path
from annotate.services.prolific import begin_prolific
from tests.annotate.test_nested_ids import ROUTES, Two, Visitor
from tests.factories import member_of

pytestmark = pytest.mark.django_db
SECRET_FIELD = re.compile(r"(^|_)(token|secret|codes?|key|hash)(_|$)")
# Fields whose names match, but whose values are not secrets: names of rows and of columns, and digests of files.
NOT_SECRET = {"annotate.Item.key", "annotate.Plan.key", "annotate.ReportedSubmission.code"}


@pytest.fixture(scope="module")
def two(share: Callable[..., Two]) -> Two:
    return share(Two)


@pytest.fixture(autouse=True)
def _no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rest_framework.throttling.SimpleRateThrottle.allow_request", lambda *_: True)


@pytest.mark.parametrize("recruitment", ["links", "prolific"])
def test_secrets_are_for_people_who_can_invite(two: Two, recruitment: str) -> None:
    mine = two.mine
    Study.objects.filter(pk=mine.study.pk).update(recruitment=recruitment)
    mine.study.refresh_from_db()
    begin_prolific(mine.study)
    secrets, links = stored_secrets(mine.study) | drawn_secrets(mine), [*secret_links()]
    assert {"annotate.Study.join_token", "annotate.Webhook.secret decrypted"} <= secrets.keys()
    assert any(name.startswith("annotate.ProlificSettings.codes[") for name in secrets) == (recruitment == "prolific")
    read_only = Visitor(authorization=f"Token {new_api_token(mine.owner, 'reader', scope='read')[1]}")
    visitors = [("owner with a read-only token", {"api": read_only})]
    for role in ("viewer", "reviewer"):
        user = member_of(mine.study, role)
        token = new_api_token(user, "script")[1]
        visitors.append((role, {"console": Visitor(user=user), "api": Visitor(authorization=f"Token {token}")}))
    faults = []
    for route in (route for route in ROUTES if "get" in route.methods):
        path = route.path(two.ids(route, mine))
        for who, clients in visitors:
            if route.namespace in clients:
                text = clients[route.namespace].ask(route, "get", path).text
                faults += [f"{route.namespace}:{route.name} as {who}: {name}" for name in shown(text, secrets, links)]
    assert not faults, "\n".join(faults)
    _owner_sees(two, secrets)


def shown(text: str, secrets: dict[str, str], links: list[re.Pattern[str]]) -> list[str]:
    return [name for name, value in secrets.items() if value in text] + [
        link.pattern for link in links if link.search(text)
    ]


def _owner_sees(two: Two, secrets: dict[str, str]) -> None:
    """The walk would notice secrets, because the pages show these to the owner."""
    visitor = Visitor(user=two.mine.owner)
    found: set[str] = set()
    for route in (route for route in ROUTES if route.namespace == "console" and "get" in route.methods):
        found |= set(shown(visitor.ask(route, "get", route.path(two.ids(route, two.mine))).text, secrets, []))
    assert {"annotate.Study.join_token", "personal link", "group code"} <= found


def stored_secrets(study: Study) -> dict[str, str]:
    """Return the values of every column of the study's tables whose name says that it contains a secret."""
    found = {}
    for model in apps.get_models():
        owners = [each.name for each in model._meta.concrete_fields if each.related_model is Study]
        rows = [study] if model is Study else model._default_manager.filter(**{owners[0]: study}) if owners else []
        fields = [each.name for each in model._meta.concrete_fields if _may_be_secret(each)]
        for row in rows if fields else []:
            for name in fields:
                label = f"{model._meta.label}.{name}"
                found |= {f"{label}{at}": value for at, value in _texts(label, getattr(row, name))}
    return found


def _may_be_secret(field: Any) -> bool:
    is_text = isinstance(field, models.CharField | models.TextField | models.JSONField)
    label = f"{field.model._meta.label}.{field.name}"
    return is_text and SECRET_FIELD.search(field.name) is not None and label not in NOT_SECRET


def _texts(label: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        yield from ((f"[{name}]", str(part)) for name, part in value.items() if part)
    elif value:
        yield "", value
        if label == "annotate.Webhook.secret":
            yield " decrypted", decrypt(value)


def drawn_secrets(objects: Any) -> dict[str, str]:
    """Return the secrets that are calculated from IDs."""
    ids, token = objects.ids, lambda path: path.strip("/").split("/")[1]
    return {
        "personal link": token(personal_path(ids["named"])),
        "waiting link": token(waiting_path(ids["person"])),
        "group code": group_code(ids["group"]),
        "invitation": token(invitation_path(Invitation.objects.get(public_id=ids["invitation"]))),
    }


def secret_links(patterns: Any = None, prefix: str = "/") -> Iterator[re.Pattern[str]]:
    """Yield a pattern for every URL of the site that contains a token or code, and therefore opens a page without
    signing in.
    """
    for each in get_resolver().url_patterns if patterns is None else patterns:
        route = prefix + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from secret_links(each.url_patterns, route)
        elif {"token", "code"} & each.pattern.converters.keys() and "study" not in each.pattern.converters:
            yield re.compile(re.sub(r"<\w+:\w+>", "[A-Za-z0-9_:=.-]{8,}", route).rstrip("/"))
