"""Tests that each reply of the web worker ends where its reader expects the next reply."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from annotate.server.connections import Channel
from tests.raw_http import Connection, connected, worker

FORGED = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
HEAD = b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n"


def page(environ: dict[str, Any], start_response: Any) -> Any:
    """Answer as Django does, with the same body for HEAD as for GET."""
    start_response("200 OK", [("Content-Length", str(len(FORGED)))])
    return [FORGED]


def without_length(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
    start_response("200 OK", [("Content-Type", "text/csv")])
    yield FORGED
    yield FORGED


def file(environ: dict[str, Any], start_response: Any) -> Any:
    start_response("200 OK", [("Content-Length", str(len(FORGED)))])
    return environ["wsgi.file_wrapper"](io.BytesIO(FORGED))


def with_write(environ: dict[str, Any], start_response: Any) -> Any:
    write = start_response("200 OK", [("Content-Length", str(len(FORGED)))])
    write(FORGED)
    return []


def failing(environ: dict[str, Any], start_response: Any) -> Any:
    raise ValueError("a mistake")


def not_modified(environ: dict[str, Any], start_response: Any) -> Any:
    start_response("304 Not Modified", [("Content-Length", str(len(FORGED)))])
    return [FORGED]


def no_content(environ: dict[str, Any], start_response: Any) -> Any:
    start_response("204 No Content", [])
    return [FORGED]


@pytest.mark.parametrize("application", [page, file, with_write])
def test_the_reply_after_head_is_the_next_reply(application: Any) -> None:
    with worker(application) as port, connected(port) as connection:
        connection.send(HEAD + GET + HEAD + GET)
        for method in ("HEAD", "GET", "HEAD", "GET"):
            reply = connection.reply(method)
            assert reply.headers["Content-Length"] == str(len(FORGED))
            assert reply.body == (FORGED if method == "GET" else b"")


@pytest.mark.parametrize("application", [without_length, failing])
def test_a_reply_to_head_whose_length_is_unknown_ends_after_its_header(application: Any) -> None:
    with worker(application) as port, connected(port) as connection:
        connection.send(HEAD)
        connection.reply("HEAD")
        assert connection.rest() == b""


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"HEAD / HTTP/1.1\r\nbad header\r\n\r\n",
        b"HEAD / HTTP/1.1\r\nX: " + b"x" * 40_000 + b"\r\n\r\n",
        b"\r\n\r\nHEAD / HTTP/1.1\r\nContent-Length: 100\r\n\r\n",
        b"HEAD / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
    ],
)
def test_a_refused_head_has_no_body_either(request_bytes: bytes) -> None:
    with worker(page, max_request_body_size=50) as port, connected(port) as connection:
        connection.send(request_bytes)
        assert connection.reply("HEAD").status >= 400
        assert _rest(connection) == b""


@pytest.mark.parametrize("application", [no_content, not_modified])
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_statuses_without_a_body_have_no_body(application: Any, method: str) -> None:
    with worker(application) as port, connected(port) as connection:
        connection.send(method.encode() + b" / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
        reply = connection.reply(method)
        assert (reply.body, "Transfer-Encoding" in reply.headers, connection.rest()) == (b"", False, b"")


def test_a_body_that_the_application_ignores_is_not_the_next_request() -> None:
    paths: list[str] = []

    def ignoring(environ: dict[str, Any], start_response: Any) -> Any:
        paths.append(environ["PATH_INFO"])
        return page(environ, start_response)

    hidden = b"GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"
    length = b"Content-Length: %d\r\n\r\n" % len(hidden)
    chunked = b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(hidden), hidden)
    with worker(ignoring) as port, connected(port) as connection:
        for method in (b"GET", b"HEAD", b"POST", b"PUT"):
            for body in (length + hidden, chunked):
                connection.send(method + b" /open HTTP/1.1\r\nHost: localhost\r\n" + body)
                connection.reply(method.decode())
    assert paths == ["/open"] * 8


@pytest.mark.parametrize(
    "header",
    [
        b"POST /open HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST /open HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST /open HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n",  # over the limit of the worker
    ],
)
def test_the_body_of_a_refused_request_is_not_the_next_request(header: bytes) -> None:
    paths: list[str] = []

    def noting(environ: dict[str, Any], start_response: Any) -> Any:
        paths.append(environ["PATH_INFO"])
        return page(environ, start_response)

    with worker(noting, max_request_body_size=500) as port, connected(port) as connection:
        connection.send(header + GET.replace(b"/ ", b"/hidden ") + GET)
        assert connection.reply("POST").status in (400, 413)
        assert _rest(connection) == b""
    assert paths == []


def _rest(connection: Connection) -> bytes:
    try:
        return connection.rest()
    except ConnectionResetError:  # the server closes the connection without reading the remaining request
        return b""


LARGE = 200_000_000


def post(*headers: str, length: int = LARGE) -> bytes:
    lines = ["POST /api/v1/uploads HTTP/1.1", "Host: localhost", f"Content-Length: {length}", *headers]
    return "\r\n".join([*lines, "", ""]).encode()


def site(environ: dict[str, Any], start_response: Any) -> Any:
    """Give permission to everyone with a token, and return the length of the body."""
    if environ["PATH_INFO"] == "/may-upload":
        assert environ["REQUEST_METHOD"] == "GET"
        assert environ["wsgi.input"].read() == b""
        known = "HTTP_AUTHORIZATION" in environ
        start_response("204 No Content" if known else "401 Unauthorized", [("Content-Type", "application/json")])
        return [] if known else [b'{"code": "not_authenticated"}']
    body = str(len(environ["wsgi.input"].read())).encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


@pytest.fixture
def received(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of bytes of each read of the server."""
    sizes: list[int] = []
    original = Channel.recv

    def recv(channel: Channel, size: int) -> bytes:
        data = original(channel, size)
        sizes.append(len(data))
        return data

    monkeypatch.setattr(Channel, "recv", recv)
    return sizes


