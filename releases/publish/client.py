"""Requests to the API of a service that publishes datasets.

The token is sent only to hosts of the service, in a header, and never appears in messages. Redirects are not followed.
"""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit

from annotate.server.outgoing import tls_context

SECONDS = 120.0  # until a server must accept or send the next bytes
TRIES = 5
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
TEMPORARY = frozenset([429, 500, 502, 503, 504])
NOT_CARRIED_OUT = frozenset([429, 503])  # after these statuses, even a request that creates something can be repeated
LARGEST = 8_000_000  # bytes of a response
LONGEST_ERROR = 300
LOCAL = frozenset(["localhost", "127.0.0.1", "::1"])


class CannotPublish(Exception):
    """Error raised if a release cannot be published. The message states what to do."""


class RequestFailed(CannotPublish):
    """Error raised if a service does not carry out a request. `status` is None without a response."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class Client:
    """The API of a service at this address. A slash is added to its end, so that paths are relative to it.

    Requests are repeated up to four times if the connection is lost or the service is temporarily unavailable. `say`
    receives a message before each repetition.
    """

    service: str
    address: str
    token: str = field(repr=False)
    access: str = "a token that can write"  # for the message if the token is not accepted
    say: Callable[[str], None] = lambda text: None
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        self.address = f"{self.address.rstrip('/')}/"
        _checked(self.address)

    def json(self, method: str, target: str, body: Any = None, **options: Any) -> Any:
        """Send JSON, and return the JSON of the response (None for an empty response)."""
        content = None if body is None else json.dumps(body).encode()
        return self.send(method, target, content, content_type="application/json", **options)

    def send(
        self,
        method: str,
        target: str,
        content: bytes | None = None,
        *,
        content_type: str = "application/octet-stream",
        headers: Mapping[str, str] | None = None,
        with_token: bool = True,
        repeatable: bool = False,
    ) -> Any:
        """Send a request to a path below the address, or to a link that the service has returned.

        A POST request is only repeated if the service has definitely not carried it out, or if it is `repeatable`
        without another effect. Raises `RequestFailed`.
        """
        url = urljoin(self.address, target)
        _checked(url)
        given = {"User-Agent": "Accord/1", "Accept": "application/json", "Connection": "close", **(headers or {})}
        if content is not None:
            given |= {"Content-Type": content_type, "Content-Length": str(len(content))}
        if with_token:
            if not self._is_own(url):
                raise CannotPublish(f"{self.service} returned a link to another host, {urlsplit(url).hostname}.")
            given["Authorization"] = f"Bearer {self.token}"
        pause = FIRST_PAUSE
        for left in reversed(range(TRIES)):
            try:
                return self._once(method, url, content, given)
            except _Temporary as error:
                can_repeat = method != "POST" or repeatable or error.status in NOT_CARRIED_OUT
                wait = max(error.wait, pause)
                if not left or not can_repeat or wait > LONGEST_PAUSE:
                    raise RequestFailed(error.explained(can_repeat), error.status) from error
                self.say(f"{error.message} Trying again in {wait:g} seconds.")
                self.sleep(wait)
                pause *= 2
        raise AssertionError("unreachable")

    def _once(self, method: str, url: str, content: bytes | None, headers: Mapping[str, str]) -> Any:
        parts = urlsplit(url)
        secure = parts.scheme == "https"
        host = parts.hostname or ""
        connection: http.client.HTTPConnection = (
            http.client.HTTPSConnection(host, parts.port, timeout=SECONDS, context=tls_context())
            if secure
            else http.client.HTTPConnection(host, parts.port, timeout=SECONDS)
        )
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        try:
            # A server can refuse a file before it has read all of it, and its response is still readable.
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.request(method, path, content, dict(headers))
            with connection.getresponse() as response:
                answer = response.read(LARGEST + 1)
        except (OSError, http.client.HTTPException) as error:
            reason = str(error) or type(error).__name__
            raise _Temporary(f"The connection to {self.service} was lost ({reason}).") from error
        finally:
            connection.close()
        return self._result(response, answer)

    def _result(self, response: http.client.HTTPResponse, answer: bytes) -> Any:
        status = response.status
        if status in TEMPORARY:
            wait = response.headers.get("Retry-After", "")
            seconds = float(wait) if wait.isascii() and wait.isdigit() else 0.0
            raise _Temporary(f"{self.service} responded with status {status}.", status, seconds)
        if 300 <= status < 400:
            raise RequestFailed(f"{self.service} redirects to {response.headers.get('Location')}.", status)
        if status in (401, 403):
            raise RequestFailed(
                f"{self.service} does not accept the token (status {status}). It needs {self.access}.", status
            )
        if not 200 <= status < 300:
            text = answer[:LONGEST_ERROR].decode("utf-8", "replace").replace(self.token or "\0", "…").strip()
            raise RequestFailed(f"{self.service} responded with status {status}. {text}".strip(), status)
        if len(answer) > LARGEST:
            raise RequestFailed(f"The response from {self.service} is larger than {LARGEST:,} bytes.", status)
        try:
            return json.loads(answer) if answer.strip() else None
        except (ValueError, RecursionError) as error:
            raise RequestFailed(f"The response from {self.service} is not JSON. Check --address.", status) from error

    def _is_own(self, url: str) -> bool:
        """Return whether the link's host may receive the token: the host of the address, or another host in the same
        domain, such as files.osf.io for api.osf.io.
        """
        own, other = (urlsplit(each).hostname or "" for each in (self.address, url))
        domain = own.partition(".")[2]
        return other == own or (domain.count(".") >= 1 and not own[-1].isdigit() and other.endswith(f".{domain}"))


class _Temporary(Exception):
    """A failed request that can succeed later. `wait` is the number of seconds that the service asks for."""

    def __init__(self, message: str, status: int | None = None, wait: float = 0.0) -> None:
        super().__init__(message)
        self.message, self.status, self.wait = message, status, wait

    def explained(self, can_repeat: bool) -> str:
        if self.wait > LONGEST_PAUSE:
            return f"{self.message} It asks to wait {self.wait:,.0f} seconds."
        return self.message if can_repeat else f"{self.message} It may nevertheless have carried out the request."


def _checked(url: str) -> None:
    """Refuse addresses to which a token must not be sent. Only a server on this machine can be without TLS."""
    try:
        parts = urlsplit(url)
        parts.netloc.encode("idna")
        valid = bool(parts.hostname) and parts.port != 0 and parts.username is None
    except ValueError:
        valid = False
    if not valid or not (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOCAL)):
        raise CannotPublish(f"The address {url} must begin with https://, followed by a host name.")
