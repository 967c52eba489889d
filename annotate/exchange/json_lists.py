"""A reader for JSON lists that records the line on which each object begins."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from annotate.exchange.encoding import open_text
from annotate.exchange.faults import Fault, TableError

_SPACE = " \t\r\n"


def objects(
    data: bytes, name: str, faults: list[Fault], *, of: str = "pairs", example: str = '{"source": …, "target": …}'
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each object in the list, with the number of its first line. Errors are added to `faults`.

    For error messages, `of` names the objects, and `example` shows one. Raises TableError if the file is not a list.
    """
    text = open_text(data, name=name).read()
    decoder = json.JSONDecoder()
    place, line, counted = _skip(text, 0), 1, 0
    if text[place : place + 1] != "[":
        raise TableError(name, [Fault(None, None, f"the file must be a JSON list of {of}, which begins with [")])
    try:
        place = _skip(text, place + 1)
        while text[place : place + 1] != "]":
            line += text.count("\n", counted, place)
            counted = place
            value, place = decoder.raw_decode(text, place)
            if isinstance(value, dict):
                yield line, value
            else:
                faults.append(Fault(line, None, f"each entry of the list must be an object such as {example}"))
            place = _skip(text, place)
            if text[place : place + 1] == ",":
                place = _skip(text, place + 1)
            elif text[place : place + 1] != "]":
                raise json.JSONDecodeError("Expecting ',' or ']'", text, place)
        if (rest := _skip(text, place + 1)) < len(text):
            raise json.JSONDecodeError("Extra data", text, rest)
    except json.JSONDecodeError as error:
        faults.append(Fault(error.lineno, None, f"character {error.colno}: not valid JSON ({error.msg})"))
    except (ValueError, RecursionError) as error:  # a number with thousands of digits, or too many nested lists
        faults.append(Fault(line, None, f"the JSON cannot be read ({error})"))


def _skip(text: str, place: int) -> int:
    while place < len(text) and text[place] in _SPACE:
        place += 1
    return place
