"""Two studies with one object of every kind, and the visitors who send requests to their pages and operations."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.contrib.messages import get_messages
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils.http import urlencode

from alignment_ui.words.models import SampledPhrase
from annotate.core.permissions import PERMISSIONS, Action
from annotate.core.services.credentials import new_api_token, participation_token
from annotate.models import Membership, Participation, Study
from annotate.recruiting.services.questionnaires import add_question
from annotate.web.pages.remembered import remember
from evaluation.services.splits import SplitChoice, choose_split
from evaluation.services.systems import publish_table
from tests.api.openapi import check_response
from tests.core.test_permissions import API
from tests.factories import UserFactory, member_of
from tests.nested_objects import Objects
from tests.web.study_access.routes import API_SAMPLE, CHOICES, FORMS, QUERIES, SAMPLE, Route
from tests.word_study import word_study


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


class Visitor:
    """A client of the console or the API, whose changes are rolled back after each request.

    Visitors without a role get `refusal` as the status of every request, and cannot tell a study from one that does not
    exist. Visitors with `sample` request one page of the console or one operation of the API per action. The owner
    sends every request, a reviewer opens every page, and all others send one permitted request per action.
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
        """Return whether another request of the same action is enough."""
        if self.name == "owner" or (
            route in SAMPLE if route.namespace == "console" else (method, route.name) in API_SAMPLE
        ):
            return False
        return self.sample or (allowed and (self.role, method) != ("reviewer", "get"))

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
