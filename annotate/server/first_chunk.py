"""WSGI middleware that reads the first part of a download before sending the status, so that an early error still
results in status 503.

A download opens its transaction when its first part is read, which is after Django has returned the response. Without
this step, a restart of the database at that moment would result in status 500 from the web server itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from . import outages
from .unavailable import BODY, RETRY_AFTER, is_unavailable

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def with_first_chunk(application: Application) -> Application:
    """Return a WSGI application that starts a streamed response only after its first part has been read."""

    def started_later(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        held: list[Any] = []
        response = application(environ, lambda *start: held.append(start))
        first = b""
        if getattr(response, "streaming", False):
            try:
                first = next(chunks := iter(response), b"")
            except Exception as error:
                response.close()  # type: ignore[attr-defined]
                if not is_unavailable(error):
                    raise
                outages.database.failed(error)
                body = json.dumps(BODY).encode()
                headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
                start_response("503 Service Unavailable", [*headers, ("Retry-After", str(RETRY_AFTER))])
                return [body]
            start_response(*held[0])
            if environ["REQUEST_METHOD"] == "HEAD":  # the web worker sends no body, so do not calculate the rest
                response.close()  # type: ignore[attr-defined]
                return []
            return _Joined(first, chunks, response)
        start_response(*held[0])
        return response

    return started_later


class _Joined:
    """The first part of a response, its remaining parts, and its `close` method."""

    def __init__(self, first: bytes, rest: Iterator[bytes], response: Any) -> None:
        self._first, self._rest, self.close = first, rest, response.close

    def __iter__(self) -> Iterator[bytes]:
        yield self._first
        yield from self._rest
