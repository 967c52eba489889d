"""A reader for JSON lists that records the line on which each object begins."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from annotate.exchange.encoding import open_text
from annotate.exchange.faults import Fault, TableError
from annotate.exchange.json_numbers import finite_number, refuse_constant

_SPACE = " \t\r\n"


def objects(
    data: bytes, name: str, faults: list[Fault], *, of: str = "pairs", example: str = '{"source": …, "target": …}'
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each object in the list, with the number of its first line. Errors are added to `faults`.

    For error messages, `of` names the objects, and `example` shows one. If the file has only one line, errors name the
    number of the object. Raises TableError if the file is not a list.
    """
    text = open_text(data, name=name).read()
    decoder = json.JSONDecoder(parse_constant=refuse_constant, parse_float=finite_number)
    place, line, counted, number = _skip(text, 0), 1, 0, 0
    is_one_line = "\n" not in text.strip()
    if text[place : place + 1] != "[":
        raise TableError(name, [Fault(None, None, f"the file must be a JSON list of {of}, which begins with [")])
    try:
        place = _skip(text, place + 1)
        while text[place : place + 1] != "]":
            line += text.count("\n", counted, place)
            counted = place
            number, known = number + 1, len(faults)
            value, place = decoder.raw_decode(text, place)
            if isinstance(value, dict):
                yield line, value
            else:
                faults.append(Fault(line, None, f"each entry of the list must be an object such as {example}"))
            if is_one_line:  # the line does not show where the error is
                faults[known:] = [_numbered(fault, of, number) for fault in faults[known:]]
            place = _skip(text, place)
            if text[place : place + 1] == ",":
                place = _skip(text, place + 1)
            elif text[place : place + 1] != "]":
                raise json.JSONDecodeError("Expecting ',' or ']'", text, place)
        if (rest := _skip(text, place + 1)) < len(text):
            raise json.JSONDecodeError("Extra data", text, rest)
    except json.JSONDecodeError as error:
        fault = Fault(error.lineno, None, f"character {error.colno}: not valid JSON ({error.msg})")
        faults.append(_numbered(fault, of, number) if is_one_line else fault)
    except (ValueError, RecursionError) as error:  # a number with thousands of digits, or too many nested lists
        fault = Fault(line, None, f"the JSON cannot be read ({error})")
        faults.append(_numbered(fault, of, number) if is_one_line else fault)


def _numbered(fault: Fault, of: str, number: int) -> Fault:
    """Return the error with the number of its object, such as “pair 3”."""
    return fault._replace(message=f"{of.removesuffix('s')} {number:,}: {fault.message}")


def _skip(text: str, place: int) -> int:
    while place < len(text) and text[place] in _SPACE:
        place += 1
    return place
