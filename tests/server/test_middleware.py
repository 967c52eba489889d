"""Tests of addresses that no page can have."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("form", [{"reason": "a\x00b"}, {"a\x00b": "reason"}])
@pytest.mark.parametrize("path", ["/join/abc", "/resume", "/accounts/login/", "/console/abc/annotators/x/stop/"])
def test_a_nul_in_a_form_is_refused(client: Client, path: str, form: dict[str, str]) -> None:
    refused = client.post(path, form)
    assert refused.status_code == 400
    assert "characters that Accord cannot store" in refused.content.decode()


@pytest.mark.parametrize("path", ["/join/%00", "/s/a%00b", "/a/%00", "/console/%00/", "/?q=%00"])
def test_a_nul_is_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.nightly
@pytest.mark.parametrize("path", ["/console/", "/accounts/login/", "/api/v1/studies"])
def test_a_cookie_with_a_nul_is_ignored(client: Client, path: str) -> None:
    response = client.get(path, HTTP_COOKIE='sessionid="aaaaaaaa\\000aaaa"; other=kept')
    assert response.status_code in (200, 302, 401)
    assert response.wsgi_request.COOKIES == {"other": "kept"}
