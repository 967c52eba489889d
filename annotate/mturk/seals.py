"""Seals that obscure a batch's questions, which of them are gold questions, and the expected answers.

A seal is the compressed JSON of a HIT's questions, XORed with a repeated key that precedes the JSON. The key is derived
from the study's seed and the HIT, so that a row in the results can be recognised as a row of this study. The text of a
seal consists of letters, digits and `-_.`, which no host and no spreadsheet application changes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Sequence
from typing import Any

KEY = 16  # bytes
SEALED = "s."  # the beginning of a seal
LONGEST = 5_000_000  # bytes of JSON. A short seal in a forged file could decompress to any length.


def seal(questions: Sequence[Any], *, seed: int, number: int) -> str:
    """Return the seal for the questions in a HIT. `mturk/sealed.js` opens it."""
    plain = json.dumps(questions, ensure_ascii=False, separators=(",", ":")).encode()
    key = _key(f"{seed} seal {number}")
    return SEALED + base64.urlsafe_b64encode(key + _combined(zlib.compress(plain, 9), key)).decode().rstrip("=")


def gold_in_row(contents: str, *, seed: int, number: int) -> set[str]:
    """Return the refs of the gold questions in a row's `questions` cell.

    Raises `ValueError` if the cell is not a cell of a batch, or was sealed for another study or HIT.
    """
    try:
        questions, belongs = _read(contents, f"{seed} seal {number}")
        gold = {question["question"] for question in questions if question.get("gold") is not None}
    except (AttributeError, KeyError, TypeError, RecursionError, ValueError, zlib.error) as error:
        raise ValueError("the cell does not contain the questions of a batch") from error
    if not belongs:
        raise ValueError("the cell contains the questions of another HIT or study")
    return gold


def _read(contents: str, name: str) -> tuple[list[Any], bool]:
    """Return the questions in a seal, and whether the seal belongs to the HIT with this name."""
    text = contents.removeprefix(SEALED)
    sealed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    key, body = sealed[:KEY], sealed[KEY:]
    return json.loads(zlib.decompressobj().decompress(_combined(body, key), LONGEST)), key == _key(name)


def _key(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()[:KEY]


def _combined(text: bytes, key: bytes) -> bytes:
    """XOR the text with the repeated key. Both the text and the repeated key are converted to large numbers."""
    repeated = (key * (len(text) // KEY + 1))[: len(text)]
    return (int.from_bytes(text) ^ int.from_bytes(repeated)).to_bytes(len(text))
