"""Checks that reject characters that the database cannot store: NUL and unpaired surrogates.

Serializers already check text fields. Answers, drafts and options can be any JSON, and parts of paths are used in
queries directly, so they are checked here.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import exceptions
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.request import Request
from rest_framework.serializers import (
    DecimalField,
    DictField,
    Field,
    FloatField,
    IntegerField,
    ListField,
    ListSerializer,
    Serializer,
)
from rest_framework.views import APIView

from accord_core.exchange.numbers import is_plain_number

DEEPEST = 50  # levels of JSON; an answer needs three
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")


class PlainJSONParser(JSONParser):
    """A JSON parser that rejects characters that the database cannot store. The error message states the positions of
    the rejected characters.
    """

    def parse(self, stream: IO[Any], media_type: Any = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise exceptions.ParseError(f"The JSON is nested too deeply. The limit is {DEEPEST} levels.") from None
        for path, message in _faults(data, ()):
            raise exceptions.ValidationError({".".join(path) or "request": [message]})
        return data


def validated(serializer: Serializer) -> Any:
    """Return the validated data. Raises an error with status 400 that names the invalid fields."""
    serializer.is_valid()
    errors = {**serializer.errors, **_unusual_numbers(serializer, serializer.initial_data)}
    if errors:
        raise exceptions.ValidationError(errors)
    return serializer.validated_data


class PlainView(APIView):
    """The base class for endpoints that read JSON. The endpoints return status 404 for a path that contains a NUL
    character.
    """

    parser_classes: Sequence[type[BaseParser]] = [PlainJSONParser]
    body_limit = "json"  # see annotate/web/body_limits.py

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if "%00" in request.META.get("QUERY_STRING", "") or "\x00" in request.META.get("QUERY_STRING", ""):
            raise exceptions.ParseError("The query string contains a NUL character. Remove it.")
        if any(_NO_TEXT.search(str(part)) for part in kwargs.values()):
            raise exceptions.NotFound
        _refuse_unknown_parameters(self, request)


def query_parameters(view: APIView, method: str) -> list[str]:
    """Return the names of the query parameters that an operation describes in the OpenAPI schema."""
    described = getattr(getattr(view, method.lower(), None), "kwargs", {}).get("schema")
    if described is None:
        return []
    schema = described()
    schema.view, schema.method = view, method
    names: list[str] = []
    for parameter in schema.get_override_parameters():
        if isinstance(parameter, OpenApiParameter):
            names += [parameter.name] if parameter.location == OpenApiParameter.QUERY else []
        else:
            names += (parameter() if isinstance(parameter, type) else parameter).fields
    return names


def _refuse_unknown_parameters(view: APIView, request: Request) -> None:
    """Raise an error with status 400 for unknown query parameters, which are probably misspelt."""
    if not request.query_params or request.method == "OPTIONS":
        return
    known = query_parameters(view, request.method or "GET")
    if unknown := sorted(request.query_params.keys() - {*known}):
        message = f"There is no query parameter with this name. Query parameters: {', '.join(known) or 'none'}."
        raise exceptions.ValidationError({name: [message] for name in unknown})


def _unusual_numbers(field: Field | None, data: Any) -> Any:
    """Return the errors of numbers that are sent as text in an unusual notation, such as “1_0”, which REST framework
    reads as 10.
    """
    if isinstance(field, IntegerField | FloatField | DecimalField):
        unusual = isinstance(data, str) and data.strip() and not is_plain_number(data)
        return [field.error_messages["invalid"]] if unusual else []
    parts: list[tuple[str, Field | None, Any]] = []
    if isinstance(field, Serializer) and isinstance(data, Mapping):
        parts = [(name, child, data[name]) for name, child in field.fields.items() if name in data]
    elif isinstance(field, ListField | ListSerializer) and isinstance(data, list):
        parts = [(str(number), field.child, part) for number, part in enumerate(data)]
    elif isinstance(field, DictField) and isinstance(data, Mapping):
        parts = [(name, field.child, part) for name, part in data.items()]
    return {name: errors for name, child, part in parts if (errors := _unusual_numbers(child, part))}


def _faults(data: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if len(path) > DEEPEST:
        yield path[:3], f"The JSON is nested too deeply. The limit is {DEEPEST} levels."
    elif isinstance(data, str):
        if match := _NO_TEXT.search(data):
            yield path, f"Accord cannot store the character {match.start() + 1} (U+{ord(match[0]):04X})."
    elif isinstance(data, int | float) and not abs(data) <= sys.float_info.max:  # as in 1e999
        yield path, "The number is too large."
    elif isinstance(data, dict):
        for name, part in data.items():
            if _NO_TEXT.search(name):
                yield path, "A key contains a character that Accord cannot store."
            else:
                yield from _faults(part, (*path, name))
    elif isinstance(data, list):
        for number, part in enumerate(data):
            yield from _faults(part, (*path, str(number)))
