"""Requests to an Accord server's API, which are repeated until the server responds.

Every request that `accord annotate` sends can safely be repeated, because a claim returns the HIT in progress, and
stored answers and submitted HITs stay as they are.
"""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from .hits import with_places

REQUEST_SECONDS = 60.0
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
TEMPORARY = frozenset([429, 502, 503, 504])
NOT_ACCORD = "Check that --server is the address of an Accord server, such as https://accord.example.org."


class ServerError(Exception):
    """Error raised if the server rejects a request or cannot be reached. `status` is None without a response."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class Server:
    """The API of the server at this address.

    After the first response, requests are repeated for `patience` seconds if the connection is lost or the server is
    temporarily unavailable. The first request is sent only once, so that a wrong address is reported immediately.
    `report` receives a message before the first repetition.
    """

    def __init__(self, address: str, *, patience: float, report: Callable[[str], None]) -> None:
        _check_address(address)
        self._root = f"{address.rstrip('/')}/api/v1"
        self._patience = patience
        self._report = report
        self._opener = _opener()
        self._has_responded = False

    def call(self, method: str, path: str, body: Mapping[str, Any] | None = None, *, authorization: str) -> Any:
        """Return the JSON of the response. Raises `ServerError`."""
        headers = {"Authorization": authorization, "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self._root}/{path}", data, headers, method=method)  # noqa: S310 - checked in __init__
        deadline = time.monotonic() + (self._patience if self._has_responded else 0)
        pause, reported = FIRST_PAUSE, False
        while True:
            try:
                return self._send(request)
            except _Temporary as error:
                wait = max(error.wait, pause)
                if time.monotonic() + wait > deadline:
                    raise ServerError(error.message, error.status) from error
                if not reported:
                    self._report(f"{error.message} Trying again.")
                    reported = True
                time.sleep(wait)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _send(self, request: Request) -> Any:
        try:
            content = self._content(request)
        except (OSError, http.client.HTTPException) as error:
            reason = error.reason if isinstance(error, URLError) else error
            raise _Temporary(f"The server at {request.host} does not respond: {reason}.") from error
        self._has_responded = True
        return _json(content) if content else None

    def _content(self, request: Request) -> bytes:
        try:
            with self._opener.open(request, timeout=REQUEST_SECONDS) as response:
                content: bytes = response.read()
                return content
        except HTTPError as error:
            message = _message(error, error.read())
            if error.code in TEMPORARY:
                raise _Temporary(message, error.code, _retry_after(error)) from error
            raise ServerError(message, error.code) from error


class _Temporary(Exception):
    """A failed request that can succeed later. `wait` is the number of seconds that the server asks for."""

    def __init__(self, message: str, status: int | None = None, wait: float = 0.0) -> None:
        super().__init__(message)
        self.message, self.status, self.wait = message, status, wait


class _NoRedirects(HTTPRedirectHandler):
    """Report redirects as errors, because a redirected request would send the token to another address."""

    def redirect_request(self, *args: Any) -> None:
        return None


def _check_address(address: str) -> None:
    try:
        parts = urlsplit(address)
        parts.netloc.encode("ascii")
        parts.netloc.encode("idna")  # the encoding of names that the system looks up, which limits their length
        is_complete = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError as error:
        raise ServerError(f"The address {address} is not valid ({error}).") from error
    if not is_complete:
        raise ServerError(f"The address {address} must begin with https:// or http://, followed by a host name.")


def _opener() -> OpenerDirector:
    return build_opener(_NoRedirects)


def _message(error: HTTPError, content: bytes) -> str:
    """Return the error message in the response, with the parts of the answer that it concerns. A response in another
    format can come from a proxy or from a faulty server.
    """
    if location := error.headers.get("Location"):
        return f"The server redirects to {location}. Use that address with --server."
    try:
        body = json.loads(content)
        message, fields = body["message"], body["fields"]
    except (ValueError, KeyError, TypeError):
        return f"The server responded with status {error.code} ({error.reason}). {NOT_ACCORD}"
    return with_places(message, fields)


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError as error:
        raise ServerError(f"The response is not JSON. {NOT_ACCORD}") from error


def _retry_after(error: HTTPError) -> float:
    seconds = error.headers.get("Retry-After", "")
    return float(seconds) if seconds.isascii() and seconds.isdigit() else 0.0
