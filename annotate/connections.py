"""HTTP connections of the web worker, which keep the boundaries between requests and replies unambiguous.

waitress sends whatever the application returns, also to HEAD. Django returns the same body for HEAD as for GET and
leaves its removal to the server. A body that is sent anyway is read as the beginning of the next reply. A proxy shares
its connections between clients, so that reply can belong to another person.
"""

from __future__ import annotations

from typing import Any

from waitress.buffers import ReadOnlyFileBasedBuffer
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError


class RequestParser(HTTPRequestParser):
    """A parser that recognises HEAD even in requests that it refuses, and refuses bodies of unclear length."""

    is_head = False

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


class Channel(HTTPChannel):
    """A connection whose replies to HEAD end after the header, whatever the application returns."""

    parser_class = RequestParser
    _is_head = _header_written = False

    def service(self) -> None:
        self._is_head, self._header_written = self.requests[0].is_head, False
        super().service()

    def write_soon(self, data: Any) -> int:
        """Queue a part of a reply. waitress writes the header of a reply first, in one part."""
        if self._is_head and self._header_written:
            if isinstance(data, ReadOnlyFileBasedBuffer):
                data.close()  # waitress leaves this to the connection
            return len(data)
        self._header_written = True
        queued: int = super().write_soon(data)
        return queued
