"""Each request's ID, route, status and time, for the log and the metrics.

Paths are never recorded, because links to join, to sign in and to accept an invitation contain secrets. The route
(`join/<str:token>`) is recorded instead. Query strings are omitted, and addresses are shortened.
"""

from __future__ import annotations

import ipaddress
import logging
import re
import secrets
import time
from collections.abc import Callable
from contextvars import ContextVar
from http import HTTPMethod, HTTPStatus

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from annotate.server import metrics, outages
from annotate.server.addresses import client_address
from annotate.server.database_time import start_measuring
from annotate.server.postgres.limits import REQUEST, limits

access = logging.getLogger("accord.access")
request_id: ContextVar[str] = ContextVar("request_id", default="")
READING = (HTTPMethod.GET, HTTPMethod.HEAD, HTTPMethod.OPTIONS)
_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")


def recorded(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Assign an ID to each request, and record its outcome. `recorded` must be the first middleware."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        request_id.set(_id_of(request))
        limits.set(REQUEST)
        database, started = start_measuring(), time.perf_counter()
        response = get_response(request)
        seconds, route = time.perf_counter() - started, route_of(request)
        response["X-Request-ID"] = request_id.get()
        metrics.REQUESTS.labels(route, _method_of(request), str(response.status_code)).observe(seconds)
        metrics.DATABASE.observe(database.seconds)
        metrics.QUERIES.inc(database.queries)
        if outages.database.is_ongoing and database.queries and response.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
            outages.database.succeeded(wrote=request.method not in READING)
        access.info(
            "%s %s %s",
            request.method,
            route,
            response.status_code,
            extra={
                "method": request.method,
                "route": route,
                "status": response.status_code,
                "milliseconds": round(1000 * seconds, 1),
                "database_milliseconds": round(1000 * database.seconds, 1),
                "queries": database.queries,
                "address": shortened(client_address(request)),
            },
        )
        return response

    return answer


def route_of(request: HttpRequest) -> str:
    """Return the URL pattern that matches the path, such as `join/<str:token>`, or `unmatched`."""
    match = request.resolver_match
    return match.route if match else "unmatched"


def shortened(address: str) -> str:
    """Return the network of an address: the first 24 bits of an IPv4 address, or the first 48 bits of an
    IPv6 address.
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return ""
    prefix = 24 if parsed.version == 4 else 48
    return str(ipaddress.ip_network((parsed, prefix), strict=False).network_address)


def _method_of(request: HttpRequest) -> str:
    """Return the request's method. Clients can send any word as the method, and each label needs memory."""
    return request.method if request.method in set(HTTPMethod) else "other"


def _id_of(request: HttpRequest) -> str:
    """Return the request ID set by a trusted proxy, or a new ID."""
    proxy_id = request.headers.get("X-Request-ID", "")
    return proxy_id if settings.PROXIES and _ID.fullmatch(proxy_id) else secrets.token_hex(8)
