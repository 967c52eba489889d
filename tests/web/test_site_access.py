"""Tests of access to every URL and API operation outside studies, for every kind of visitor. GET and HEAD requests
change no table.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import pytest
from allauth.account.models import EmailAddress
from django.db import transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import URLResolver, get_resolver, reverse
from drf_spectacular.generators import SchemaGenerator

from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import INVITATION_LINKS, login_path, participation_token
from annotate.models import Assignment, Participation, User
from annotate.studies.services.members import invite
from annotate.web.pages.remembered import remember
from layouts.policy import frame_url
from tests.factories import UserFactory, make_annotator, make_study, take
from tests.web.study_access.visitors import changes

pytestmark = pytest.mark.django_db


class For:
    """Audiences of pages. Each lists the kinds of visitors in the test who belong to it."""

    ANYONE = ("anonymous", "annotator", "researcher", "administrator")
    RESEARCHERS = ("researcher", "administrator")
    ADMINISTRATORS = ("administrator",)
    ANNOTATORS = ("annotator",)  # by the cookie of their browser, or by the token of their page
    HOLDERS = ()  # of a secret in the URL or the request, or of a second factor, which no visitor of the test has


PAGES = {
    "healthz": For.ANYONE,
    "may-upload": For.RESEARCHERS,
    "readyz": For.ANYONE,
    "file-schemas": For.ANYONE,
    "file-schema": For.ANYONE,
    "metrics": For.HOLDERS,
    "prolific-hook": For.HOLDERS,
    "login-link": For.HOLDERS,
    "sso": For.HOLDERS,  # of an issuer in the settings
    "sso-again": For.HOLDERS,
    "sso-callback": For.HOLDERS,
    "invitation": For.HOLDERS,
    "account_login": For.ANYONE,
    "account_logout": For.RESEARCHERS,
    "account_inactive": For.ANYONE,
    "account_signup": For.ANYONE,
    "account_reauthenticate": For.RESEARCHERS,
    "account_email": For.RESEARCHERS,
    "account_email_verification_sent": For.ANYONE,
    "account_change_password": For.RESEARCHERS,
    "account_set_password": For.RESEARCHERS,
    "account_reset_password": For.ANYONE,
    "account_reset_password_done": For.ANYONE,
    "account_reset_password_from_key": For.ANYONE,
    "account_reset_password_from_key_done": For.ANYONE,
    "account_confirm_email": For.ANYONE,
    # The second step of a sign-in. Visitors who have signed in are sent to the console.
    "account_confirm_login_code": For.RESEARCHERS,
    "mfa_authenticate": For.RESEARCHERS,
    "mfa_index": For.RESEARCHERS,
    "mfa_reauthenticate": For.RESEARCHERS,
    "mfa_activate_totp": For.RESEARCHERS,
    "mfa_deactivate_totp": For.HOLDERS,
    "mfa_view_recovery_codes": For.HOLDERS,
    "mfa_generate_recovery_codes": For.RESEARCHERS,
    "mfa_download_recovery_codes": For.HOLDERS,
    "console:studies": For.RESEARCHERS,
    "console:new": For.RESEARCHERS,
    "console:recognise": For.RESEARCHERS,
    "console:find": For.RESEARCHERS,
    "console:all-pay": For.RESEARCHERS,
    "console:tokens": For.RESEARCHERS,
    "console:revoke-token": For.RESEARCHERS,
    "evaluation:systems": For.HOLDERS,
    "releases:repeat-study": For.RESEARCHERS,
    "releases:repeats": For.RESEARCHERS,  # an operation of the API
    "annotator:home": For.ANYONE,
    "annotator:join": For.HOLDERS,
    "annotator:hub": For.ANNOTATORS,
    "annotator:accept": For.ANNOTATORS,
    "annotator:object": For.ANNOTATORS,
    "annotator:study": For.ANNOTATORS,
    "annotator:withdraw": For.ANNOTATORS,
    "annotator:pay": For.ANNOTATORS,
    "annotator:pay-file": For.ANNOTATORS,
    "annotator:guidelines": For.ANNOTATORS,
    "annotator:survey": For.ANNOTATORS,
    "annotator:start": For.ANNOTATORS,
    "annotator:data": For.ANNOTATORS,
    "annotator:code": For.ANNOTATORS,
    "annotator:finish": For.ANNOTATORS,
    "annotator:not-me": For.ANNOTATORS,
    "annotator:work": For.ANNOTATORS,
    "annotator:worker": For.ANYONE,
    "annotator:mail-code": For.ANNOTATORS,
    "annotator:resume": For.ANYONE,
    "annotator:resume-link": For.ANYONE,
    "annotator:enter-group": For.HOLDERS,
    "annotator:group": For.HOLDERS,
    "annotator:wait": For.HOLDERS,
    "annotator:waiting": For.HOLDERS,
    "annotator:personal": For.HOLDERS,
    "shared-report": For.HOLDERS,
    "shared-file": For.HOLDERS,
    "layouts-frame": For.HOLDERS,
    "help:guides": For.ANYONE,
    "help:guide": For.ANYONE,
    "help:picture": For.ANYONE,
    "help:privacy-notice": For.ANYONE,
}
OPERATIONS = {
    ("get", "schema"): For.ANYONE,
    ("get", "docs"): For.ANYONE,
    ("get", "swagger"): For.ANYONE,
    ("get", "studies"): For.RESEARCHERS,
    ("post", "studies"): For.RESEARCHERS,
    ("get", "all-pay"): For.RESEARCHERS,
    ("post", "claims"): For.ANNOTATORS,
    ("post", "resume-code"): For.ANNOTATORS,
    ("get", "assignment"): For.ANNOTATORS,
    ("put", "guidelines-read"): For.ANNOTATORS,
    ("post", "return"): For.ANNOTATORS,
    ("post", "remarks"): For.ANNOTATORS,
    ("post", "submission"): For.ANNOTATORS,
    ("put", "answer"): For.ANNOTATORS,
    ("put", "draft"): For.ANNOTATORS,
    ("post", "acknowledgement"): For.ANNOTATORS,
}
METHODS = ("get", "post", "put", "patch", "delete")


class Route(NamedTuple):
    name: str
    parts: frozenset[str]
    view: Any


def routes(patterns: Iterable[Any], namespace: str = "", above: frozenset[str] = frozenset()) -> Iterator[Route]:
    """Yield every URL of the site with the names of its parameters, except pages and operations in a study."""
    for pattern in patterns:
        parts = above | set(pattern.pattern.converters) | set(pattern.pattern.regex.groupindex)
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from routes(pattern.url_patterns, inner, parts)
        elif pattern.name and not (namespace in ("console:", "api:") and "study" in parts):
            yield Route(namespace + pattern.name, parts, pattern.callback)


def outside_studies(prefix: str = "") -> dict[str, Route]:
    every = {route.name: route for route in routes(get_resolver().url_patterns)}
    return {name: route for name, route in every.items() if name.startswith(prefix)}


class Site:
    """One visitor of each kind. Every request starts from the same state, because its changes are rolled back."""

    def __init__(self) -> None:
        self.assignment: Assignment = take(make_annotator(make_study(gold=4)))
        self.study = self.assignment.study
        participation: Participation = self.assignment.participation
        self.token = participation_token(participation)
        cookie = remember(RequestFactory().get("/"), HttpResponse(), participation).cookies
        self.cookies = {"anonymous": {}, "annotator": {name: morsel.value for name, morsel in cookie.items()}}
        administrator = UserFactory(is_staff=True, is_superuser=True)
        for who, user in (("researcher", UserFactory()), ("administrator", administrator)):
            client = Client()
            client.force_login(user)
            self.cookies[who] = {name: morsel.value for name, morsel in client.cookies.items()}
        for user in User.objects.all():  # as for every account that was not made by a test
            EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)

    def path(self, route: Route) -> str:
        values = {
            "study": self.study.public_id,
            "study_id": self.study.public_id,
            "assignment": self.assignment.public_id,
            "assignment_id": self.assignment.public_id,
            "position": 1,
            "uidb36": "1",
            "key": "a-b",
            "app_label": "annotate",
            "slug": "pay",
            "name": "best-worst-overview.png",
            "schema_name": "bws/scores.csv",
        }
        return reverse(route.name, kwargs={name: values.get(name, "any") for name in route.parts})

    def ask(self, who: str, method: str, path: str, **more: Any) -> Any:
        client = Client()
        client.cookies.load(self.cookies[who])
        with transaction.atomic(), changes() as changed:
            response = getattr(client, method)(path, **more)
            assert method not in ("get", "head") or not changed(), f"{method} {path} as {who} changes a table"
            transaction.set_rollback(True)
        return response

    def reaches(self, who: str, method: str, path: str, **more: Any) -> bool:
        """Return whether the visitor can open the page: the visitor is neither sent to the sign-in page nor
        rejected.
        """
        response = self.ask(who, method, path, **more)
        if method == "get" and response.status_code == 200:
            self.ask(who, "head", path, **more)
        if response.status_code == 405 and method == "get":
            response = self.ask(who, "post", path, **more)
        signs_in = response.headers.get("Location", "").startswith(reverse("account_login"))
        return response.status_code not in (401, 403, 404) and not signs_in


@pytest.fixture(scope="module")
def site(share: Callable[..., Site]) -> Site:
    return share(Site)


@pytest.fixture(autouse=True)
def _short_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who reaches the schema does not depend on its length, and the whole schema takes a second for each visitor."""
    monkeypatch.setattr(SchemaGenerator, "get_schema", lambda *_, **__: {"openapi": "3.0.3", "paths": {}})


