"""Tests of every URL in a study with every kind of visitor. The URLs come from the URL table, so a new URL is either
tested or fails a test. The tables in test_permissions.py say which roles may send each request.

Two studies with different owners each contain one object of every kind. An ID of the other study must have the same
effect as an ID that does not exist: the same status, none of the other study's texts, and no change in any table.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.contrib.messages import get_messages
from django.db import connection, models, transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import URLResolver, get_resolver, reverse
from django.utils.http import urlencode

from alignment_ui.words.models import SampledPhrase
from annotate.core.permissions import PERMISSIONS, Action
from annotate.core.services.credentials import (
    INVITATION_LINKS,
    PERSONAL_LINKS,
    WAITING_LINKS,
    group_code,
    new_api_token,
    participation_token,
)
from annotate.models import Membership, Participation, Study
from annotate.models.compiled import update_all
from annotate.prolific.services.settings import begin_prolific
from annotate.recruiting.services.questionnaires import add_question
from annotate.server.encryption import decrypt
from annotate.web.api import research
from annotate.web.pages import access
from annotate.web.pages.remembered import remember
from evaluation.services.splits import SplitChoice, choose_split
from evaluation.services.systems import publish_table
from tests.api.openapi import check_response
from tests.core.test_permissions import API, CONSOLE, SPECIAL
from tests.factories import UserFactory, member_of
from tests.nested_objects import Objects
from tests.rooms import entries, rows
from tests.word_study import word_study

pytestmark = pytest.mark.django_db

# The kind of object that a parameter names on these URLs. Elsewhere, the parameter names the kind of the same name.
KINDS = {
    "number": {
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
        **entries("NUMBERS"),
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
    "audience": "crowd",
    "kind": "exclude",
    "panel": "systems",
    "slug": "systems",
    "page": "items",
    "filename": "report.json",
    "name": "age",
    "table": "gold",
    "position": 1,
}
CHOICES_ON_PAGE = {
    ("report", "kind"): "results",
    ("submissions-file", "filename"): "prolific-submissions.csv",
    ("download", "filename"): "scores.csv",
    ("payments-file", "filename"): "payments.csv",
    ("export", "filename"): "scores.csv",
    **entries("CHOICES_ON_PAGE"),
}
# What these pages need in the query.
QUERIES = {
    ("console", "new-person-question"): "?kind=number",
    ("console", "compare-systems"): "?one={system}&other={system}",
    ("api", "compare-systems"): "?first={system}&second={system}",
}
# Pages that the owner of this study cannot open yet, with their status. The rest of the request is the same.
NOT_YET = {
    ("api", "unopened"): 409,  # no setting has changed since the questions were built
    ("api", "extension"): 409,  # all items are in the design
    ("console", "submissions-preview"): 302,  # the import was confirmed
    ("console", "compare-systems"): 422,  # there is no second system
    ("api", "compare-systems"): 400,
    **entries("NOT_YET"),
}
UNKNOWN = {
    "study": "A" * 22,
    **dict.fromkeys(["report", "other", "round", "system", "guidelines", *rows("NUMBERED")], 999),
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
STATES = {"open": Action.OPEN, "paused": Action.PAUSE, "closed": Action.CLOSE, "archived": Action.ARCHIVE}
METHODS = ("get", "post", "put", "patch", "delete")
SECRET_FIELD = re.compile(r"(^|_)(token|secret|codes?|key|hash)(_|$)")
# Fields whose names match, but whose values are not secrets: names of rows and of columns, and digests of files.
NOT_SECRET = {"annotate.Item.key", "annotate.ReportedSubmission.code", *rows("NOT_SECRET")}


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

    def path(self, ids: dict[str, Any], **choices: str) -> str:
        values = {
            part: choices.get(part) or CHOICES_ON_PAGE.get((self.name, part), CHOICES[part])
            if part in CHOICES
            else ids[self.kind(part)]
            for part in self.parts
        }
        return reverse(f"{self.namespace}:{self.name}", kwargs=values)

    def action(self, method: str) -> Action:
        if self.namespace == "console":
            return CONSOLE[self.name]
        return (
            Action.CALCULATE_REPORTS if self.name == "job-again" else API[method, self.name][0]
        )  # its job is a report


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
# One page and one operation for each action. test_permissions.py compares the action of every page.
SAMPLE = set({CONSOLE[route.name]: route for route in ROUTES if route.namespace == "console"}.values())
API_SAMPLE = set({(action, method): (method, name) for (method, name), (action, _) in API.items()}.values())


class Two:
    """Two studies, `mine` and `other`. The owner of `mine` also owns `other`, so that the objects of `other` are not
    unknown just because the owner has no role there.
    """

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
        study, owner = self.mine.study, self.mine.owner
        Membership.objects.create(study=self.other.study, user=owner, role="owner")
        age = {"name": CHOICES["name"], "label": "How old are you?", "kind": "number"}
        add_question(study.pk, CHOICES["questionnaire"], age, revision=0, user=owner)
        publish_table(study.pk, heading="Systems", user=owner)
        choose_split(study.pk, SplitChoice(), user=owner)

    def ids(self, route: Route, of: Objects) -> dict[str, Any]:
        return of.ids | ({"study": of.ids["words"]} if route.name.startswith("phrase-") else {})

    def path(self, route: Route, **other: Any) -> str:
        query = QUERIES.get((route.namespace, route.name), "").format(**self.mine.ids)
        return route.path(self.ids(route, self.mine) | other) + query


@pytest.fixture(scope="module")
def two(share: Callable[..., Any]) -> Two:
    return share(Two)


@pytest.fixture(autouse=True)
def _no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rest_framework.throttling.SimpleRateThrottle.allow_request", lambda *_: True)


@pytest.fixture
def permitted(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Return a list that gets, for each check of a role before a page or an operation, whether the role may go on."""
    answers: list[bool] = []
    console, study_for = access.StudyConsole, research.study_for

    def page(study: Study, path: str) -> access.StudyConsole:
        answers.append(True)
        return console(study, path)

    def operation(*arguments: Any, **named: Any) -> Study:
        answers.append(False)
        found = study_for(*arguments, **named)
        answers[-1] = True
        return found

    monkeypatch.setattr(access, "StudyConsole", page)
    monkeypatch.setattr(research, "study_for", operation)
    return answers


