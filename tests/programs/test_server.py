"""Requests to servers that reject, redirect, or do not respond."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from annotate.programs.hits import HitError
from annotate.programs.remote import RemoteHits
from annotate.programs.server import NOT_ACCORD, Server, ServerError
from tests.local_site import Handler, local_site
from tests.servers import free_port

Reply = tuple[int, dict[str, str], bytes]
OK: Reply = (200, {}, b'{"state": "done"}')
BUSY: Reply = (503, {"Retry-After": "0"}, b'{"code": "unavailable", "message": "Please wait.", "fields": {}}')


class Replies:
    """A server that sends the prepared replies in order, and that remembers the requests."""

    def __init__(self) -> None:
        self.replies: list[Reply | None] = []
        self.requests: list[tuple[str, str, Any, str]] = []
        self.reports: list[str] = []
        self.address = ""

    def call(self, *replies: Reply | None, patience: float = 5, first: bool = False) -> Any:
        """Send a request and return the result. The server responds with these replies. None closes the connection."""
        server = Server(f"{self.address}/", patience=patience, report=self.reports.append)
        self.replies = list(replies) if first else [OK, *replies]
        if not first:
            server.call("GET", "studies", authorization="Token t")
        return server.call("POST", "claims", {"name": "é"}, authorization="Participation p")


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Replies]:
    monkeypatch.setattr("annotate.programs.server.FIRST_PAUSE", 0.01)
    replies = Replies()
    with local_site(handler_of(replies)) as replies.address:
        yield replies


def handler_of(replies: Replies) -> Any:
    class Scripted(Handler):
        def respond(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            content = json.loads(body) if body else None
            replies.requests.append((self.command, self.path, content, self.headers["Authorization"]))
            reply = replies.replies.pop(0)
            if reply is None:
                self.close_connection = True
                return
            status, headers, text = reply
            self.send_response(status)
            for name, value in ({"Content-Length": str(len(text))} | headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text)
            self.close_connection = "Content-Length" in headers  # the announced length is wrong

        def do_GET(self) -> None:
            self.respond()

        def do_POST(self) -> None:
            self.respond()

    return Scripted


def test_a_request_is_repeated_unchanged_until_the_server_responds(site: Replies) -> None:
    limited = (429, {"Retry-After": "0"}, b'{"code": "throttled", "message": "Too many requests.", "fields": {}}')
    assert site.call(BUSY, None, limited, (502, {}, b"<h1>Bad gateway</h1>"), OK) == {"state": "done"}
    assert site.requests[1:] == [("POST", "/api/v1/claims", {"name": "é"}, "Participation p")] * 5
    assert site.reports == ["Please wait. Trying again."]


def test_the_first_request_is_not_repeated(site: Replies) -> None:
    with pytest.raises(ServerError, match=r"Please wait\."):
        site.call(BUSY, OK, first=True)
    site.address = f"http://127.0.0.1:{free_port()}"
    with pytest.raises(ServerError, match=r"does not respond: .*refused"):
        site.call(OK, first=True)
    assert len(site.requests) == 1


def test_patience_ends(site: Replies) -> None:
    with pytest.raises(ServerError, match="does not respond") as caught:
        site.call(*[None] * 20, patience=0.1)
    assert caught.value.status is None
    assert 1 < len(site.requests) < 10
    later = (503, {"Retry-After": "60"}, b"")
    with pytest.raises(ServerError, match=r"status 503 \(Service Unavailable\)"):
        site.call(later, OK, patience=0.1)


@pytest.mark.parametrize(
    ("reply", "message", "status"),
    [
        (
            (400, {}, b'{"code": "invalid", "message": "Wrong.", "fields": {"answers.3.links.2.score": ["Wrong."]}}'),
            "Wrong. (Part of the answer: links.2.score.)",
            400,
        ),
        ((404, {}, b'{"code": "unknown", "message": "Not found.", "fields": {}}'), "Not found.", 404),
        (
            (500, {}, b"<h1>\nServer error</h1>"),
            f"The server responded with status 500 (Internal Server Error). {NOT_ACCORD}",
            500,
        ),
        (
            (200, {}, b"<html>"),
            f"The response is not JSON. {NOT_ACCORD}",
            None,
        ),
    ],
)
def test_other_errors_are_reported_immediately(site: Replies, reply: Reply, message: str, status: int | None) -> None:
    with pytest.raises(ServerError) as caught:
        site.call(reply, OK)
    assert (str(caught.value), caught.value.status) == (message, status)
    assert len(site.requests) == 2


def test_the_token_is_not_sent_to_the_target_of_a_redirect(site: Replies) -> None:
    other = Replies()
    with local_site(handler_of(other)) as other.address:
        reply = (301, {"Location": f"{other.address}/api/v1/claims"}, b"")
        with pytest.raises(ServerError, match=f"redirects to {other.address}/api/v1/claims"):
            site.call(reply, OK)
    assert other.requests == []


def test_a_connection_that_is_lost_within_an_error_message_is_tried_again(site: Replies) -> None:
    cut = (503, {"Content-Length": "100"}, b"{")
    assert site.call(cut, OK, patience=30) == {"state": "done"}
    assert site.reports[0].startswith("The server at 127.0.0.1")


@pytest.mark.parametrize(
    "address", ["http://[::1", "https://example.org:port", "https://ü.example.org", f"https://{'a' * 64}.example.org"]
)
def test_an_address_must_be_valid(address: str, site: Replies) -> None:
    with pytest.raises(ServerError, match="is not valid"):
        Server(address, patience=1, report=site.reports.append)


@pytest.mark.parametrize("content", [b"", b"{}", b"[]"])
def test_a_server_that_returns_no_token_is_not_accord(site: Replies, content: bytes) -> None:
    site.replies = [(200, {}, content)]
    server = Server(site.address, patience=1, report=site.reports.append)
    with pytest.raises(HitError, match="no token"):
        RemoteHits(server, "ü/..", name="n", token="t")
    assert site.requests[0][1] == "/api/v1/studies/%C3%BC%2F../programs"


@pytest.mark.parametrize("address", ["accord.example.org", "file:///etc/passwd", "https://", "ftp://example.org"])
def test_an_address_needs_http_or_https(address: str, site: Replies) -> None:
    with pytest.raises(ServerError, match="must begin with https:// or http://"):
        Server(address, patience=1, report=site.reports.append)
