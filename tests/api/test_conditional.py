"""ETags and conditional writes, unknown query parameters, and files in multipart forms."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import URLPattern, URLResolver, get_resolver

from annotate.models import Membership, Study, User
from annotate.web.api.conditional import ConditionalView
from annotate.web.api.research import ResearchView
from tests.api.conftest import Api, refused
from tests.factories import make_study
from tests.rooms import rows

pytestmark = pytest.mark.django_db
# Endpoints that can be read and changed, but whose changes are steps of a process instead of versions of a resource.
STEPS = {"UploadView", "ExtensionView", *rows("STEPS")}


def view_classes(patterns: Any = None) -> set[type]:
    found: set[type] = set()
    for each in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(each, URLResolver):
            found |= view_classes(each.url_patterns)
        elif isinstance(each, URLPattern):
            found.add(getattr(each.callback, "cls", None) or getattr(each.callback, "view_class", object))
    return found


def test_every_resource_that_can_be_read_and_changed_supports_conditional_writes() -> None:
    editable = {
        view
        for view in view_classes()
        if issubclass(view, ResearchView)
        and hasattr(view, "get")
        and any(hasattr(view, method) for method in ("put", "patch", "delete"))
    }
    assert {view.__name__ for view in editable if not issubclass(view, ConditionalView)} == STEPS


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("path", "first", "second"),
    [
        ("", {"title": "One"}, {"title": "Two"}),
        ("", {"instructions": "One"}, {"reward": "0.70"}),
        ("/prolific", {"codes": {"completed": "ABC123"}}, {"needs_computer": True}),
    ],
)
def test_a_change_needs_the_version_that_was_read(
    user: User, owner: Api, path: str, first: dict[str, Any], second: dict[str, Any]
) -> None:
    study = make_study(user=user, items=0, state="draft")
    check_versions(owner, f"studies/{study.public_id}{path}", first, second)


def check_versions(owner: Api, url: str, first: dict[str, Any], second: dict[str, Any]) -> None:
    """Check that each of the two changes to a resource needs the current version."""
    tag = owner.get(url).headers["ETag"]
    assert owner.get(url).headers["ETag"] == tag
    assert owner.patch(url, first, If_Match=f'"other", {tag}').status_code == 200
    changed = owner.get(url)
    assert changed.headers["ETag"] != tag
    refused(owner.patch(url, second, If_Match=tag), 412, "changed")
    assert owner.get(url).json() == changed.json()
    assert owner.patch(url, second, If_Match="*").status_code == 200
    assert owner.patch(url, first).status_code == 200


def test_a_client_that_accepts_compressed_replies_can_make_changes(user: User, owner: Api) -> None:
    url = f"studies/{make_study(user=user, items=0, state='draft').public_id}"
    weak = f"W/{owner.get(url).headers['ETag']}"  # as compression changes the tag
    assert owner.patch(url, {"title": "One"}, If_Match=weak).status_code == 200
    refused(owner.patch(url, {"title": "Two"}, If_Match=weak), 412, "changed")


def test_a_draft_is_deleted_only_in_the_version_that_was_read(user: User, owner: Api) -> None:
    study = make_study(user=user, items=0, state="draft")
    url = f"studies/{study.public_id}"
    refused(owner.delete(url, If_Match='"earlier"'), 412, "changed")
    assert owner.delete(url, If_Match=owner.get(url).headers["ETag"]).status_code == 204
    refused(owner.get(url), 404, "not_found")


def test_a_refused_change_keeps_the_version(user: User, owner: Api) -> None:
    study = make_study(user=user, items=0, state="draft")
    url = f"studies/{study.public_id}"
    tag = owner.get(url).headers["ETag"]
    refused(owner.patch(url, {"judgements": 0, "title": "x"}, If_Match=tag), 400, "invalid", "judgements")
    assert owner.get(url).headers["ETag"] == tag


def test_conditions_reveal_nothing_about_other_studies(owner: Api, member: Callable[[Study, str], Api]) -> None:
    study = make_study(items=0, state="draft")
    refused(owner.patch(f"studies/{study.public_id}", {"title": "x"}, If_Match='"a"'), 404, "not_found")
    viewer = member(study, Membership.Role.VIEWER)
    refused(viewer.patch(f"studies/{study.public_id}", {"title": "x"}, If_Match="*"), 404, "not_found")
    study.refresh_from_db()
    assert study.title != "x"


def test_other_operations_refuse_a_condition(owner: Api) -> None:
    refused(owner.post("studies", {"title": "x", "task_type": "bws"}, If_Match='"a"'), 400, "invalid", "If-Match")


def test_unknown_query_parameters_are_named(user: User, owner: Api) -> None:
    study = make_study(user=user, items=0, state="draft")
    body = refused(owner.get("studies?pagesize=3&sate=open"), 400, "invalid", "pagesize", "sate")
    assert "page, page_size, state, search" in body["message"]
    assert owner.get("studies?page_size=3&state=open").status_code == 200
    refused(owner.get(f"studies/{study.public_id}?fields=title"), 400, "invalid", "fields")
    refused(owner.patch(f"studies/{study.public_id}?dry_run=true", {"title": "x"}), 400, "invalid", "dry_run")
    assert owner.get(f"studies/{study.public_id}/questions?kind=regular&page=1").status_code == 200


ROWS = b"id,text\n" + b"".join(b"%d,text %d\n" % (number, number) for number in range(8))


def test_a_form_needs_no_field_for_the_file_name(user: User, owner: Api) -> None:
    study = make_study(user=user, items=0, state="draft")
    url = f"/api/v1/studies/{study.public_id}/uploads"
    file = SimpleUploadedFile("pairs-1.csv", ROWS)
    sent = owner.client.post(url, {"purpose": "items", "file": file}, headers=owner.headers)
    assert (sent.status_code, sent.json()["filename"]) == (201, "pairs-1.csv")
    named = owner.client.post(
        url, {"purpose": "items", "filename": "b.csv", "file": SimpleUploadedFile("a.csv", ROWS)}, headers=owner.headers
    )
    assert (named.status_code, named.json()["filename"]) == (201, "b.csv")


def test_a_part_without_a_file_name_and_a_text_without_a_name_are_refused(user: User, owner: Api) -> None:
    study = make_study(user=user, items=0, state="draft")
    url = f"/api/v1/studies/{study.public_id}/uploads"
    text = owner.client.post(url, {"purpose": "items", "file": ROWS.decode()}, headers=owner.headers)
    body = refused(text, 400, "invalid", "file")
    assert "no file name" in body["message"]
    refused(owner.post(url, {"purpose": "items", "content": ROWS.decode()}), 400, "invalid", "filename")
