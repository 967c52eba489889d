"""Tests of errors: the list of codes, and the statuses that each operation describes."""

import ast
import html
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.urls import reverse
from rest_framework import exceptions

from annotate.models import User
from annotate.web.api.error_codes import ALL_CODES
from tests.api.conftest import Api, refused
from tests.api.openapi import operations
from tests.factories import make_study

ROOT = Path(__file__).parents[2]
APPLICATIONS = ("annotate", "bws", "alignment_ui", "paraphrase", "evaluation", "releases")
# Only pages, commands and e-mails use these codes.
ELSEWHERE = {
    "account",
    "address",
    "closed",
    "damaged",
    "excluded",
    "expired-code",
    "full",
    "ineligible",
    "invitation",
    "named",
    "no-input",
    "no-waiting-list",
    "nothing-found",
    "over",
    "panel-id",
    "panel-other-id",
    "password",
    "prolific-id",
    "prolific-token",
    "signed-out",
    "submissions",
    "taken",
    "token",
    "unconfirmed",
    "unknown-code",
    "waiting",
}
FRAMEWORK = {
    exceptions.ParseError,
    exceptions.AuthenticationFailed,
    exceptions.NotAuthenticated,
    exceptions.PermissionDenied,
    exceptions.NotFound,
    exceptions.MethodNotAllowed,
    exceptions.NotAcceptable,
    exceptions.UnsupportedMediaType,
    exceptions.Throttled,
}


def raised_codes() -> set[str]:
    """Return the codes of all errors that the source code raises."""
    codes = set()
    for application in APPLICATIONS:
        for file in (ROOT / application).rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            if "Refused(" in text:
                calls = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
                named = (call for call in calls if ast.unparse(call.func) == "Refused")
                codes |= {call.args[0].value for call in named if isinstance(call.args[0], ast.Constant)}
    return codes


def filled(path: str) -> str:
    """Return the path with an arbitrary value for each parameter."""
    return re.sub("{[^}]*}", "1", path)


def test_the_list_of_codes_is_complete() -> None:
    listed = {each.code for each in ALL_CODES}
    framework = {error.default_code for error in FRAMEWORK}
    assert listed == (raised_codes() - ELSEWHERE) | framework | {"unavailable", "internal"}
    assert raised_codes() >= ELSEWHERE
    statuses = {each.code: each.statuses for each in ALL_CODES}
    assert all(error.status_code in statuses[error.default_code] for error in FRAMEWORK)


@pytest.mark.nightly
def test_the_reference_lists_the_codes_with_their_meanings(client: Client) -> None:
    page = html.unescape(client.get(reverse("api:docs")).content.decode())
    assert [
        each.code for each in ALL_CODES if f"<code>{each.code}</code>" not in page or each.meaning not in page
    ] == []


def test_operations_reject_media_types_exactly_as_described() -> None:
    client = Client()
    for label, operation in operations().items():
        method, path = label.split()
        response = client.generic(method.upper(), filled(path), headers={"Accept": "image/png"})
        assert (response.status_code == 406) == ("406" in operation["responses"]), label


@override_settings(BODY_LIMITS=dict.fromkeys(settings.BODY_LIMITS, 10))
def test_operations_with_a_body_describe_the_limit_of_its_size() -> None:
    client = Client()
    for label, operation in operations().items():
        if "requestBody" in operation:
            method, path = label.split()
            response = client.generic(
                method.upper(), filled(path), b'{"title": "long"}', content_type="application/json"
            )
            assert (response.status_code, response.json()["code"]) == (413, "too-large"), label
            assert "413" in operation["responses"], label


@pytest.mark.django_db
def test_a_body_of_another_type_is_rejected(owner: Api, user: User) -> None:
    study = make_study(user=user)
    for path in ("studies", f"studies/{study.public_id}/uploads", f"studies/{study.public_id}/systems"):
        response = owner.client.post(f"/api/v1/{path}", b"a,b", content_type="text/csv", headers=owner.headers)
        refused(response, 415, "unsupported_media_type")


@pytest.mark.django_db
def test_a_file_is_returned_whatever_media_type_the_client_accepts(owner: Api, user: User) -> None:
    study = make_study(user=user)
    assert owner.get(f"studies/{study.public_id}/annotators.csv", Accept="text/csv").status_code == 200
