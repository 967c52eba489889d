"""Tests that a download has status 503 if the database is unavailable before the first part is read, and is otherwise
unchanged.
"""

from collections.abc import Iterator

import pytest
from django.db import OperationalError
from django.http import HttpResponse, StreamingHttpResponse

from annotate.server.first_chunk import with_first_chunk

# Closing a response looks at the connections that earlier tests have opened.
pytestmark = pytest.mark.django_db


class Site:
    """A WSGI application with one response, which notes how it was used."""

    def __init__(self, response: HttpResponse | StreamingHttpResponse) -> None:
        self.response, self.closed = response, False
        self.statuses: list[str] = []
        close = response.close
        response.close = lambda: (setattr(self, "closed", True), close())  # type: ignore[method-assign, assignment]

    def __call__(self, environ, start_response):
        start_response("200 OK", [("Content-Type", "text/csv")])
        return self.response

    def get(self, method: str = "GET") -> bytes:
        body = with_first_chunk(self)({"REQUEST_METHOD": method}, lambda status, headers: self.statuses.append(status))
        text = b"".join(body)
        body.close() if hasattr(body, "close") else None
        return text


def parts(*texts: bytes, error: Exception | None = None) -> Iterator[bytes]:
    yield from texts
    if error:
        raise error


def test_a_whole_download_is_unchanged():
    site = Site(StreamingHttpResponse(parts(b"a", b"b", b"c")))
    assert (site.get(), site.statuses, site.closed) == (b"abc", ["200 OK"], True)


def test_head_reads_only_the_first_part():
    site = Site(StreamingHttpResponse(parts(b"a", error=ValueError("calculated for nobody"))))
    assert (site.get("HEAD"), site.statuses, site.closed) == (b"", ["200 OK"], True)


def test_an_empty_download_and_an_ordinary_page_are_unchanged():
    for response, text in ((StreamingHttpResponse(parts()), b""), (HttpResponse("page"), b"page")):
        site = Site(response)
        assert (site.get(), site.statuses) == (text, ["200 OK"])


def test_a_database_that_is_away_at_the_first_part_gives_503():
    site = Site(StreamingHttpResponse(parts(error=OperationalError("server closed the connection"))))
    assert b'"unavailable"' in site.get()
    assert (site.statuses, site.closed) == (["503 Service Unavailable"], True)


def test_an_error_of_the_program_is_raised_and_a_later_fault_cuts_the_download():
    site = Site(StreamingHttpResponse(parts(error=ValueError("a mistake"))))
    with pytest.raises(ValueError, match="a mistake"):
        site.get()
    assert (site.statuses, site.closed) == ([], True)
    late = Site(StreamingHttpResponse(parts(b"a", error=OperationalError("away"))))
    with pytest.raises(OperationalError):
        late.get()
    assert late.statuses == ["200 OK"]
