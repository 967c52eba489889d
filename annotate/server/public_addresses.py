"""Public internet addresses, which are the only ones to which Accord sends requests that a researcher has set up.

A request to another address would let a researcher send requests to servers in the operator's own network.
"""

from __future__ import annotations

import ipaddress
from socket import SOCK_STREAM, getaddrinfo

_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
# Addresses for protocol assignments and 6to4 relays, which Python classifies as global.
_SPECIAL = [ipaddress.ip_network(network) for network in ("192.0.0.0/24", "192.88.99.0/24")]


class NotPublic(Exception):
    """Error raised if the host has no address, or if one of its addresses is not public. The error message names the
    host.
    """


def is_public(address: str) -> bool:
    """Return whether an IP address is a public unicast address.

    IPv6 addresses that contain an IPv4 address (IPv4-mapped, NAT64, 6to4, Teredo) are not accepted, because they can
    lead to a private IPv4 address.
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:  # an address with a zone, such as fe80::1%eth0
        return False
    if ip.version == 4:
        return ip.is_global and not ip.is_multicast and not any(ip in network for network in _SPECIAL)
    return ip in _GLOBAL_UNICAST and ip.is_global and ip.sixtofour is None and ip.teredo is None


def public_address(host: str, port: int) -> str:
    """Resolve a host name and return its first address. Raise `NotPublic` unless all addresses of the host are public.

    The caller must connect to the returned address and must not resolve the name again, because the second result could
    be different.
    """
    try:
        results = getaddrinfo(host, port, type=SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NotPublic(f"The host name {host} could not be resolved.") from error
    addresses = [str(result[4][0]) for result in results]
    refused = [address for address in addresses if not is_public(address)]
    if refused or not addresses:
        raise NotPublic(f"{host} does not have a public address. Accord sends requests only to public addresses.")
    return addresses[0]
