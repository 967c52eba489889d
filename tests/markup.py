"""HTML in the form in which tests compare pages, without the whitespace that browsers ignore."""

from __future__ import annotations

import re
from typing import Any

INLINE = "a|b|em|i|kbd|mark|q|small|span|strong|sub|sup|time"  # elements inside a sentence: a space beside one counts
_BLOCK = re.compile(rf" ?(</?(?!(?:{INLINE})\b)[a-z][^>]*>) ?")


def markup(response: Any) -> str:
    """Return a page's HTML with each run of whitespace as one space, and without spaces at the edges of elements."""
    text = " ".join(response.content.decode().split()).replace(" >", ">")
    text = _BLOCK.sub(r"\1", text)
    text = re.sub(r"(<[a-z][^>]*>) ", r"\1", text)
    return text.replace(" </", "</")
