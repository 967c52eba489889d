"""Requests and retries without input and output, which the synchronous and the asynchronous client share.

A flow is a generator. It yields the steps that a client carries out (a request, a pause, or the awaitable answers of a
program), receives their results, and returns its own result.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias, TypeVar
from urllib.parse import urlsplit
from uuid import uuid4

import httpx

from .errors import NOT_ACCORD, AccordError, rejected
from .operation import Listing, Operation

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
THROTTLED = 429
TEMPORARY = frozenset([502, 503, 504])

T = TypeVar("T")
Row = TypeVar("Row")


class Pause(NamedTuple):
    """A step that waits."""

    seconds: float


class Gather(NamedTuple):
    """A step that waits for all of these results. Only the asynchronous client can carry it out."""

    results: Sequence[Awaitable[Any]]


Step: TypeAlias = httpx.Request | Pause | Gather
Flow: TypeAlias = Generator[Step, Any, T]


@dataclass
class Session:
    """The address and the token of all requests. `patience` is the number of seconds for which a request is repeated.
    Until the server has responded once, a lost connection is an error, so that a wrong address is reported immediately.
    """

    address: str
    authorization: str
    patience: float
    has_responded: bool = False

    def __post_init__(self) -> None:
        parts = urlsplit(self.address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            message = f"The address {self.address} must begin with https:// or http://, followed by a host name."
            raise AccordError(message, place="address", code="unreachable")
        if not self.authorization.isascii() or not self.authorization.isprintable() or self.authorization.endswith(" "):
            message = "The token must be a text of ASCII characters without spaces. Copy it from the console again."
            raise AccordError(message, place="token", code="unreachable")

    def authorized(self, authorization: str) -> Session:
        """Return a session of the same server with another token."""
        return replace(self, authorization=authorization)

    def send(self, operation: Operation[T]) -> Flow[T]:
        """Send the request and return its JSON, its bytes, or None without content. Raises `AccordError`."""
        response = yield from self.respond(operation)
        content: Any = response.content
        if operation.returns_json:
            content = response.json() if response.content else None
        result: T = content
        return result

    def respond(self, operation: Operation[Any]) -> Flow[httpx.Response]:
        """Send the request until it is carried out or rejected, or until the patience ends, and return the response.

        A request with status 429 has not been carried out, so it is always repeated. After a lost connection or status
        502, 503 or 504, a request may have been carried out, so only repeatable requests are sent again.
        """
        place = f"{operation.method} {operation.path}"
        request = self._request(operation)
        waited, pause = 0.0, FIRST_PAUSE
        while True:
            asked, cause = 0.0, None
            try:
                response: httpx.Response = yield request
            except httpx.TransportError as lost:
                message = f"{self.address} does not respond: {lost}. {NOT_ACCORD}"
                error, cause = AccordError(message, place=place, code="unreachable"), lost
                can_repeat = operation.repeatable
            else:
                self.has_responded = True
                if response.is_success:
                    return response
                error, asked = rejected(response, place), _retry_after(response)
                status = response.status_code
                can_repeat = status == THROTTLED or (operation.repeatable and status in TEMPORARY)
            wait = max(asked, pause)
            if not can_repeat or not self.has_responded or waited + wait > self.patience:
                raise error from cause
            yield Pause(wait)
            waited, pause = waited + wait, min(2 * pause, LONGEST_PAUSE)

    def all_rows(self, listing: Listing[Row]) -> Flow[list[Row]]:
        """Return the rows of all pages."""
        rows: list[Row] = []
        following: Listing[Row] | None = listing
        while following:
            page = yield from self.send(following)
            rows += page["results"]
            following = following.after(page)
        return rows

    def _request(self, operation: Operation[Any]) -> httpx.Request:
        headers = {"Authorization": self.authorization, "Accept-Encoding": "gzip", "User-Agent": "accord-client"}
        if operation.if_match:
            headers["If-Match"] = operation.if_match
        if operation.accepts_key:
            headers["Idempotency-Key"] = operation.idempotency_key or uuid4().hex
        content: dict[str, Any] = {}
        if operation.has_file and isinstance(operation.body.get("file"), bytes):
            content = _form(operation.body)
        elif operation.body is not None:
            content = {"json": operation.body}
        query = {name: _query_value(value) for name, value in operation.query.items() if value is not None}
        url = f"{self.address.rstrip('/')}{operation.path}"
        return httpx.Request(operation.method, url, params=query, headers=headers, **content)


def _form(body: dict[str, Any]) -> dict[str, Any]:
    """Return the body as a multipart form, in which values other than texts are JSON."""
    data = {
        name: value if isinstance(value, str) else json.dumps(value) for name, value in body.items() if name != "file"
    }
    return {"data": data, "files": {"file": (body.get("filename", "file"), body["file"])}}


def _query_value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _retry_after(response: httpx.Response) -> float:
    seconds = response.headers.get("Retry-After", "")
    return float(seconds) if seconds.isascii() and seconds.isdigit() else 0.0
