"""Clients of the API in tests: researchers with a token, annotators' pages with a participation, and clients without
credentials.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from annotate.core.services.credentials import new_api_token, participation_token
from annotate.models import Membership, Participation, Study, User
from tests.api.openapi import check_response
from tests.factories import MembershipFactory, UserFactory

ROOT = "/api/v1/"


class Api:
    """A client that sends JSON bodies with one Authorization header. `api.get("studies")` returns the response with
    `.json()`. Each response must conform to the schema.
    """

    def __init__(self, authorization: str = "") -> None:
        self.client = Client(raise_request_exception=True)
        self.headers = {"Authorization": authorization} if authorization else {}

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> HttpResponse:
        url = path if path.startswith("/") else ROOT + path
        data = b"" if body is None else json.dumps(body).encode()
        all_headers = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        response = self.client.generic(method, url, data, content_type="application/json", headers=all_headers)
        check_response(method, url, response)
        return response

    def get(self, path: str, **headers: str) -> HttpResponse:
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> HttpResponse:
        return self.ask("POST", path, body, **headers)

    def put(self, path: str, body: Any = None, **headers: str) -> HttpResponse:
        return self.ask("PUT", path, body, **headers)

    def delete(self, path: str, **headers: str) -> HttpResponse:
        return self.ask("DELETE", path, **headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> HttpResponse:
        return self.ask("PATCH", path, body, **headers)


@pytest.fixture(autouse=True)
def _forget_rates() -> Iterator[None]:
    """Reset the rate limits, so that requests of one test do not affect other tests."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def nobody() -> Api:
    return Api()


@pytest.fixture
def script() -> Callable[[User], Api]:
    """Return the client of a researcher's script with its own token."""
    return lambda user: Api(f"Token {new_api_token(user, 'script')[1]}")


@pytest.fixture
def page() -> Callable[[Participation], Api]:
    """Return the client of an annotator's page."""
    return lambda participation: Api(f"Participation {participation_token(participation)}")


@pytest.fixture
def user(db: None) -> User:
    return UserFactory()


@pytest.fixture
def owner(user: User, script: Callable[[User], Api]) -> Api:
    """Return the client of a script by `user`, who owns the studies that tests create with `make_study(user=user)`."""
    return script(user)


@pytest.fixture
def member(script: Callable[[User], Api]) -> Callable[[Study, str], Api]:
    """Return the client of a script by a member of the study with this role."""
    return lambda study, role: script(MembershipFactory(study=study, role=Membership.Role(role)).user)


def refused(response: HttpResponse, status: int, code: str, *fields: str) -> dict[str, Any]:
    """Check that the response is an error in the format of the API, with these paths in `fields`, and
    return its body.
    """
    body = response.json()
    answer = f"{response.request['REQUEST_METHOD']} {response.request['PATH_INFO']}: {response.status_code} {body}"
    assert response.status_code == status, answer
    assert set(body) == {"code", "message", "fields"}, answer
    assert body["code"] == code, answer
    assert body["message"], answer
    assert set(body["fields"]) == set(fields), body["fields"]
    assert all(isinstance(text, str) and text for texts in body["fields"].values() for text in texts)
    return body
