"""HTTP requests to addresses that researchers have chosen. Each request is signed, has a time limit, goes to a public
address and follows no redirects.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from annotate.server.public_addresses import NotPublic, public_address

SECONDS = 10.0  # from the connection to the end of the response headers
LONGEST_RESPONSE = 1_000  # bytes of an error response that are read
LONGEST_ERROR = 500  # characters


@dataclass(frozen=True)
class Result:
    """The result of a request, which contains the HTTP status (None without a response) and the reason why the delivery
    failed.
    """

    status: int | None
    error: str = ""

    @property
    def delivered(self) -> bool:
        return not self.error


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """Return the value of the `Accord-Signature` header, with the time in seconds, and the HMAC-SHA256 of the time, a
    full stop and the body.
    """
    digest = hmac.new(secret.encode(), b"%d." % timestamp + body, hashlib.sha256).hexdigest()
    return f"t={timestamp},v1={digest}"


def post(url: str, body: bytes, headers: dict[str, str], *, seconds: float = SECONDS) -> Result:
    """Send a POST request. Only a status from 200 to 299 counts as delivered, so a redirect counts as a failure."""
    try:
        connection, path = connection_to(url, seconds)
    except NotPublic as error:
        return Result(None, str(error))
    host = connection.host
    try:
        with connection.deadline():
            connection.request("POST", path, body, headers)
            return _result(host, connection.getresponse())
    except TimeoutError:
        return Result(None, f"{host} did not respond within {seconds:g} seconds.")
    except (OSError, http.client.HTTPException, ValueError) as error:
        return Result(None, f"The request to {host} failed: {error}"[:LONGEST_ERROR])
    finally:
        connection.close()


def connection_to(url: str, seconds: float) -> tuple[Connection, str]:
    """Return a connection to the public address of the URL's host, and the path of the URL. Raise `NotPublic` unless
    all addresses of the host are public.
    """
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or http.client.HTTPS_PORT
    kind = _TlsConnection if parts.scheme == "https" else Connection
    connection = kind(host, port, public_address(host, port), seconds)
    return connection, (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _result(host: str, response: http.client.HTTPResponse) -> Result:
    if 200 <= response.status < 300:
        return Result(response.status)
    if 300 <= response.status < 400:
        return Result(response.status, f"{host} responded with a redirect. Change the URL to the final address.")
    text = response.read(LONGEST_RESPONSE).decode("utf-8", "replace").replace("\x00", "").strip()
    return Result(response.status, f"{host} responded with status {response.status}. {text}".strip()[:LONGEST_ERROR])


class Connection(http.client.HTTPConnection):
    """A connection to a checked IP address. The host name is not resolved again."""

    def __init__(self, host: str, port: int, address: str, seconds: float) -> None:
        super().__init__(host, port, timeout=seconds)
        self._address, self._seconds = address, seconds
        self._opened: socket.socket | None = None
        self._over = threading.Event()

    def connect(self) -> None:
        self._use(socket.create_connection((self._address, self.port), self.timeout))

    def _use(self, opened: socket.socket) -> None:
        """Use the socket, unless the time limit ended before the socket could be shut down."""
        self.sock = self._opened = opened
        if self._over.is_set():
            raise TimeoutError

    @contextmanager
    def deadline(self) -> Iterator[None]:
        """Raise `TimeoutError` if the block takes longer than the time limit.

        The timeout of a socket would not be sufficient, because it starts again with each byte that a slow receiver
        sends.
        """
        timer = threading.Timer(self._seconds, self._end)
        timer.daemon = True
        timer.start()
        try:
            yield
        except (OSError, http.client.HTTPException, ValueError):
            if not self._over.is_set():
                raise
        finally:
            timer.cancel()
        if self._over.is_set():  # a response that was cut off can look like a whole response
            raise TimeoutError

    def _end(self) -> None:
        """Shut down the connection in both directions, which wakes up the thread that is waiting for data."""
        self._over.set()
        if self._opened is not None:
            with suppress(OSError):  # the connection has already ended
                socket.socket.shutdown(self._opened, socket.SHUT_RDWR)


class _TlsConnection(Connection):
    """A TLS connection to a checked IP address. The certificate must be valid for the host name."""

    default_port = http.client.HTTPS_PORT

    def connect(self) -> None:
        super().connect()
        tls = tls_context().wrap_socket(self.sock, server_hostname=self.host, do_handshake_on_connect=False)
        self._use(tls)
        tls.do_handshake()


def tls_context() -> ssl.SSLContext:
    """Return the TLS settings for these requests, with the operating system's certificate authorities."""
    return ssl.create_default_context()
