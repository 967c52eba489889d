"""Tests that text that databases cannot store and deeply nested JSON are rejected with their position, on PostgreSQL
and on SQLite.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from annotate.models import Participation, Study, User
from tests.api.conftest import Api, refused
from tests.factories import make_annotator, make_study, take

pytestmark = [pytest.mark.django_db, pytest.mark.rules]
NUL, HALF = "a\x00b", "\ud83d"


@pytest.fixture
def assignment(page: Callable[[Participation], Api]) -> tuple[Api, str]:
    participation = make_annotator(make_study())
    return page(participation), f"assignments/{take(participation).public_id}"


@pytest.mark.parametrize(
    ("draft", "field"),
    [
        (NUL, "draft"),
        (HALF, "draft"),
        ({"best": NUL}, "draft.best"),
        ([1, {"x": [HALF]}], "draft.1.x.0"),
        ({NUL: 1}, "draft"),
        ({HALF: 1}, "draft"),
    ],
)
def test_text_that_cannot_be_stored_is_named(assignment: tuple[Api, str], draft: Any, field: str) -> None:
    api, path = assignment
    refused(api.put(f"{path}/answers/1/draft", {"draft": draft, "revision": 1}), 400, "invalid", field)
    refused(api.put(f"{path}/answers/1", {"value": draft}), 400, "invalid", field.replace("draft", "value"))


@pytest.mark.parametrize("draft", ["😀", "\U0010ffff", "\ufffe", "\u2028", "‮", {"": ""}, 10**40, [[[[]]]]])
def test_whatever_can_be_stored_comes_back_as_it_was(assignment: tuple[Api, str], draft: Any) -> None:
    api, path = assignment
    assert api.put(f"{path}/answers/1/draft", {"draft": draft, "revision": 1}).status_code == 200
    assert api.get(path).json()["questions"][0]["draft"] == draft


@pytest.mark.parametrize("depth", [60, 500, 990, 100_000])
def test_json_without_a_bottom_is_refused(assignment: tuple[Api, str], depth: int) -> None:
    api, path = assignment
    text = '{"revision": 1, "draft": ' + "[" * depth + "]" * depth + "}"
    response = api.client.put(
        f"/api/v1/{path}/answers/1/draft", text, content_type="application/json", headers=api.headers
    )
    assert response.status_code == 400
    assert "nested too deeply" in response.json()["message"]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 400, "9" * 5000])
def test_numbers_that_are_none_are_refused(assignment: tuple[Api, str], number: str) -> None:
    api, path = assignment
    text = f'{{"value": {json.dumps({"best": 1, "worst": 2})}, "seconds": {number}}}'
    response = api.client.put(f"/api/v1/{path}/answers/1", text, content_type="application/json", headers=api.headers)
    assert response.status_code == 400
    assert set(response.json()) == {"code", "message", "fields"}


@pytest.mark.parametrize("number", ["1e999", "-1e999", "9" * 400])
@pytest.mark.parametrize("value", ["{0}", '{{"best": {0}}}', "[[1, {0}]]"])
def test_numbers_too_large_for_the_database_are_refused_wherever_they_are(
    assignment: tuple[Api, str], number: str, value: str
) -> None:
    api, path = assignment
    for end, text in (
        ("answers/1", f'{{"value": {value.format(number)}}}'),
        ("answers/1/draft", f'{{"revision": 1, "draft": {value.format(number)}}}'),
        ("submission", f'{{"answers": [{{"position": 1, "value": {value.format(number)}}}]}}'),
    ):
        method = api.client.post if end == "submission" else api.client.put
        response = method(f"/api/v1/{path}/{end}", text, content_type="application/json", headers=api.headers)
        assert response.status_code == 400, end
        assert response.json()["code"] == "invalid"


@pytest.mark.parametrize("query", ["page=%00", "%00=1", "page_size=1%00"])
def test_a_query_with_a_nul_is_refused(owner: Api, query: str) -> None:
    refused(owner.get(f"studies?{query}"), 400, "parse_error")


@pytest.mark.nightly
def test_no_reply_is_kept_by_browsers_or_proxies(owner: Api, assignment: tuple[Api, str], nobody: Api) -> None:
    api, path = assignment
    replies = [
        api.get(path),
        api.put(f"{path}/answers/1", {"value": 1}),
        owner.get("studies"),
        nobody.get("studies"),
        nobody.get("nothing/here"),
        nobody.get("schema/"),
    ]
    for reply in replies:
        assert "no-store" in reply["Cache-Control"], reply


def test_an_error_of_the_server_says_nothing_of_its_inside(
    owner: Api, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError('relation "annotate_study" does not exist at 10.0.0.7')

    monkeypatch.setattr("annotate.results.api.exports_for", broken)
    owner.client.raise_request_exception = False
    body = refused(owner.get(f"studies/{make_study(user=user).public_id}/exports"), 500, "internal")
    assert "annotate_study" not in str(body)


@pytest.mark.parametrize("text", [NUL, HALF])
@pytest.mark.parametrize("field", ["title", "instructions", "consent", "protocol_number"])
def test_settings_refuse_it_too(owner: Api, field: str, text: str) -> None:
    refused(owner.post("studies", {"title": "S", "task_type": "bws", field: text}), 400, "invalid", field)
    refused(
        owner.post("studies", {"title": "S", "task_type": "bws", "options": {"noun": text}}),
        400,
        "invalid",
        "options.noun",
    )
    assert not Study.objects.exists()


@pytest.mark.parametrize(
    "path",
    [
        "studies/%00",
        "studies/%00/items",
        "{study}/jobs/a%00",
        "{study}/annotators/%00/stop",
        "{study}/uploads/%00/import",
        "{study}/exports/%00.csv",
    ],
)
def test_a_path_with_a_nul_leads_nowhere(owner: Api, user: User, path: str) -> None:
    study = make_study(user=user)
    response = owner.ask(
        "POST" if path.endswith(("stop", "import")) else "GET", path.format(study=f"studies/{study.public_id}"), {}
    )
    refused(response, 404, "not_found")
