"""Formatters that write log lines as text or JSON. Log lines contain the ID of the request, but no answers, secrets or
paths.
"""

from __future__ import annotations

import logging
import traceback
from http import HTTPStatus
from types import TracebackType

from pythonjsonlogger.json import JsonFormatter

from annotate.server.requests import request_id, route_of

_DATABASE_MODULES = ("psycopg", "sqlite3", "django.db")


class RequestContext(logging.Filter):
    """A filter that adds the request ID to each log record, and replaces the request's path with its route."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        request = getattr(record, "request", None)
        if request is not None:
            path = getattr(request, "path", None)
            if path and isinstance(record.args, tuple):
                record.args = tuple(route_of(request) if value == path else value for value in record.args)
            del record.__dict__["request"]
        if record.name == "celery.app.trace" and isinstance(record.args, dict):
            record.args = {**record.args, "exc": "see the traceback"}
        return True


class Outages(logging.Filter):
    """A filter that replaces the errors of single requests and tasks during an outage of the database with the lines of
    `annotate.server.outages`.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        from annotate.server import outages
        from annotate.server.unavailable import is_unavailable

        if record.name == outages.log.name:
            return True
        if record.name == "django.request" and getattr(record, "status_code", 0) == HTTPStatus.SERVICE_UNAVAILABLE:
            return False  # the cause is already recorded, and the access line has the status
        error = record.exc_info[1] if record.exc_info else None
        if error is None or not is_unavailable(error):
            return True
        outages.database.failed(error)
        return False


class _WithoutRows:
    """A formatter that removes the database's detail messages, because they quote values such as answers."""

    def formatException(  # noqa: N802 (the name that logging calls)
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> str:
        if ei[1] is None:
            return ""
        return "\n".join(_described(error) for error in _chain(ei[1]))


class LineFormatter(_WithoutRows, logging.Formatter):
    """A formatter that writes log records as lines of text."""


class JsonLines(_WithoutRows, JsonFormatter):
    """A formatter that writes one JSON object per line."""


def _chain(error: BaseException) -> list[BaseException]:
    """Return an exception's chain of causes, from the first cause to the exception itself."""
    causes = [error]
    while (cause := causes[0].__cause__ or causes[0].__context__) is not None and cause not in causes:
        causes.insert(0, cause)
    return causes


def _described(error: BaseException) -> str:
    frames = "".join(traceback.format_tb(error.__traceback__))
    message = str(error)
    if type(error).__module__.startswith(_DATABASE_MODULES):
        message = message.partition("\n")[0]
    return f"Traceback (most recent call last):\n{frames}{type(error).__qualname__}: {message}"