def test_every_url_of_the_site_has_an_entry() -> None:
    named = {name for name in outside_studies() if not name.startswith(("admin:", "api:"))}
    assert named == PAGES.keys()
    operations = set()
    for name, route in outside_studies("api:").items():
        view = getattr(route.view, "cls", None)
        methods = [method for method in METHODS if hasattr(view, method)] if view else ["get"]
        operations |= {(method, name.removeprefix("api:")) for method in methods}
    assert operations == OPERATIONS.keys()


def test_each_page_is_for_its_audience(site: Site) -> None:
    every = outside_studies()
    reached = {
        name: tuple(who for who in For.ANYONE if site.reaches(who, "get", site.path(every[name]))) for name in PAGES
    }
    assert reached == PAGES


def test_each_operation_is_for_its_audience(site: Site) -> None:
    every = outside_studies("api:")
    token = {"headers": {"Authorization": f"Participation {site.token}"}}
    for (method, name), audience in OPERATIONS.items():
        path, body = site.path(every[f"api:{name}"]), {"data": {}, "content_type": "application/json"}
        sent = {} if method == "get" else body
        reached = [
            who
            for who in For.ANYONE
            if site.reaches(who, method, path, **sent, **(token if who == "annotator" else {}))
        ]
        assert tuple(reached) == audience, f"{method} {name}"


