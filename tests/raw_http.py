"""Requests and replies as bytes on one connection, for tests of the boundaries between replies."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPResponse
from io import BytesIO
from typing import Any

from waitress import wasyncore

from annotate.server.web_worker import new_server


class Connection:
    """A kept-alive connection that reads exactly the replies that RFC 9112 allows."""

    def __init__(self, stream: socket.socket) -> None:
        self._socket = stream
        self.file = stream.makefile("rb")

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def reply(self, method: str) -> Reply:
        """Read the reply to a request of this method. Raises an exception if there is no reply."""
        response = HTTPResponse(_Reader(self.file), method=method)  # type: ignore[arg-type]
        response.begin()
        return Reply(response.status, dict(response.getheaders()), response.read())

    def rest(self) -> bytes:
        """Return what the server sends before it closes the connection."""
        return self.file.read()

    def close(self) -> None:
        self.file.close()
        self._socket.close()


@dataclass
class Reply:
    """A status, the headers and the body."""

    status: int
    headers: dict[str, str]
    body: bytes


@contextmanager
def connected(port: int) -> Iterator[Connection]:
    """Open a connection to a server on this machine."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as stream:
        connection = Connection(stream)
        try:
            yield connection
        finally:
            connection.close()


@contextmanager
def over_tls(port: int) -> Iterator[Connection]:
    """Open a TLS connection to a server of a test on this machine."""
    context = ssl._create_unverified_context()  # noqa: S323 (the test made the certificate)
    with (
        socket.create_connection(("127.0.0.1", port), timeout=20) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as stream,
    ):
        connection = Connection(stream)
        try:
            yield connection
        finally:
            connection.close()


@contextmanager
def worker(application: Callable[..., Any], **options: Any) -> Iterator[int]:
    """Serve a WSGI application with the connections of the web worker until the block ends, and yield the port."""
    channels: dict[int, Any] = {}
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = new_server(application, channels, sockets=[listener], threads=2, **options)
        stop = threading.Event()

        def loop() -> None:
            while not stop.is_set():
                wasyncore.loop(timeout=0.05, map=channels, use_poll=True, count=1)

        thread = threading.Thread(target=loop, name="worker", daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        stop.set()
        thread.join()
        server.task_dispatcher.shutdown(timeout=1)
        wasyncore.close_all(channels)


class _Reader:
    """The file of a connection, which stays open after a reply has been read."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def makefile(self, mode: str) -> Any:
        return _Open(self._file)


class _Open(BytesIO):
    def __init__(self, file: Any) -> None:
        super().__init__()
        self._file = file

    def readline(self, size: int | None = -1, /) -> bytes:
        line: bytes = self._file.readline(-1 if size is None else size)
        return line

    def read(self, size: int | None = -1, /) -> bytes:
        data: bytes = self._file.read(-1 if size is None else size)
        return data