class Visitor:
    """A client of the console or the API, whose changes are rolled back after each request.

    Visitors without a role get `refusal` as the status of every request, and cannot tell a study from one that does not
    exist. Visitors with `sample` request one page of the console or one operation of the API per action.
    """

    def __init__(
        self,
        name: str = "",
        *,
        user: Any = None,
        authorization: str = "",
        cookies: Any = None,
        role: str = "",
        refusal: int = 404,
        sample: bool = False,
        read_only: bool = False,
    ) -> None:
        self.client = Client(raise_request_exception=False)
        if user:
            self.client.force_login(user)
        if cookies:
            self.client.cookies = cookies
        self.headers = {"Authorization": authorization} if authorization else {}
        self.name, self.role, self.refusal, self.sample, self.read_only = name, role, refusal, sample, read_only

    def may(self, action: Action, method: str) -> bool:
        return self.role in PERMISSIONS[action].roles and (method == "get" or not self.read_only)

    def skips(self, route: Route, method: str, *, allowed: bool) -> bool:
        """Return whether another page of the same action is enough."""
        if route.namespace == "api":
            return self.sample and (method, route.name) not in API_SAMPLE
        if route in SAMPLE or self.role == "owner":
            return False
        return self.sample or (allowed and method == "post")

    def ask(self, route: Route, method: str, path: str, body: Any = None, *, conforms: bool = False) -> "Outcome":
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
                method.upper(),
                path,
                data if method not in ("get", "head") else "",
                content_type=content_type,
                headers=self.headers,
            )
            if conforms and route.namespace == "api":
                check_response(method, path, response)
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
        if re.match(WRITES, sql) and not re.search(UNREMARKABLE, sql):
            changed |= context["cursor"].rowcount != 0
        return result

    with connection.execute_wrapper(watch):
        yield lambda: changed


WRITES = re.compile(r"\s*(WITH\s.*\)\s*)?(INSERT|UPDATE|DELETE)\b", re.DOTALL)
# Tables and columns that a request to read can change: sessions, when a token was last used, and the agreement on each
# question, which is calculated again from the answers when a page needs it.
UNREMARKABLE = r'"django_session"|"annotate_apitoken" SET "used_at"|"annotate_figuresstate"|"annotate_questionfigures"'


def token_of(user: Any, **options: Any) -> str:
    return f"Token {new_api_token(user, 'script', **options)[1]}"


