"""What no database takes is refused before it gets there: PostgreSQL stores no NUL, and half a surrogate pair is none.

Fields that are text check this themselves; answers, drafts and options are any JSON, and paths are looked up as they
come.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

from rest_framework import exceptions
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.request import Request
from rest_framework.views import APIView

DEEPEST = 50  # levels of JSON; an answer needs three
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")


class PlainJSONParser(JSONParser):
    """JSON whose text can be stored; a 400 names the place of what cannot."""

    def parse(self, stream: IO[Any], media_type: Any = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise exceptions.ParseError(f"JSON is taken up to {DEEPEST} levels deep.") from None
        for path, message in _faults(data, ()):
            raise exceptions.ValidationError({".".join(path) or "request": [message]})
        return data


class PlainView(APIView):
    """An endpoint that takes JSON, and for which a path with a NUL leads nowhere."""

    parser_classes: Sequence[type[BaseParser]] = [PlainJSONParser]
    body_limit = "json"  # see annotate/body_limits.py

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if "%00" in request.META.get("QUERY_STRING", "") or "\x00" in request.META.get("QUERY_STRING", ""):
            raise exceptions.ParseError("The query string contains a NUL character. Remove it.")
        if any(_NO_TEXT.search(str(part)) for part in kwargs.values()):
            raise exceptions.NotFound


def _faults(data: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if len(path) > DEEPEST:
        yield path[:3], f"JSON is taken up to {DEEPEST} levels deep."
    elif isinstance(data, str):
        if found := _NO_TEXT.search(data):
            yield path, f"Character {found.start() + 1}, U+{ord(found[0]):04X}, cannot be stored."
    elif isinstance(data, float) and not math.isfinite(data):  # as in 1e999
        yield path, "This number is too large."
    elif isinstance(data, dict):
        for name, part in data.items():
            if _NO_TEXT.search(name):
                yield path, "A name has a character that cannot be stored."
            else:
                yield from _faults(part, (*path, name))
    elif isinstance(data, list):
        for number, part in enumerate(data):
            yield from _faults(part, (*path, str(number)))
