"""HTTP connections of the web worker, which keep the boundaries between requests and replies unambiguous, and read a
large body only if its sender may upload files.

waitress sends whatever the application returns, also to HEAD. Django returns the same body for HEAD as for GET and
leaves its removal to the server. A body that is sent anyway is read as the beginning of the next reply. A proxy shares
its connections between clients, so that reply can belong to another person.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any

from waitress.buffers import ReadOnlyFileBasedBuffer
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.task import WSGITask

LARGE = 4_000_000  # bytes of a body, as in deploy/nginx/nginx.conf
DISCARDED = 256 * 1024  # bytes of a refused body, so that the client can read the reply before the connection closes
PERMISSION = "/may-upload"  # returns status 204 if the sender may upload files
NOT_SIGNED_IN = "Sign in before you upload a large file."


class RequestParser(HTTPRequestParser):
    """A parser that recognises HEAD even in requests that it refuses, and refuses bodies of unclear length."""

    expect_continue: bool
    is_head = False
    has_large_body = False  # a body that needs permission
    awaits_continue = False  # the client sends a large body only after status 100

    def received(self, data: bytes) -> int:
        if not self.headers_finished:
            self.is_head = (self.header_plus + data).lstrip().startswith(b"HEAD ")
        consumed: int = super().received(data)
        return consumed

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the header. Raises `ParsingError` for the two cases that RFC 9112, section 6.1, describes as attempts
        at request smuggling.
        """
        super().parse_header(header_plus)
        if self.chunked and "CONTENT_LENGTH" in self.headers:
            raise ParsingError("Content-Length and Transfer-Encoding exclude each other")
        if "TRANSFER_ENCODING" in self.headers:  # waitress removes this header from requests of HTTP/1.1
            raise ParsingError("Transfer-Encoding needs HTTP/1.1")
        if self.chunked or self.content_length >= LARGE:
            self.has_large_body = True
            self.awaits_continue, self.expect_continue = self.expect_continue, False


class Channel(HTTPChannel):
    """A connection that ends replies to HEAD after the header, and asks the application before it reads a large
    body.
    """

    parser_class = RequestParser
    will_close: bool
    _is_head = _header_written = False
    _discarded: int | None = None  # bytes since the permission was refused

    def received(self, data: bytes) -> bool:
        if self._discarded is not None:
            self._discarded += len(data)
            self.will_close = self.will_close or self._discarded > DISCARDED
            return False
        received: bool = super().received(data)
        self._ask_before_large_body()
        return received

    def service(self) -> None:
        self._is_head, self._header_written = self.requests[0].is_head, False
        super().service()
        self._ask_before_large_body()

    def _ask_before_large_body(self) -> None:
        """Let a thread ask whether the body of the request in progress may be read, after all earlier replies.

        Meanwhile, the request counts as one that a thread answers, so that the loop reads nothing and does not write at
        the same time as the thread.
        """
        with self.requests_lock:
            request = self.request
            if request is None or not request.has_large_body or self.requests or self.close_when_flushed:
                return
            request.has_large_body = False
            self.requests.append(request)
        self.server.task_dispatcher.add_task(_Permission(self, request))

    def read_on(self) -> None:
        """Read the body, after status 100 if the client waits for it."""
        if self.request.awaits_continue:
            self.send_continue()
        self._let_loop_continue()

    def refuse(self, reply: bytes) -> None:
        """Send the reply instead of reading the body. The connection closes when the client has read the reply."""
        self._is_head, self._discarded = False, 0
        self.write_soon(reply)
        self._let_loop_continue()

    def _let_loop_continue(self) -> None:
        with self.requests_lock:
            self.requests.clear()
        self.server.pull_trigger()

    def write_soon(self, data: Any) -> int:
        """Queue a part of a reply. waitress writes the header of a reply first, in one part."""
        if self._is_head and self._header_written:
            if isinstance(data, ReadOnlyFileBasedBuffer):
                data.close()  # waitress leaves this to the connection
            return len(data)
        self._header_written = True
        queued: int = super().write_soon(data)
        return queued


class _Permission:
    """A task that asks the application whether a large body may be read."""

    def __init__(self, channel: Channel, request: RequestParser) -> None:
        self._channel, self._request = channel, request

    def service(self) -> None:
        try:
            self._decide()
        except (ClientDisconnected, OSError):
            self.cancel()
        except BaseException:
            self.cancel()
            raise

    def _decide(self) -> None:
        status, headers, body = self._ask()
        if status.startswith("204"):
            self._channel.read_on()
            return
        if status.startswith("401") and not self._request.path.startswith("/api/"):
            headers, body = {"Content-Type": "text/plain"}, NOT_SIGNED_IN.encode()
        headers |= {"Content-Length": str(len(body)), "Connection": "close"}
        lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers.items())]
        self._channel.refuse("\r\n".join([*lines, "", ""]).encode("latin-1") + body)

    def cancel(self) -> None:
        self._channel.cancel()

    def _ask(self) -> tuple[str, dict[str, str], bytes]:
        """Send the headers of the request, without its body."""
        environ = WSGITask(self._channel, self._request).get_environment()
        for name in ("CONTENT_LENGTH", "CONTENT_TYPE"):
            environ.pop(name, None)
        environ |= {"REQUEST_METHOD": "GET", "PATH_INFO": PERMISSION, "QUERY_STRING": "", "wsgi.input": BytesIO()}
        started: list[Any] = []
        response = self._channel.server.application(environ, lambda *start: started.append(start))
        try:
            body = b"".join(response)
        finally:
            getattr(response, "close", lambda: None)()
        status, headers, *_ = started[0]
        return status, dict(headers), body