def visitors(two: Two) -> dict[str, list[Visitor]]:
    """Return the visitors of the console and of the API, the owner first."""
    mine, other = two.mine, two.other
    people = {role: member_of(mine.study, role) for role in ("viewer", "reviewer", "manager")}
    for role, user in people.items():
        Membership.objects.create(study=Study.objects.get(public_id=mine.ids["words"]), user=user, role=role)
    administrator = UserFactory(is_staff=True, is_superuser=True)
    console = [
        Visitor("owner", user=mine.owner, role="owner"),
        *(Visitor(role, user=user, role=role, sample=role == "manager") for role, user in people.items()),
        Visitor("nobody", refusal=302),
        Visitor("annotator", cookies=cookies_of(mine.annotator), refusal=302, sample=True),
        Visitor("owner of the other study", user=other.owner),
        Visitor("administrator", user=administrator, sample=True),
    ]
    api = [
        Visitor("owner", authorization=token_of(mine.owner), role="owner"),
        *(Visitor(role, authorization=token_of(user), role=role) for role, user in people.items()),
        reader(two),
        Visitor("nobody", refusal=401),
        Visitor("owner of the other study", user=other.owner),
        Visitor("token for the other study", authorization=token_of(mine.owner, study=other.study)),
        Visitor("administrator", authorization=token_of(administrator), sample=True),
        *(
            Visitor(name, authorization=f"Participation {participation_token(who)}", refusal=401, sample=sample)
            for name, who, sample in (("annotator", mine.annotator, False), ("program", mine.program, True))
        ),
    ]
    return {"console": console, "api": api}


def reader(two: Two) -> Visitor:
    """Return the owner with a token that only reads."""
    authorization = token_of(two.mine.owner, scope="read")
    return Visitor("reader", authorization=authorization, role="owner", read_only=True, refusal=403)


def cookies_of(participation: Participation) -> Any:
    return remember(RequestFactory().get("/"), HttpResponse(), participation).cookies


def test_every_nested_parameter_of_every_url_is_known(two: Two) -> None:
    unknown = {
        (route.namespace, route.name, part)
        for route in NESTED
        for part in route.nested
        if route.kind(part) not in two.mine.ids
    }
    assert not unknown, "add the object to tests/nested_objects.py"
    assert len(NESTED) > 100


def test_every_form_of_statement_is_noticed(two: Two) -> None:
    study = Study.objects.get(pk=two.mine.study.pk)
    with changes() as changed:
        list(Study.objects.select_for_update())
        Study.objects.filter(pk=-1).update(title="x")
        assert not changed()
        update_all([study], ["title"])
        assert changed()


def test_every_request_of_every_visitor(two: Two, permitted: list[bool]) -> None:
    """Each visitor sends each request once. Roles, secrets, changes and other studies' IDs are checked on one response,
    because the pages take most of the time.
    """
    everybody, secrets, reached = visitors(two), all_secrets(two.mine), set[tuple[str, str, str]]()
    faults, opened, shown_to_owner = [], 0, set[str]()
    for route, method in [(each, method) for each in ROUTES for method in each.methods if each.name != "state"]:
        action = route.action(method)
        unknown: dict[int, Outcome] = {}  # the reply about a study that does not exist, once for each kind of refusal
        for who in everybody[route.namespace]:
            allowed = who.may(action, method)
            if who.skips(route, method, allowed=allowed):
                continue
            permitted.clear()
            found = who.ask(route, method, two.path(route), conforms=True)
            wrong = []
            if bool(permitted and all(permitted)) != allowed:
                wrong.append("must be permitted" if allowed else "must not be permitted")
            if not allowed and found.status != who.refusal:
                wrong.append(f"not {who.refusal}")
            if allowed and method == "get" and found.status not in (405, opens := NOT_YET.get(route[:2], 200)):
                wrong.append(f"not {opens}")
            if found.changed and (method == "get" or not allowed):
                wrong.append("changes a table")
            if not who.role:
                if who.refusal not in unknown:
                    unknown[who.refusal] = who.ask(route, method, two.path(route, study=UNKNOWN["study"]))
                missing = unknown[who.refusal]
                own = found.text.replace(two.ids(route, two.mine)["study"], "")
                if found.status != missing.status or own.count(two.mine.mark) > missing.text.count(two.mine.mark):
                    wrong.append("differs from a study that does not exist")
            if who.name == "owner":
                wrong += faults_of_owner(two, who, route, method, found, reached)
                shown_to_owner |= {*shown(found.text, secrets)} if route.namespace == "console" else set()
            elif method == "get" and who.role and who.name != "manager":
                wrong += [f"shows {name}" for name in shown(found.text, secrets)]
            opened += found.status == 200
            faults += [f"{method} {route.namespace}:{route.name} as {who.name}: {found.status}, {it}" for it in wrong]
    assert not faults, "\n".join(faults)
    assert opened > 500
    assert {"annotate.Study.join_token", "personal link", "group code"} <= shown_to_owner, "secrets are not noticed"
    left = sorted({(each.namespace, each.name, part) for each in NESTED for part in each.nested} - reached - SAME_ERROR)
    assert not left, f"{left}: the test would not notice another study's object here"


