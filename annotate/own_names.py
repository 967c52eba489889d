"""`python -m annotate.own_names HOST`: the host names that a server listening on HOST answers, for ACCORD_HOSTS.

A server on 0.0.0.0 or :: is reached by every address of its machine. It answers these addresses and the machine's
names, and refuses every other Host header, which an attacker's page could otherwise choose.
"""

import socket
import sys

LOCAL = ["127.0.0.1", "localhost", "[::1]"]
# Addresses for documentation (RFC 5737, RFC 3849): connecting a datagram socket chooses a route and sends nothing.
ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def own_names(host: str) -> list[str]:
    """The names in the form of Django's ALLOWED_HOSTS, IPv6 addresses in brackets."""
    if host not in ("0.0.0.0", "::"):  # noqa: S104 - compared, not listened on
        return [*LOCAL[:2], bracketed(host)]
    return list(dict.fromkeys([*LOCAL, socket.gethostname(), socket.getfqdn(), *_addresses()]))


def bracketed(address: str) -> str:
    """An IPv6 address in brackets; other names unchanged."""
    return f"[{address}]" if ":" in address else address


def _addresses() -> list[str]:
    """The address of this machine on its way out, for each family of addresses that has one."""
    addresses = []
    for family, elsewhere in ELSEWHERE:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            if probe.connect_ex((elsewhere, 9)) == 0:
                addresses.append(bracketed(probe.getsockname()[0]))
    return addresses


if __name__ == "__main__":
    print(",".join(own_names(sys.argv[1])))  # noqa: T201
