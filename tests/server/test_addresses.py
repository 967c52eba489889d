"""Tests of the client's address: forged headers have no effect, and only the configured number of proxies
is trusted.
"""

from __future__ import annotations

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from annotate.server.addresses import client_address, client_network

PEER = "192.0.2.1"


def seen(header: str | None = None, peer: str = PEER) -> str:
    return client_address(_request(header, peer))


def _request(header: str | None, peer: str):
    sent = {} if header is None else {"HTTP_X_FORWARDED_FOR": header}
    return RequestFactory().get("/", REMOTE_ADDR=peer, **sent)


@pytest.mark.parametrize("header", [None, "", "203.0.113.9", "203.0.113.9, 10.0.0.1", "not an address"])
def test_without_proxies_the_header_is_ignored(settings: Settings, header: str | None) -> None:
    settings.PROXIES = 0
    assert seen(header) == PEER


@pytest.mark.parametrize(
    ("proxies", "header", "address"),
    [
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.7, 203.0.113.9", "203.0.113.9"),  # the client forged the first entry
        (1, "203.0.113.9,,  ", "203.0.113.9"),
        (2, "198.51.100.7, 203.0.113.9, 10.0.0.1", "203.0.113.9"),
        (2, "203.0.113.9", PEER),  # the request passed only one of two proxies, so anyone could have written this entry
        (1, None, PEER),
        (1, "unknown", PEER),
        (1, "203.0.113.9:51234", "203.0.113.9"),
        (1, "[2001:DB8::1]:443", "2001:db8::1"),
        (1, "2001:db8:0:0::1", "2001:db8::1"),
        (1, "::ffff:203.0.113.9", "203.0.113.9"),
    ],
)
def test_the_entry_that_our_own_outermost_proxy_appended_counts(
    settings: Settings, proxies: int, header: str | None, address: str
) -> None:
    settings.PROXIES = proxies
    assert seen(header) == address


def test_a_server_on_a_unix_socket_knows_no_peer(settings: Settings) -> None:
    settings.PROXIES = 0
    assert seen(peer="") == ""


@pytest.mark.parametrize(
    ("peer", "network"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_an_ipv6_client_is_its_whole_network(settings: Settings, peer: str, network: str) -> None:
    settings.PROXIES = 0
    assert client_network(_request(None, peer)) == network
