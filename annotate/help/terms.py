"""The meanings of terms, from the tables of the glossary."""

from __future__ import annotations

import re
from functools import cache

from .guides import FOLDER

_ROW = re.compile(r"\| (?P<term>[^|]+?) \| (?P<meaning>[^|]+?) \|")


@cache
def meanings() -> dict[str, str]:
    """Return the meaning of each term in the glossary, as plain text."""
    rows = _ROW.finditer((FOLDER / "glossary.md").read_text(encoding="utf-8"))
    return {row["term"]: re.sub(r"\[([^]]+)\]\([^)]+\)|`", r"\1", row["meaning"]) for row in rows}
