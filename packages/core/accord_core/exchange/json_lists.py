"""A reader for JSON lists that records the line on which each object begins."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from accord_core.exchange.cells import listed, shorten
from accord_core.exchange.encoding import open_text
from accord_core.exchange.faults import Fault, ListedObjects, ObjectLine, TableError
from accord_core.exchange.json_numbers import finite_number, refuse_constant

_SPACE = " \t\r\n"
_LIST = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*[{\]]")
# Texts cannot match, because quotation marks in texts are escaped.
_TASK = re.compile(rb'"data"\s*:\s*\{|"annotations"\s*:\s*\[')


def is_json_list(data: bytes) -> bool:
    """Return whether a file begins like a JSON list of objects."""
    return bool(_LIST.match(data))


def is_task_list(data: bytes) -> bool:
    """Return whether a file is a JSON list of tasks, as Label Studio exports are."""
    return is_json_list(data) and bool(_TASK.search(data))


def objects(
    data: bytes, name: str, faults: list[Fault], *, of: str = "pairs", example: str = '{"source": …, "target": …}'
) -> Iterator[tuple[ObjectLine, dict[str, Any]]]:
    """Yield each object in the list, with the number of its first line. Errors are added to `faults`.

    For error messages, `of` names the objects, and `example` shows one. If several objects begin on the same line,
    errors on this line name the number of the object. Raises TableError if the file is not a list.
    """
    text = open_text(data, name=name).read()
    decoder = json.JSONDecoder(parse_constant=refuse_constant, parse_float=finite_number)
    place, line, counted = _skip(text, 0), 1, 0
    listed = ListedObjects(of.removesuffix("s"), "\n" not in text.strip())
    if text[place : place + 1] != "[":
        raise TableError.of_file(name, one_object(text) or f"the file must be a JSON list of {of}, which begins with [")
    try:
        place = _skip(text, place + 1)
        while text[place : place + 1] != "]":
            line += text.count("\n", counted, place)
            counted = place
            listed.starts.append(line)
            value, place = decoder.raw_decode(text, place)
            start = ObjectLine(listed, len(listed.starts))
            if isinstance(value, dict):
                yield start, value
            else:
                faults.append(Fault(start, None, f"each entry of the list must be an object such as {example}"))
            place = _skip(text, place)
            if text[place : place + 1] == ",":
                place = _skip(text, place + 1)
            elif text[place : place + 1] != "]":
                raise json.JSONDecodeError("Expecting ',' or ']'", text, place)
        if (rest := _skip(text, place + 1)) < len(text):
            raise json.JSONDecodeError("Extra data", text, rest)
    except json.JSONDecodeError as error:
        message = f"character {error.colno}: not valid JSON ({error.msg})"
        begun = listed.starts[-1:] == [error.lineno]  # the object begins on the line of the error
        faults.append(Fault(ObjectLine(listed, len(listed.starts)) if begun else error.lineno, None, message))
    except (ValueError, RecursionError) as error:  # a number with thousands of digits, or too many nested lists
        start = ObjectLine(listed, len(listed.starts))
        faults.append(Fault(start, None, f"the JSON cannot be read ({error})"))


def one_object(text: str) -> str:
    """If a file consists of one JSON object, describe what it contains and what it must contain. Return an empty string
    for any other file.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(value, dict):
        return ""
    lists = [key for key, each in value.items() if isinstance(each, list) and each and isinstance(each[0], dict)]
    message = f"the file is one JSON object with the keys {listed(list(value))}"
    if len(lists) == 1:
        return f"{message}. Save only the list in “{shorten(lists[0])}”, from [ to ]"
    return f"{message}, but it must contain a list of objects from [ to ], or one object per line"


def _skip(text: str, place: int) -> int:
    while place < len(text) and text[place] in _SPACE:
        place += 1
    return place
