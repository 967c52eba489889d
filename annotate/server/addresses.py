"""Functions that determine a request's client address. Rate limits use the client's address, which clients cannot
forge.
"""

from __future__ import annotations

import ipaddress
import re

from django.conf import settings
from django.http import HttpRequest

IPV6_NETWORK = 64  # bits: a household or a phone is assigned at least a /64 and can use any address in it
_PORT = re.compile(r"^(?:\[([^]]+)\](?::\d+)?|([^:]+):\d+)$")  # [2001:db8::1]:443, 203.0.113.9:443


def client_address(request: HttpRequest) -> str:
    """Return the client's IP address, or an empty string if the address is unknown.

    Each of the `ACCORD_PROXIES` proxies appends the address of its peer to `X-Forwarded-For`, so the last
    `ACCORD_PROXIES` entries can be trusted. All other entries come from the client and are ignored. If there are
    fewer entries, the request has not passed all proxies, and the result is the address of the direct peer.
    """
    peer = _plain(request.META.get("REMOTE_ADDR", ""))
    if settings.PROXIES < 1:
        return peer
    entries = [entry for entry in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if entry.strip()]
    if len(entries) < settings.PROXIES:
        return peer
    return _plain(entries[-settings.PROXIES]) or peer


def client_network(request: HttpRequest) -> str:
    """Return the client's IPv4 address or, for IPv6, the client's /64 network, because a client can change its address
    within this network.
    """
    address = client_address(request)
    if ":" not in address:
        return address
    return str(ipaddress.ip_network(f"{address}/{IPV6_NETWORK}", strict=False))


def _plain(entry: str) -> str:
    """Return the address in canonical form without the port, or an empty string if the entry is not an address."""
    entry = entry.strip()
    with_port = _PORT.match(entry)
    try:
        address = ipaddress.ip_address((with_port[1] or with_port[2]) if with_port else entry)
    except ValueError:
        return ""
    mapped = getattr(address, "ipv4_mapped", None)  # ::ffff:203.0.113.9, from a server that listens on both
    return str(mapped or address).partition("%")[0]