def faults_of_owner(
    two: Two, owner: Visitor, route: Route, method: str, found: Outcome, reached: set[tuple[str, str, str]]
) -> list[str]:
    """The owner of both studies opens every page, also with HEAD, and names objects of the other study in the URLs of
    this study.
    """
    wrong = []
    if method == "get":
        wrong += ["changes a table with HEAD"] if owner.ask(route, "head", two.path(route)).changed else []
    wrong += ["fails"] if found.status >= 500 else []
    for part in route.nested:
        kind = route.kind(part)
        other = two.other.ids[kind]
        mixed = owner.ask(route, method, two.path(route, **{kind: other}))
        missing = owner.ask(route, method, two.path(route, **{kind: UNKNOWN.get(kind, "A" * 22)}))
        named = two.other.mark in mixed.text and two.other.mark not in str(other)
        if mixed.status != missing.status or mixed.changed or named:
            wrong.append(f"{mixed.status} with another study's {kind}")
        if found.status != missing.status or found.changed or len(found.text) != len(missing.text):
            reached.add((route.namespace, route.name, part))
    return wrong


def test_codes_of_prolific_are_for_people_who_can_invite(two: Two) -> None:
    Study.objects.filter(pk=two.mine.study.pk).update(recruitment=Study.Recruitment.PROLIFIC)
    two.mine.study.refresh_from_db()
    begin_prolific(two.mine.study)
    secrets = all_secrets(two.mine)
    assert any(name.startswith("annotate.ProlificSettings.codes[") for name in secrets)
    user = member_of(two.mine.study, "reviewer")
    everybody = {"console": [Visitor(user=user)], "api": [Visitor(authorization=token_of(user)), reader(two)]}
    faults = []
    for route in (route for route in ROUTES if "get" in route.methods):
        for who in everybody[route.namespace]:
            text = who.ask(route, "get", two.path(route)).text
            faults += [f"{route.namespace}:{route.name} shows {name}" for name in shown(text, secrets)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(("name", "action"), SPECIAL)
def test_requests_that_need_more_than_their_page(name: str, action: str, two: Two) -> None:
    route = next(route for route in ROUTES if (route.namespace, route.name) == ("console", name))
    for who in visitors(two)["console"]:
        found = who.ask(route, "post", route.path(two.mine.ids, action=action), {"title": "Changed"})
        if who.may(SPECIAL[name, action], "post"):
            assert found.status in (302, 422), who.name
        else:
            assert (found.status, found.changed) == (who.refusal, False), who.name


@pytest.mark.parametrize("state", STATES)
def test_states_that_need_other_roles(state: str, two: Two, permitted: list[bool]) -> None:
    route = next(route for route in ROUTES if (route.namespace, route.name) == ("api", "state"))
    for who in visitors(two)["api"]:
        permitted.clear()
        found = who.ask(route, "put", two.path(route), {"state": state})
        allowed = who.may(STATES[state], "put")
        assert bool(permitted and all(permitted)) == allowed, who.name
        assert allowed or (found.status, found.changed) == (who.refusal, False), who.name


def test_templates_offer_what_the_role_and_the_state_allow(two: Two) -> None:
    study = Study.objects.get(pk=two.mine.study.pk)
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


# Requests whose body or query parameters name an object, with the name of the object as an argument.
NAMED = [
    ("get", "compare-reports", "study", lambda name: {"study": name}),
    ("post", "settings-import", "study", lambda name: {"from_study": name, "steps": ["pay"]}),
    *rows("NAMED"),
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


def shown(text: str, secrets: dict[str, str | re.Pattern[str]]) -> list[str]:
    return [
        name for name, it in secrets.items() if (it in text if isinstance(it, str) else it.search(text) is not None)
    ]


def all_secrets(objects: Objects) -> dict[str, str | re.Pattern[str]]:
    """Return the stored secrets, the secrets that are calculated from IDs, and patterns of the links that contain any
    secret.
    """
    stored = stored_secrets(objects.study)
    assert {"annotate.Study.join_token", *(f"{label} decrypted" for label in rows("ENCRYPTED"))} <= stored.keys()
    return {**stored, **drawn_secrets(objects), **{link.pattern: link for link in secret_links()}}


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
        if label in rows("ENCRYPTED"):
            yield " decrypted", decrypt(value)


def drawn_secrets(objects: Objects) -> dict[str, str]:
    """Return the secrets that are calculated from IDs."""
    ids, token = objects.ids, lambda path: path.strip("/").split("/")[1]
    return {
        "personal link": token(PERSONAL_LINKS.path(ids["named"])),
        "waiting link": token(WAITING_LINKS.path(ids["person"])),
        "group code": group_code(ids["group"]),
        "invitation": token(INVITATION_LINKS.path(ids["invitation"])),
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
