"""Seals that obscure the kinds of questions in a batch and the expected answers to its gold questions.

A seal is a key followed by the text XORed with the repeated key. The key is derived from the study's seed, the HIT and
the position, so that a row in the results can be recognized as a row of this study.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence

KEY = 16  # bytes


def seals(plain: Sequence[bytes], *, seed: int, number: int) -> list[str]:
    """Return the seals for the questions in a HIT, encoded in base64 and padded to equal lengths. `mturk/sealed.js`
    opens them.
    """
    longest = max(map(len, plain))
    return [
        _sealed(text.ljust(longest), _key(seed, number, place)) for place, text in enumerate(plain)
    ]  # all of the same length, so that gold is not recognizable


def gold_in_row(contents: str, *, seed: int, number: int) -> set[str]:
    """Return the refs of the gold questions in a row's `questions` cell.

    Raises `ValueError` if the cell is not JSON of a batch, or was sealed for another study or HIT.
    """
    try:
        sealed = [base64.b64decode(question["sealed"], validate=True) for question in json.loads(contents)]
        opened = [json.loads(_combined(each[KEY:], each[:KEY])) for each in sealed]
        gold = {question["question"] for question in opened if "gold" in question}
    except (KeyError, TypeError, RecursionError, ValueError) as error:
        raise ValueError("the cell does not contain the questions of a batch") from error
    if any(each[:KEY] != _key(seed, number, place) for place, each in enumerate(sealed)):
        raise ValueError("the cell contains the questions of another HIT or study")
    return gold


def _key(seed: int, number: int, place: int) -> bytes:
    return hashlib.sha256(f"{seed} seal {number} {place}".encode()).digest()[:KEY]


def _sealed(plain: bytes, key: bytes) -> str:
    return base64.b64encode(key + _combined(plain, key)).decode()


def _combined(text: bytes, key: bytes) -> bytes:
    """XOR the text with the repeated key. The function converts both the text and the repeated key to large numbers."""
    repeated = (key * (len(text) // KEY + 1))[: len(text)]
    return (int.from_bytes(text) ^ int.from_bytes(repeated)).to_bytes(len(text))
