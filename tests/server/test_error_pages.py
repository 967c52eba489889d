"""Tests of the language of error pages that annotators can see, whatever language the browser prefers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation

from annotate.models import Study
from tests.factories import make_annotator, make_study, take
from tests.markup import markup

pytestmark = pytest.mark.django_db
ENGLISH = {"Accept-Language": "en"}


@pytest.fixture
def study() -> Study:
    return make_study(language="de")


@pytest.fixture
def addresses(study: Study) -> list[str]:
    assignment = take(make_annotator(study))
    return [f"/join/{study.join_token}", f"/s/{study.public_id}/withdraw", f"/a/{assignment.public_id}"]


def unreadable(path: str, settings: Any) -> HttpResponse:
    return Client(headers=ENGLISH).post(path, {"text": "a\0b"})


def expired(path: str, settings: Any) -> HttpResponse:
    return Client(headers=ENGLISH, enforce_csrf_checks=True).post(path, {"text": "a"})


def too_large(path: str, settings: Any) -> HttpResponse:
    settings.BODY_LIMITS = {**settings.BODY_LIMITS, "form": 1}
    return Client(headers=ENGLISH).post(path, {"text": "a"})


@pytest.mark.parametrize(
    ("request_page", "status", "heading"),
    [
        (unreadable, 400, "Der Server kann diese Anfrage nicht lesen"),
        (expired, 403, "Diese Seite war zu lange geöffnet"),
        (too_large, 413, "Diese Anfrage ist zu groß"),
    ],
)
def test_errors_are_in_the_language_of_the_study(
    request_page: Callable[..., HttpResponse], status: int, heading: str, addresses: list[str], settings: Any
) -> None:
    for path in (*addresses, f"{addresses[0]}/group/7KQ2-M9XC-4TRB"):
        response = request_page(path, settings)
        page = markup(response)
        assert (response.status_code, response["Content-Language"]) == (status, "de")
        assert '<html lang="de"' in page
        assert heading in page
        assert "/console/" not in page  # annotators have no account there


def test_a_page_of_another_annotator_is_not_found_in_the_language_of_the_study(addresses: list[str]) -> None:
    for path in addresses[1:]:
        response = Client(headers=ENGLISH).get(path)
        assert (response.status_code, response["Content-Language"]) == (404, "de")
        assert "Seite nicht gefunden" in markup(response)


def test_an_unknown_study_is_not_found_in_the_language_of_the_browser() -> None:
    for path in ("/join/unknown", "/s/unknown", "/a/unknown", "/s/unknown/nothing", "/resume/unknown"):
        response = Client(headers={"Accept-Language": "de"}).post(path, {"text": "a\0b"})
        assert response.status_code in (400, 404)
        assert response["Content-Language"] == "de"


@pytest.mark.parametrize("template", ["500.html", "503.html"])
def test_pages_without_a_database_state_their_language_and_direction(template: str) -> None:
    with translation.override("de"):
        page = render_to_string(template)
    assert '<html lang="de"' in page
    assert 'dir="ltr"' in page


def test_pages_without_a_study_use_the_language_of_the_last_study(
    addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client(headers=ENGLISH)
    client.raise_request_exception = False
    assert client.get("/resume")["Content-Language"] == "en"
    client.get(addresses[0])
    assert client.cookies["study-language"]["httponly"]
    assert [client.get(path)["Content-Language"] for path in ("/", "/resume")] == ["de", "de"]
    assert client.get("/console/login/")["Content-Language"] == "en"

    def fail(*arguments: object, **options: object) -> None:
        raise OperationalError("the database is restarting")

    monkeypatch.setattr("annotate.annotator.pages.links.show_in", fail)
    unavailable = client.get(addresses[0])
    assert unavailable.status_code == 503
    assert '<html lang="de"' in markup(unavailable)
