"""The exception for rejected requests, with a code and a message for people, and errors for missing rows."""

from __future__ import annotations

from typing import TypeVar

from django.http import Http404

Row = TypeVar("Row")


class Refused(Exception):
    """Error raised if a request cannot be carried out. Nothing was changed.

    `code` is short and stable. `fields` maps paths in the request to messages. `status` is the HTTP status in the API:
    400 for invalid input, 403 for a missing permission, 404, or 409 for a conflict with the current state.
    """

    def __init__(
        self, code: str, message: str, *, status: int = 409, fields: dict[str, list[str]] | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.fields = fields or {}


def invalid(field: str, message: str) -> Refused:
    """Return the exception for an invalid value in one field of the request."""
    return Refused("invalid", message, status=400, fields={field: [message]})


def existing(row: Row | None, message: str) -> Row:
    """Return the row. Raise `Refused` (`unknown`, status 404) with the message if there is none."""
    if row is None:
        raise Refused("unknown", message, status=404)
    return row


def or_404(row: Row | None, message: str) -> Row:
    """Return the row. Raise `Http404` with the message if there is none."""
    if row is None:
        raise Http404(message)
    return row
