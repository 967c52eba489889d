"""Descriptions of requests, which the generated functions create and which `Accord.send` carries out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, NotRequired, Self, TypedDict, TypeVar
from urllib.parse import parse_qsl, quote, urlsplit

T = TypeVar("T")
Row = TypeVar("Row")


@dataclass(frozen=True)
class Operation(Generic[T]):
    """A request whose response has the type T. `path` begins with `/api/`.

    `repeatable` requests can be sent again if the response is lost. Some of them need an `Idempotency-Key` for that
    (`accepts_key`), and the client adds one. With `has_file`, the body can contain a file as bytes.
    """

    method: str
    path: str
    body: Any = None
    query: Mapping[str, Any] = field(default_factory=dict)
    if_match: str | None = None
    idempotency_key: str | None = None
    accepts_key: bool = False
    repeatable: bool = False
    has_file: bool = False
    returns_json: bool = True


class Page(TypedDict, Generic[Row]):
    """One page of a list. Only lists with page numbers have a `count`."""

    next: str | None
    previous: str | None
    results: list[Row]
    count: NotRequired[int]


@dataclass(frozen=True)
class Listing(Operation[Page[Row]]):
    """A request for one page of a list, whose rows have the type Row."""

    def after(self, page: Page[Row]) -> Self | None:
        """Return the request for the next page, or None after the last page. The request goes to the same address,
        because `next` can contain another one if the server does not know the address of its proxy.
        """
        url = page["next"]
        return replace(self, query=dict(parse_qsl(urlsplit(url).query))) if url else None


def segment(value: str | int) -> str:
    """Return a value as one segment of a path."""
    return quote(str(value), safe="")
