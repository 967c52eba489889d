"""The `python -m annotate.server.own_names HOST` command prints the value of ACCORD_HOSTS for a server that listens on
HOST.

A server on 0.0.0.0 or :: can be reached at every address of its machine. The server accepts these addresses and the
machine's names, and rejects all other Host headers, because an attacker's page could choose them.
"""

import socket
import sys
from urllib.parse import urlsplit

LOCAL = ["127.0.0.1", "localhost", "[::1]"]
# Addresses reserved for documentation (RFC 5737, RFC 3849). Connecting a datagram socket selects a route without
# sending any data.
ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def own_names(host: str) -> list[str]:
    """Return the names of this server in the format of Django's ALLOWED_HOSTS, with IPv6 addresses in brackets."""
    if host not in ("0.0.0.0", "::"):  # noqa: S104 - compared, not listened on
        return [*LOCAL[:2], bracketed(host)]
    return list(dict.fromkeys([*LOCAL, socket.gethostname(), socket.getfqdn(), *_addresses()]))


def bracketed(address: str) -> str:
    """Return an IPv6 address in brackets, and any other name unchanged."""
    return f"[{address}]" if ":" in address else address


def is_local(url: str) -> bool:
    """Return whether a link of this server works only on the same computer."""
    return bracketed(urlsplit(url).hostname or "") in LOCAL


def _addresses() -> list[str]:
    """Return the outgoing IPv4 and IPv6 addresses of this machine, if available."""
    addresses = []
    for family, elsewhere in ELSEWHERE:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            if probe.connect_ex((elsewhere, 9)) == 0:
                addresses.append(bracketed(probe.getsockname()[0]))
    return addresses


if __name__ == "__main__":
    print(",".join(own_names(sys.argv[1])))  # noqa: T201