def test_the_secret_opens_the_page(site: Site) -> None:
    invitation = invite(None, email="ada@example.org", role="", user=SYSTEM)
    for path in (
        INVITATION_LINKS.path(invitation.public_id),
        reverse("annotator:join", args=[site.study.join_token]),
        login_path(UserFactory()),
        frame_url([], scripts=False),
    ):
        assert site.reaches("anonymous", "get", path), path


@pytest.mark.nightly
def test_only_administrators_reach_the_records(site: Site, settings: Any) -> None:
    settings.STAFF_SECOND_FACTOR = False
    accounts = ("admin:annotate_user_", "admin:annotate_membership_", "admin:auth_", "admin:account_", "admin:mfa_")
    accounts += ("admin:socialaccount_",)  # which identity of the issuer belongs to an account
    for name, route in outside_studies("admin:").items():
        path = site.path(route)
        # One decorator protects all these pages. Researchers come closest, because they have signed in.
        for who in ("anonymous", "annotator", "researcher") if name.endswith("_changelist") else ("researcher",):
            for method in ("get", "post"):
                response = site.ask(who, method, path)
                assert response.status_code in (302, 403, 404), f"{method} {name} as {who}"
                assert not response.content or "Records" not in response.text, f"{method} {name} as {who}"
        if name.endswith("_changelist"):
            assert site.ask("administrator", "get", path).status_code == 200, name
        if name.endswith("_add"):
            expected = 200 if name.startswith(accounts) else 403
            assert site.ask("administrator", "get", path).status_code == expected, name