@pytest.mark.parametrize(
    "request_bytes",
    [post(), post().replace(b"Content-Length: 200000000", b"Transfer-Encoding: chunked"), GET + HEAD + post()],
)
def test_a_large_body_of_an_unknown_sender_is_not_read(request_bytes: bytes, received: list[int]) -> None:
    with worker(site) as port, connected(port) as connection:
        connection.send(request_bytes)
        block = b"%x\r\n" % 1_000_000 + b"x" * 1_000_000 + b"\r\n"
        with suppress(ConnectionError):
            for _ in range(LARGE // len(block)):
                connection.send(block)
        if request_bytes.startswith(GET):
            assert connection.reply("GET").body == b"0"
            assert connection.reply("HEAD").status == 200
        reply = connection.reply("POST")
    assert (reply.status, reply.body) == (401, b'{"code": "not_authenticated"}')
    assert reply.headers["Connection"] == "close"
    assert sum(received) < 1_000_000


def test_a_client_that_asks_first_need_not_send_a_large_body() -> None:
    with worker(site) as port:
        with connected(port) as connection:
            connection.send(post("Expect: 100-continue"))
            assert connection.reply("POST").status == 401
        with connected(port) as connection:
            connection.send(GET + post("Expect: 100-continue", "Authorization: Token known", length=5_000_000))
            assert connection.reply("GET").body == b"0"
            assert connection.file.readline() == b"HTTP/1.1 100 Continue\r\n"
            assert connection.file.readline() == b"\r\n"
            connection.send(b"x" * 5_000_000 + GET)
            assert connection.reply("POST").body == b"5000000"
            assert connection.reply("GET").body == b"0"


def test_a_failed_question_about_a_large_body_closes_the_connection() -> None:
    with worker(failing) as port, connected(port) as connection:
        connection.send(post())
        assert connection.rest() == b""


def test_large_bodies_of_researchers_are_read_whole() -> None:
    with worker(site) as port, connected(port) as connection:
        connection.send(post("Authorization: Token known", length=20_000_000) + b"x" * 20_000_000 + GET)
        assert connection.reply("POST").body == b"20000000"
        assert connection.reply("GET").body == b"0"
