"""Addresses that no page could mean."""

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
