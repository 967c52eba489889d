"""What is said when something cannot be done: a code for programs, a sentence for people, a place."""

from __future__ import annotations


class Refused(Exception):
    """The request cannot be carried out; nothing was changed.

    `code` is stable and short. `fields` maps paths of the request to messages. `status` is the HTTP status that an
    API answers with: 400 for bad input, 403 for what is not allowed, 404, 409 for a conflict with the present state.
    """

    def __init__(
        self, code: str, message: str, *, status: int = 409, fields: dict[str, list[str]] | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.fields = fields or {}
