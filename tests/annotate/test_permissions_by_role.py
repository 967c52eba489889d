"""Tests of console pages and API operations with every role, compared with the tables in test_permissions.py."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from django.db import transaction
from django.http import Http404
from django.test import Client
from django.urls import reverse

from annotate.api import research
from annotate.api.urls import urlpatterns as api_patterns
from annotate.models import Membership, Question, Study
from annotate.permissions import PERMISSIONS, Action
from annotate.services.credentials import new_api_token
from annotate.views.console import access
from annotate.views.console.urls import urlpatterns as console_patterns
from tests.annotate.test_permissions import API, CONSOLE, OUTSIDE_A_STUDY, SPECIAL, Route, routes
from tests.factories import UserFactory, make_annotator, make_study

pytestmark = pytest.mark.django_db

ROLES = ["anonymous", "stranger", "viewer", "reviewer", "manager", "owner", "administrator"]
STATES = {"open": Action.OPEN, "paused": Action.PAUSE, "closed": Action.CLOSE, "archived": Action.ARCHIVE}
PAGES = [route for route in routes(console_patterns) if route.name not in OUTSIDE_A_STUDY]
ONE_PAGE_PER_ACTION = list({CONSOLE[route.name]: route for route in PAGES}.values())


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(joined_study)


def joined_study() -> Study:
    study = make_study(gold=4)
    make_annotator(study)
    return study


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def user_with(role: str, study: Study) -> Any:
    """Return a user with this role, or None for a visitor who has not signed in."""
    if role == "anonymous":
        return None
    user = UserFactory(is_staff=role == "administrator", is_superuser=role == "administrator")
    if role in Membership.Role.values:
        Membership.objects.create(study=study, user=user, role=role)
    return user


@cache
def ids_of(study_id: int) -> dict[str, str]:
    """Return what the paths of a study need. Hundreds of paths of the same study do not ask the database again."""
    study = Study.objects.get(pk=study_id)
    gold = study.questions.filter(kind=Question.Kind.GOLD).first()
    return {"pseudonym": study.participations.get().pseudonym, "question": gold.public_id}


def path_of(namespace: str, route: Route, study: Study, **fixed: str) -> str:
    values = {
        "study": study.public_id,
        "other": 1,
        "number": 1,
        "position": 1,
        "purpose": "items",
        "step": "pay",
        "questionnaire": "screening",
        "ref": "tuple-01",
        **ids_of(study.pk),
        **fixed,
    }
    return reverse(f"{namespace}:{route.name}", kwargs={name: values.get(name, "any") for name in route.parts})


@pytest.mark.parametrize("role", ROLES)
def test_each_page_is_for_the_roles_of_its_action(role: str, study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner requests every page. The other roles request one page per action, because test_permissions.py compares
    the action of every page.
    """
    permitted: list[Study] = []
    frame = access.StudyConsole

    def spy(study: Study, path: str) -> access.StudyConsole:
        permitted.append(study)
        return frame(study, path)

    monkeypatch.setattr(access, "StudyConsole", spy)
    client, user = Client(), user_with(role, study)
    if user:
        client.force_login(user)
    for route in PAGES if role == "owner" else ONE_PAGE_PER_ACTION:
        path, allowed = path_of("console", route, study), role in PERMISSIONS[CONSOLE[route.name]].roles
        for method in ("get", "post"):
            permitted.clear()
            with transaction.atomic():
                response = getattr(client, method)(path)
                transaction.set_rollback(True)
            assert bool(permitted) == allowed, f"{method} {route.name} as {role}"
            if not allowed:
                assert response.status_code == (404 if user else 302), f"{method} {route.name} as {role}"


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("name", "action"), SPECIAL)
def test_requests_that_need_more_than_their_page(role: str, name: str, action: str, study: Study) -> None:
    client, user = Client(), user_with(role, study)
    if user:
        client.force_login(user)
    route = next(route for route in routes(console_patterns) if route.name == name)
    before = study.events.count()
    status = client.post(path_of("console", route, study, action=action), {"title": "Changed"}).status_code
    if role in PERMISSIONS[SPECIAL[name, action]].roles:
        assert status in (302, 422)
    else:
        assert status == (404 if user else 302)
        assert study.events.count() == before


@pytest.mark.parametrize("role", ROLES)
def test_each_operation_is_for_the_roles_of_its_action(
    role: str, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[bool] = []
    real = research.study_for

    def spy(*arguments: Any, **named: Any) -> Study:
        try:
            found = real(*arguments, **named)
        except Http404:
            answers.append(False)
            raise
        answers.append(True)
        return found

    monkeypatch.setattr(research, "study_for", spy)
    monkeypatch.setattr(research.ResearchThrottle, "allow_request", lambda *arguments: True)
    user = user_with(role, study)
    headers = {"Authorization": f"Token {new_api_token(user, 'script')[1]}"} if user else {}
    client = Client(headers=headers)
    names = {route.name: route for route in routes(api_patterns)}
    operations = [(method, name, action, body) for (method, name), (action, body) in API.items() if name != "state"]
    operations += [("put", "state", action, {"state": state}) for state, action in STATES.items()]
    for method, name, action, body in operations:
        answers.clear()
        with transaction.atomic():
            response = client.generic(
                method.upper(),
                path_of("api", names[name], study, kind="results"),
                b"" if body is None else json.dumps(body),
                content_type="application/json",
            )
            transaction.set_rollback(True)
        allowed = role in PERMISSIONS[action].roles
        assert bool(answers and all(answers)) == allowed, f"{method} {name} {body} as {role}"
        if not allowed:
            assert response.status_code == (404 if user else 401), f"{method} {name} as {role}"


def test_templates_offer_what_the_role_and_the_state_allow(study: Study) -> None:
    expected = {
        "owner": {"draft": {"archive", "open"}, "open": {"pause", "close"}, "closed": {"open", "archive"}},
        "manager": {"draft": {"open"}, "open": {"pause", "close"}, "closed": {"open"}},
        "reviewer": {"draft": set(), "open": set(), "closed": set()},
    }
    for role, states in expected.items():
        for state, actions in states.items():
            study.role, study.state = role, state
            may = access.StudyConsole(study, "/").may
            assert {name for name in ("open", "pause", "close", "archive") if may[name]} == actions, (role, state)
