"""Tests that requests above the size limit are rejected by their stated size before any of the body is read."""

from io import BytesIO
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory
from django.urls import resolve

from annotate.core.services.credentials import new_api_token, participation_token
from annotate.models import Study
from annotate.web.body_limits import BodyLimits
from tests.factories import UserFactory, make_annotator, make_study, take

pytestmark = pytest.mark.django_db


class Unread(BytesIO):
    """A request body that raises an error if it is read."""

    def read(self, *size: int) -> bytes:
        raise AssertionError("the body was read")

    readline = read  # type: ignore[assignment]


@pytest.fixture
def limits(settings: Any) -> dict[str, int]:
    settings.BODY_LIMITS = {
        **settings.BODY_LIMITS,
        "answer": 500,
        "submission": 700,
        "form": 2_000,
        "json": 2_000,
        "small": 300,
        "json_upload": 3_000,
        "upload": 4_000,
    }
    return settings.BODY_LIMITS


def send(client: Client, method: str, path: str, size: int, **more: Any) -> Any:
    body = b'{"x": "' + b"a" * (size - 9) + b'"}'
    return client.generic(method, path, body, **{"content_type": "application/json"} | more)


@pytest.mark.parametrize(
    ("method", "path", "limit"),
    [
        ("PUT", "{a}/answers/1", "answer"),
        ("PUT", "{a}/answers/1/draft", "answer"),
        ("POST", "{a}/submission", "submission"),
        ("POST", "{a}/answers/1/acknowledgement", "small"),
        ("POST", "/api/v1/claims", "small"),
        ("POST", "/api/v1/resume-code", "small"),
    ],
)
def test_each_endpoint_of_annotation_has_its_own_limit(
    client: Client, limits: dict[str, int], method: str, path: str, limit: str
) -> None:
    participation = make_annotator(make_study())
    path = path.format(a=f"/api/v1/assignments/{take(participation).public_id}")
    headers = {"Authorization": f"Participation {participation_token(participation)}"}
    assert send(client, method, path, limits[limit], headers=headers).status_code != 413
    refused = send(client, method, path, limits[limit] + 1, headers=headers)
    assert refused.status_code == 413
    assert refused.json()["code"] == "too-large"
    assert set(refused.json()) == {"code", "message", "fields"}


def test_annotators_read_the_refusal_in_their_language(client: Client, limits: dict[str, int]) -> None:
    participation = make_annotator(make_study(language="de"))
    german, words = {"Accept-Language": "de"}, "Die Anfrage ist größer als die Grenze von"
    page = send(client, "POST", f"/s/{participation.study.public_id}/objection", limits["form"] + 1, headers=german)
    assert (page.status_code, words in page.content.decode()) == (413, True)
    headers = german | {"Authorization": f"Participation {participation_token(participation)}"}
    path = f"/api/v1/assignments/{take(participation).public_id}/answers/1"
    assert words in send(client, "PUT", path, limits["answer"] + 1, headers=headers).json()["message"]


def test_nothing_of_a_request_that_is_too_large_is_read(limits: dict[str, int]) -> None:
    path = "/api/v1/claims"
    request = RequestFactory().post(path, content_type="application/json")
    request.META["CONTENT_LENGTH"] = str(limits["small"] + 1)
    request._stream = Unread()
    refused = BodyLimits(lambda request: pytest.fail("the view ran")).process_view(request, resolve(path).func)
    assert refused is not None
    assert refused.status_code == 413


@pytest.mark.parametrize("stated", ["", "x", "-1"])
def test_without_a_stated_size_nothing_is_read(client: Client, stated: str) -> None:
    key = new_api_token(UserFactory(), "script")[1]
    request = client.generic(
        "POST",
        "/api/v1/studies",
        b'{"title": "T", "task_type": "bws"}',
        content_type="application/json",
        CONTENT_LENGTH=stated,
        headers={"Authorization": f"Token {key}"},
    )
    assert request.status_code == 400
    assert not Study.objects.exists()


def test_only_members_can_send_a_large_file(client: Client, limits: dict[str, int]) -> None:
    owner = UserFactory()
    study = make_study(user=owner, state="draft")
    path = f"/console/{study.public_id}/bring/items/"

    def upload(size: int) -> int:
        return client.post(path, {"file": SimpleUploadedFile("i.csv", b"a" * size)}).status_code

    assert upload(2_500) == 413  # nobody has signed in
    client.force_login(owner)
    assert upload(2_500) != 413
    assert upload(4_500) == 413


def test_a_form_that_is_too_large_gets_a_page(client: Client, limits: dict[str, int]) -> None:
    refused = client.post("/accounts/login/", {"login": "a" * 3_000})
    assert refused.status_code == 413
    assert "The request is larger than the limit of" in refused.content.decode()


def test_json_with_a_file_has_a_limit_below_that_of_files(client: Client, limits: dict[str, int]) -> None:
    owner = UserFactory()
    headers = {"Authorization": f"Token {new_api_token(owner, 'script')[1]}"}
    path = f"/api/v1/studies/{make_study(user=owner, state='draft').public_id}/uploads"
    assert send(client, "POST", path, 3_000, headers=headers).status_code == 400  # read, and not the right fields
    assert send(client, "POST", path, 3_001, headers=headers).status_code == 413


def test_the_defaults_leave_annotation_little_and_files_much() -> None:
    limits = django_settings.BODY_LIMITS
    assert limits["small"] < limits["answer"] < limits["submission"] <= 2 << 20
    assert limits["submission"] <= limits["json_upload"] < limits["upload"]
    assert limits["form"] == django_settings.DATA_UPLOAD_MAX_MEMORY_SIZE


@pytest.mark.parametrize("content_type", ["*/*", "application/*"])
def test_a_large_upload_with_a_wildcard_content_type_gets_json(content_type: str) -> None:
    user = UserFactory()
    study = make_study(user=user, state="draft")
    _, key = new_api_token(user, "script")
    response = Client().generic(
        "POST",
        f"/api/v1/studies/{study.public_id}/uploads",
        b"{" + b" " * (3 << 20) + b"}",
        content_type=content_type,
        headers={"Authorization": f"Token {key}"},
    )
    assert response.status_code == 413
    assert response.json()["code"] == "too-large"
