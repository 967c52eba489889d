"""Tests of rule 9 in the console: people who are not members of a study cannot find out anything about the study on any
page.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, resolve, reverse

from annotate.accounts.services import make_token
from annotate.console.urls import urlpatterns
from annotate.models import Question, Study
from tests.factories import UserFactory, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


class Route(NamedTuple):
    """A console page with its name and the parameters in its address."""

    name: str
    parts: frozenset[str]


def routes(patterns: Iterable[URLPattern | URLResolver], above: frozenset[str] = frozenset()) -> Iterator[Route]:
    """Yield every console page, including pages of other applications."""
    for pattern in patterns:
        parts = above | set(pattern.pattern.converters)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, parts)
        else:
            yield Route(pattern.name, parts)


OF_A_STUDY = [route for route in routes(urlpatterns) if "study" in route.parts]
OTHER_METHODS = ["head", "put", "delete", "patch", "options"]  # study_access sends GET and POST to every page


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(lambda: make_study(gold=4, state="draft"))


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def path_of(route: Route, study: Study) -> str:
    """Return the page's address in this study. Other objects in the address need not exist."""
    question = study.questions.filter(kind=Question.Kind.GOLD).first()
    known = {
        "study": study.public_id,
        "number": 1,
        "position": 1,
        "member": study.memberships.get().user.public_id,
        "token": "any",
        "purpose": "items",
        "deed": "archive",
        "questionnaire": "screening",
        "panel": "any",
        "question": question.public_id,
    }
    return reverse(f"console:{route.name}", kwargs={name: known.get(name, "any") for name in route.parts})


def test_every_page_of_a_study_is_tried() -> None:
    tried = {route.name for route in OF_A_STUDY}
    assert {"items", "design", "open", "gold", "settings", "members", "history", "decide", "compare-systems"} <= tried


def test_a_stranger_is_told_404_by_every_method(client: Client, study: Study) -> None:
    client.force_login(UserFactory())
    # Pages accept no other methods, whether the study exists or not. One middleware refuses them for all pages.
    for method, route in zip(OTHER_METHODS * 2, OF_A_STUDY[::10], strict=False):
        path = path_of(route, study)
        response = getattr(client, method)(path)
        assert response.status_code == (404 if method == "head" else 405), f"{method} {path}"
        assert study.title not in markup(response)
    study.refresh_from_db()
    assert study.state == "draft"


def test_pages_that_change_something_cannot_be_opened_by_a_link(client: Client, study: Study) -> None:
    client.force_login(study.memberships.get().user)
    for name in ("import", "open", "promote", "change-state", "set-role", "remove-member", "undo-decision"):
        path = path_of(next(route for route in OF_A_STUDY if route.name == name), study)
        assert client.get(path).status_code == 405, name


def test_the_list_holds_ones_own_studies_alone(client: Client, study: Study) -> None:
    client.force_login(UserFactory())
    page = markup(client.get(reverse("console:studies")))
    assert study.public_id not in page
    assert "No studies yet" in page
    client.force_login(study.memberships.get().user)
    assert study.public_id in markup(client.get(reverse("console:studies")))


def test_nobody_takes_back_anothers_token(client: Client) -> None:
    owner = UserFactory()
    token, _ = make_token(owner, "export")
    client.force_login(UserFactory())
    client.post(reverse("console:revoke-token", args=[token.public_id]))
    assert owner.api_tokens.count() == 1


def views(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[Callable[..., object]]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from views(pattern.url_patterns)
        else:
            yield pattern.callback


def test_the_page_that_shows_a_refused_action_exists() -> None:
    shown_at = {view.back for view in views(urlpatterns) if getattr(view, "back", "")}
    assert len(shown_at) > 10
    for path in shown_at:
        resolve("/console/study/" + re.sub(r"{\w+}", "1", path))  # raises an exception if there is no such page
