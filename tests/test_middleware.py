"""Addresses that no page could mean."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["/join/%00", "/s/a%00b", "/a/%00", "/console/%00/", "/?q=%00"])
def test_a_nul_is_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404
