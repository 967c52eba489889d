"""Tests of lists that grow while a script reads them, and of answers as a stream."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import pytest

from annotate.models import Study
from tests.api.conftest import Api, refused
from tests.factories import do_hit, make_annotator, make_study

pytestmark = pytest.mark.django_db


def pages(api: Api, path: str) -> Iterator[list[dict[str, Any]]]:
    """Yield the pages of a list, following `next`."""
    url: str | None = f"/api/v1/{path}"
    while url:
        page = api.get(url.replace("http://testserver", "")).json()
        yield page["results"]
        url = page["next"]


@pytest.fixture(scope="module")
def answered(share: Callable[..., Study]) -> Study:
    def make() -> Study:
        study = make_study(items=10, gold=3, judgements=2)
        for _ in range(3):
            annotator = make_annotator(study)
            for _ in range(2):
                do_hit(annotator)
        return study

    return share(make)


@pytest.fixture
def viewer(member: Callable[[Study, str], Api], answered: Study) -> Api:
    return member(answered, "viewer")


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["answers", "assignments", "annotators", "events"])
def test_cursors_lead_through_the_whole_list_once(name: str, viewer: Api, answered: Study) -> None:
    path = f"studies/{answered.public_id}/{name}"
    [whole] = pages(viewer, f"{path}?page_size=1000")
    parts = list(pages(viewer, f"{path}?page_size=2"))
    assert len(whole) > 2
    assert [row for part in parts for row in part] == whole
    assert {len(part) for part in parts[:-1]} == {2}


@pytest.mark.parametrize(("name", "newest_first"), [("assignments", False), ("events", True)])
def test_new_rows_neither_repeat_nor_skip_others(name: str, newest_first: bool, viewer: Api, answered: Study) -> None:
    path = f"studies/{answered.public_id}/{name}?page_size=3"
    [before] = pages(viewer, f"{path}&page_size=1000")
    rows: list[dict[str, Any]] = []
    for page in pages(viewer, path):
        rows += page
        if len(rows) == 3:
            do_hit(make_annotator(Study.objects.get(pk=answered.pk)))
    assert rows[: len(before)] == before
    assert (len(rows) == len(before)) is newest_first, "new entries are at the end that the script has yet to read"


def test_a_cursor_that_the_api_has_not_issued_is_refused(viewer: Api, answered: Study) -> None:
    for cursor in ("x", b64encode(b"p=abc").decode(), b64encode(b"p=" + b"9" * 19).decode(), "%F0%9F%92%A9"):
        refused(viewer.get(f"studies/{answered.public_id}/answers?cursor={quote(cursor)}"), 404, "not_found")
