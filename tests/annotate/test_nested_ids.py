"""Tests that no URL reaches an object of another study. The URLs come from the URL table, so a new URL is either tested
or fails a test.

Two studies with different owners each contain one object of every kind. An ID of the other study must have the same
effect as an ID that does not exist: the same status, none of the other study's texts, and no change in any table.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
from django.contrib.messages import get_messages
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import URLResolver, get_resolver, reverse
from django.utils.http import urlencode

from alignment_ui.words.models import SampledPhrase
from annotate.models import Membership, Participation, Study
from annotate.services.credentials import new_api_token, participation_token
from annotate.views.remembered import remember
from tests.annotate.test_permissions import API
from tests.factories import UserFactory, member_of
from tests.nested_objects import Objects
from tests.word_study import word_study

pytestmark = pytest.mark.django_db

# The kind of object that a parameter names on these URLs. Elsewhere, the parameter names the kind of the same name.
KINDS = {
    "number": {
        "plan": "plan",
        "stored-plan": "plan",
        "use-plan": "plan",
        "payment": "payment",
        "undo-payment": "payment",
        "pay-bonuses": "bonus list",
        "bonus-file": "bonus list",
        "confirm-bonuses": "bonus list",
        "cancel-bonuses": "bonus list",
        "pay-bonus-list": "bonus list",
        "cancel-bonus-list": "bonus list",
        "submissions-preview": "import",
        "submissions-import": "import",
        "submissions-undo": "import",
        "undo-submissions": "import",
        "report": "report",
        "report-page": "report",
        "report-zip": "report",
        "report-file": "report",
        "report-files": "report",
        "report-shares": "report",
        "report-share": "report",
        "revoke-report-share": "report",
        "compare-reports": "report",
        "system": "system",
        "system-file": "system",
        "score-again": "system",
        "score-system": "system",
        "show-system": "system",
        "phrase-sample": "phrase sample",
        "phrase-verdicts": "phrase sample",
        "add-round": "round",
        "programs-table": "comparison",
        "programs-report": "comparison",
        "guidelines": "guidelines",
    },
    "question": {
        "set-aside": "gold",
        "exclude-gold": "gold",
        "expected-answer": "gold",
        "candidate": "candidate",
        "candidate-answer": "candidate",
        "decide": "question",
        "undo-decision": "question",
        "withdraw-decision": "question",
        "question": "question",
    },
}
# Parameters that choose among a page's own names, which are the same in every study.
CHOICES = {
    "purpose": "items",
    "questionnaire": "screening",
    "scope": "all",
    "step": "pay",
    "action": "pause",
    "kind": "exclude",
    "panel": "systems",
    "slug": "systems",
    "page": "items",
    "filename": "report.json",
    "name": "age",
    "table": "gold",
    "position": 1,
}
CHOICES_ON_PAGE = {("report", "kind"): "results"}
UNKNOWN = {
    "study": "A" * 22,
    **dict.fromkeys(["report", "other", "round", "plan", "system", "guidelines", "comparison"], 999),
} | dict.fromkeys(("payment", "bonus list", "phrase sample"), 999)
# Bodies without which a form or an operation is rejected before its object is looked for.
FORMS = {
    "correct-entry": {"amount": "2", "reason": "why"},
    "correction": {"amount": "2", "reason": "why"},
    "give-bonus": {"amount": "2", "reason": "why", "seen": "1"},
    "undo-payment": {"reason": "why"},
    "reply": {"text": "Thank you."},
    "reject-submission": {"category": "OTHER", "message": "The answers to the gold questions were wrong. " * 3},
}
# Operations that give the same error for the study's own object and for an unknown object, because the bonuses can be
# paid only through a linked study on Prolific, and because the import has changed nothing that could be undone.
SAME_ERROR = {("api", "pay-bonuses", "number"), ("api", "undo-submissions", "number")}
METHODS = ("get", "post", "put", "patch", "delete")


class Route(NamedTuple):
    namespace: str
    name: str
    parts: frozenset[str]
    methods: tuple[str, ...]

    @property
    def nested(self) -> list[str]:
        return sorted(self.parts - CHOICES.keys() - {"study"})

    def kind(self, part: str) -> str:
        return KINDS.get(part, {}).get(self.name, part)

    def path(self, ids: dict[str, Any]) -> str:
        values = {
            part: CHOICES_ON_PAGE.get((self.name, part), CHOICES[part]) if part in CHOICES else ids[self.kind(part)]
            for part in self.parts
        }
        return reverse(f"{self.namespace}:{self.name}", kwargs=values)


def routes(patterns: Any, namespace: str = "", above: frozenset[str] = frozenset()) -> Iterator[Route]:
    """Yield every URL in a study."""
    for pattern in patterns:
        parts = above | set(pattern.pattern.converters) | set(pattern.pattern.regex.groupindex)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, pattern.namespace or namespace, parts)
        elif namespace in ("console", "api") and "study" in parts:
            view = getattr(pattern.callback, "cls", None)
            methods = tuple(method for method in METHODS if hasattr(view, method)) if view else ("get", "post")
            yield Route(namespace, pattern.name, parts, methods)


ROUTES = list(routes(get_resolver().url_patterns))
NESTED = [route for route in ROUTES if route.nested]


class Two:
    """Two studies, `mine` and `other`, and clients of all kinds of people."""

    def __init__(self) -> None:
        self.mine, self.other = Objects("quagga", 3), Objects("thylacine", 7)
        for objects in (self.mine, self.other):
            words = word_study(gold=False)
            words.memberships.update(user=objects.owner)
            SampledPhrase.objects.create(
                study=words, sample=objects.ids["report"], place=1, question=words.questions.first(),
                source_start=0, source_end=1, target_start=0, target_end=1,
            )  # fmt: skip
            objects.ids |= {"phrase sample": objects.ids["report"], "words": words.public_id}

    def ids(self, route: Route, of: Objects) -> dict[str, Any]:
        return of.ids | ({"study": of.ids["words"]} if route.name.startswith("phrase-") else {})


@pytest.fixture(scope="module")
def two(share: Callable[..., Any]) -> Two:
    return share(Two)


@pytest.fixture(autouse=True)
def _no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rest_framework.throttling.SimpleRateThrottle.allow_request", lambda *_: True)


class Visitor:
    """A client of the console and the API, whose changes are rolled back after each request."""

    def __init__(self, *, user: Any = None, authorization: str = "", cookies: Any = None) -> None:
        self.client = Client(raise_request_exception=False)
        if user:
            self.client.force_login(user)
        if cookies:
            self.client.cookies = cookies
        self.headers = {"Authorization": authorization} if authorization else {}

    def ask(self, route: Route, method: str, path: str, body: Any = None) -> "Outcome":
        if body and method == "get":
            path = f"{path}?{urlencode(body)}"
        if route.namespace == "api":
            body = body or FORMS.get(route.name) or API.get((method, route.name), (None, None))[1]
            data: Any = b"" if body is None else json.dumps(body)
            content_type = "application/json"
        else:
            data, content_type = urlencode(FORMS.get(route.name, {})), "application/x-www-form-urlencoded"
        with transaction.atomic(), changes() as changed:
            response = self.client.generic(
                method.upper(), path, data if method != "get" else "", content_type=content_type, headers=self.headers
            )
            text = b"".join(response) if response.streaming else response.content
            said = " ".join(map(str, get_messages(response.wsgi_request)))
            happened = changed()
            transaction.set_rollback(True)
        return Outcome(response.status_code, f"{text.decode(errors='replace')}{said}", happened)


class Outcome(NamedTuple):
    status: int
    text: str  # of the page, with the messages on the next page
    changed: bool


@contextmanager
def changes() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether a statement has changed a row of any table."""
    changed = False

    def watch(execute: Any, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        nonlocal changed
        result = execute(sql, params, many, context)
        if re.match(r"\s*(INSERT|UPDATE|DELETE)", sql) and not re.search(UNREMARKABLE, sql):
            changed |= context["cursor"].rowcount != 0
        return result

    with connection.execute_wrapper(watch):
        yield lambda: changed


# Tables and columns that a request to read can change: sessions, when a token was last used, and the agreement on each
# question, which is calculated again from the answers when a page needs it.
UNREMARKABLE = r'"django_session"|"annotate_apitoken" SET "used_at"|"annotate_figuresstate"|"annotate_questionfigures"'


def test_every_nested_parameter_of_every_url_is_known(two: Two) -> None:
    unknown = {
        (route.namespace, route.name, part)
        for route in NESTED
        for part in route.nested
        if route.kind(part) not in two.mine.ids
    }
    assert not unknown, "add the object to tests/nested_objects.py"
    assert len(NESTED) > 100


def test_ids_of_another_study_are_unknown(two: Two) -> None:
    """The owner of both studies names the other study's objects in the URLs of the first study."""
    owner = two.mine.owner
    Membership.objects.create(study=two.other.study, user=owner, role="owner")
    visitors = {
        "console": Visitor(user=owner),
        "api": Visitor(authorization=f"Token {new_api_token(owner, 'script')[1]}"),
    }
    faults, reached = [], set()
    for route, method in [(each, method) for each in NESTED for method in each.methods]:
        visitor, own = visitors[route.namespace], two.ids(route, two.mine)
        found = visitor.ask(route, method, route.path(own))
        for part in route.nested:
            kind = route.kind(part)
            mixed = visitor.ask(route, method, route.path(own | {kind: two.other.ids[kind]}))
            missing = visitor.ask(route, method, route.path(own | {kind: UNKNOWN.get(kind, "A" * 22)}))
            if (
                mixed.status != missing.status
                or mixed.changed
                or (two.other.mark in mixed.text and two.other.mark not in str(two.other.ids[kind]))
            ):
                faults.append(f"{method} {route.namespace}:{route.name} with another study's {kind}: {mixed.status}")
            if found.status != missing.status or found.changed or len(found.text) != len(missing.text):
                reached.add((route.namespace, route.name, part))
        if found.status >= 500:
            faults.append(f"{method} {route.namespace}:{route.name}: {found.status}")
    expected = {(route.namespace, route.name, part) for route in NESTED for part in route.nested}
    assert not faults, "\n".join(faults)
    left = sorted(expected - reached - SAME_ERROR)
    assert not left, f"{left}: the test would not notice another study's object here"


def test_outsiders_cannot_reach_any_object(two: Two) -> None:
    """People who are not members get the same response as for a study that does not exist."""
    mine, other = two.mine, two.other
    both = UserFactory()
    for objects in (mine, other):
        objects.study.memberships.create(user=both, role="owner")
    limited = new_api_token(both, "limited", study=mine.study)[1]
    signed_in = [
        UserFactory(),
        mine.owner,
        *(member_of(mine.study, role) for role in ("manager", "reviewer", "viewer")),
    ]
    tokens = [new_api_token(mine.owner, "script")[1], new_api_token(mine.owner, "reader", scope="read")[1], limited]
    visitors = {
        "console": [Visitor(), *(Visitor(cookies=cookies_of(who)) for who in (mine.annotator, other.annotator))]
        + [Visitor(user=user) for user in signed_in],
        "api": [Visitor(), Visitor(user=mine.owner), *(Visitor(authorization=f"Token {token}") for token in tokens)]
        + [
            Visitor(authorization=f"Participation {participation_token(who)}")
            for who in (mine.annotator, other.annotator, other.program)
        ],
    }
    faults = []
    for route in NESTED:
        ids = two.ids(route, other)
        for method, visitor in ((method, visitor) for method in route.methods for visitor in visitors[route.namespace]):
            real = visitor.ask(route, method, route.path(ids))
            unknown = visitor.ask(route, method, route.path(ids | {"study": UNKNOWN["study"]}))
            if real.status != unknown.status or real.status not in (302, 401, 403, 404) or real.changed:
                faults.append(f"{method} {route.namespace}:{route.name}: {real.status}")
            elif real.text.replace(ids["study"], "").count(other.mark) > unknown.text.count(other.mark):
                faults.append(f"{method} {route.namespace}:{route.name} shows texts of the study")
    assert not faults, "\n".join(faults)


def cookies_of(participation: Participation) -> Any:
    return remember(RequestFactory().get("/"), HttpResponse(), participation).cookies


def test_a_read_only_token_changes_nothing(two: Two) -> None:
    visitor = Visitor(authorization=f"Token {new_api_token(two.mine.owner, 'reader', scope='read')[1]}")
    for route in (route for route in ROUTES if route.namespace == "api"):
        for method in set(route.methods) - {"get"}:
            outcome = visitor.ask(route, method, route.path(two.ids(route, two.mine)))
            assert not outcome.changed, f"{method} {route.name}"
            assert outcome.status == 403, f"{method} {route.name}: {outcome.status}"


# Requests whose body or query parameters name an object, with the name of the object as an argument.
NAMED = [
    ("get", "compare-reports", "study", lambda name: {"study": name}),
    ("post", "settings-import", "study", lambda name: {"from_study": name, "steps": ["pay"]}),
    ("post", "plans", "study", lambda name: {"pilot": name}),
    ("get", "messages", "pseudonym", lambda name: {"annotator": name}),
    ("post", "team-messages", "pseudonym", lambda name: {"annotator": name, "text": "Hello."}),
    ("post", "bonuses", "pseudonym", lambda name: {"annotator": name, "amount": "1", "reason": "Thanks."}),
    (
        "post",
        "payments",
        "pseudonym",
        lambda name: {
            "reference": "R",
            "paid_on": "2026-11-20",
            "annotators": [{"annotator": name, "amount": "0.10", "paid": "0.00"}],
        },
    ),
    ("post", "judgements", "ref", lambda name: {"scope": "chosen", "questions": [name], "dry_run": True}),
    ("get", "compare-systems", "system", lambda name: {"first": name, "second": name}),
]


@pytest.mark.parametrize(("method", "name", "kind", "body"), NAMED, ids=[each[1] for each in NAMED])
def test_bodies_and_queries_cannot_name_objects_of_another_study(
    two: Two, method: str, name: str, kind: str, body: Callable[[Any], dict[str, Any]]
) -> None:
    """A token for one study names an object of the owner's other study, in place of an unknown object."""
    owner = two.mine.owner
    Membership.objects.create(study=two.other.study, user=owner, role="owner")
    token = new_api_token(owner, "one study", study=two.mine.study)[1]
    visitor = Visitor(authorization=f"Token {token}")
    route = next(route for route in ROUTES if (route.namespace, route.name) == ("api", name))
    path = route.path(two.mine.ids)
    other = two.other.ids[kind]
    unknown = 999 if kind == "system" else "?" * len(other)
    own, others, missing = (
        visitor.ask(route, method, path, body(value)) for value in (two.mine.ids[kind], other, unknown)
    )
    assert own.status not in (403, 404), own.text
    assert (others.status, len(others.text)) == (missing.status, len(missing.text))
    assert own.text != missing.text
    assert two.other.mark not in others.text
    assert not others.changed


@pytest.mark.parametrize("linked", ["excluded_studies", "admitted_studies"])
def test_a_token_for_one_study_cannot_link_other_studies(two: Two, linked: str) -> None:
    owner, study = two.mine.owner, two.mine.study
    Membership.objects.create(study=two.other.study, user=owner, role="owner")
    Study.objects.filter(pk=study.pk).update(admission="account", waiting_list=False)
    limited, whole = (new_api_token(owner, name, study=one)[1] for name, one in (("one", study), ("all", None)))
    path = reverse("api:study", kwargs={"study": two.mine.ids["study"]})

    def links(token: str, studies: list[str]) -> HttpResponse:
        body, headers = json.dumps({linked: studies}), {"Authorization": f"Token {token}"}
        return Client().patch(path, body, content_type="application/json", headers=headers)

    others = [two.other.ids["study"]]
    assert links(limited, others).content == links(limited, [UNKNOWN["study"]]).content
    assert links(limited, others).status_code == 400
    assert links(whole, others).status_code == 200
    assert links(limited, others).status_code == 200, "the study is already in the list"
    assert links(limited, []).status_code == 200


def test_reading_changes_nothing(two: Two) -> None:
    """GET requests by an owner, and by a read-only token, change no table, also where a page counts what it shows."""
    owner = two.mine.owner
    visitors = {
        "console": Visitor(user=owner),
        "api": Visitor(authorization=f"Token {new_api_token(owner, 'reader', scope='read')[1]}"),
    }
    for route in (route for route in ROUTES if "get" in route.methods):
        outcome = visitors[route.namespace].ask(route, "get", route.path(two.ids(route, two.mine)))
        assert not outcome.changed, f"{route.namespace}:{route.name}"


def test_annotators_reach_only_their_own_study_and_assignment(two: Two) -> None:
    """The cookie and the token of the other study's annotator open neither pages nor assignments of this study."""
    outsider = Client(raise_request_exception=False)
    outsider.cookies = cookies_of(two.other.annotator)
    token = {"Authorization": f"Participation {participation_token(two.other.annotator)}"}
    own = {"study_id": two.mine.ids["study"], "assignment_id": two.mine.ids["assignment"]}
    pages = ["hub", "accept", "object", "study", "withdraw", "pay", "pay-file", "guidelines", "survey", "start", "data"]
    pages += ["finish", "code", "mail-code", "not-me", "work"]
    for name in pages:
        part = "assignment_id" if name == "work" else "study_id"
        for method in ("get", "post"):
            with transaction.atomic(), changes() as changed:
                response = getattr(outsider, method)(reverse(f"annotator:{name}", kwargs={part: own[part]}))
                happened = changed()
                transaction.set_rollback(True)
            assert response.status_code in (404, 405), f"{method} {name}: {response.status_code}"
            assert not happened, f"{method} {name}"
    for name, method in {"assignment": "get", "return": "post", "submission": "post"}.items():
        path = reverse(f"api:{name}", kwargs={"assignment": own["assignment_id"]})
        body = json.dumps({"answers": []}) if name == "submission" else ""
        response = outsider.generic(method.upper(), path, body, content_type="application/json", headers=token)
        assert response.status_code == 404, f"{method} {name}: {response.status_code}"
