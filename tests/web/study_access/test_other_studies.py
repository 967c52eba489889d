"""Tests that bodies, queries, tokens and cookies of one study do not reach objects of another."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotate.core.services.credentials import new_api_token, participation_token
from annotate.models import Study
from tests.rooms import rows
from tests.web.study_access.routes import ROUTES, UNKNOWN
from tests.web.study_access.visitors import Two, Visitor, changes, cookies_of

pytestmark = pytest.mark.django_db

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


@pytest.mark.nightly
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
