"""Sentences as running text, for lists and reports. Annotators’ pages use `spaced` in static/pairs/wording.js."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

FOLLOWS = re.compile(r"[.,;:!?…%)\]}”»،؛؟]|['’][^\W\d_]{1,2}$|n['’]t$")
PRECEDES = re.compile(r"[(\[{“«]$")


def running_text(tokens: Sequence[str]) -> str:
    """Return a tokenised sentence with spaces only where a reader expects them: “It’s (not) big.”"""
    text = tokens[0] if tokens else ""
    for before, token in pairwise(tokens):
        text += token if FOLLOWS.match(token) or PRECEDES.search(before) else f" {token}"
    return text
