"""The exception that the client raises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import httpx

NOT_ACCORD = "Check that the address is that of an Accord server, such as https://accord.example.org."


class AccordError(Exception):
    """Error raised if a request is rejected or cannot be sent, or if a job fails.

    `message` states what is wrong and what to do. `place` names the request, `code` is the API's error code, and
    `fields` contains messages by field or by position in a file. `status` is the HTTP status, or None for
    errors that the client finds itself, such as `unreachable`, `job-failed` and `faults`.
    """

    def __init__(
        self,
        message: str,
        *,
        place: str,
        code: str,
        status: int | None = None,
        fields: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.message, self.place, self.code, self.status = message, place, code, status
        self.fields = {name: list(texts) for name, texts in (fields or {}).items()}
        super().__init__(message)

    def __str__(self) -> str:
        known = f"{self.place}: {self.code}" + (f", status {self.status}" if self.status else "")
        details = [
            f"\n  {name}: {' '.join(texts)}" for name, texts in self.fields.items() if f"{name}: " not in self.message
        ]
        return f"{self.message} ({known}){''.join(details)}"


def rejected(response: httpx.Response, place: str) -> AccordError:
    """Return the error in a response. A response in another format can come from a proxy or from another server."""
    status = response.status_code
    if location := response.headers.get("Location"):
        message = f"The server redirects to {location}. Use its address, because a redirect would send the token there."
        return AccordError(message, place=place, code="redirect", status=status)
    try:
        body = response.json()
        return AccordError(body["message"], place=place, code=body["code"], status=status, fields=body["fields"])
    except (ValueError, KeyError, TypeError, AttributeError):
        message = f"The server responded with status {status} ({response.reason_phrase}). {NOT_ACCORD}"
        return AccordError(message, place=place, code="unknown", status=status)
