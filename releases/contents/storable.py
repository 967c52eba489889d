"""The check that a database can store a JSON value from a release."""

from __future__ import annotations

import json
import re
from typing import Any

from releases.contents.archive import UnreadableRelease

_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


def require_storable(value: Any, place: str) -> None:
    """Raise `UnreadableRelease` if PostgreSQL cannot store the JSON value: NaN, an infinite number, half of a surrogate
    pair or U+0000. `place` is the value's file, for the message.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (ValueError, RecursionError) as error:
        raise UnreadableRelease(f"{place} contains a value that cannot be stored: {error}.") from error
    if _NUL.search(text):
        raise UnreadableRelease(f"{place} contains the character U+0000, which PostgreSQL cannot store.")
