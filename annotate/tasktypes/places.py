"""References to items' positions in the explanations of gold and practice questions.

Accord shuffles the items of some questions on the screen. `{2}` in an explanation stands for the item in the second
place of the question, and annotators see the place where this item was on their screen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .tasktype import TaskType

_TOKEN = re.compile(r"\{(\d{1,3})\}")
_NOUNS = r"(?:pairs?|items?|texts?|sentences?|candidates?|paraphrases?|phrases?|words?|options?|answers?|tuples?)"
_GERMAN_NOUNS = r"(?:paare?s?|s[aä]tz(?:e|es)?|texte?s?|kandidat(?:en)?|paraphrasen?|w[oö]rt(?:er|es)?|option(?:en)?)"
_ORDINALS = "first second third fourth fifth sixth last top bottom upper lower middle leftmost rightmost".split()
_GERMAN_ORDINALS = "erst zweit dritt viert fünft sechst letzt ober unter mittler link recht".split()
_SIDES = "left right top bottom links rechts oben unten".split()
_PLACE = re.compile(
    rf"""\b(?:
    (?:{_NOUNS}|{_GERMAN_NOUNS}|numbers?|nummer|no\.|nr\.)\s*\#?\d
    | (?:{"|".join(_ORDINALS)})\s+{_NOUNS}
    | (?:{"|".join(_GERMAN_ORDINALS)})e[nrms]?\s+{_GERMAN_NOUNS}
    | (?:on|to)\s+the\s+(?:left|right)
    | (?:at|on)\s+(?:the\s+)?(?:top|bottom)
    | (?:links|rechts|oben|unten)
    )\b | \#\d""",
    re.IGNORECASE | re.VERBOSE,
)

# Every reference contains a number or one of these words, and searching for them is faster than searching for `_PLACE`.
_WORDS = re.compile(r"[^\W\d]+|\d")
_SIGNS = frozenset(
    [*"0123456789", *_ORDINALS, *_SIDES, *(f"{stem}e{end}" for stem in _GERMAN_ORDINALS for end in ("", *"nrms"))]
)


def with_places(task: TaskType, explanation: str, payload: Any, shown: Any) -> str:
    """Return the explanation with each token such as `{2}` replaced by a position on the screen.

    If `shown` is empty, the items are in the question's own order. Tokens that refer to no item do not change.
    """
    order = shown or _own_order(task, payload)

    def place(token: re.Match[str]) -> str:
        item = int(token[1]) - 1
        return str(order.index(item) + 1) if item in order else token[0]

    return _TOKEN.sub(place, explanation) if _are_numbers(order) else explanation


def with_texts(explanation: str, texts: Sequence[str]) -> str:
    """Return the explanation with each token such as `{2}` replaced by the text of the item, in quotation marks.

    This is for pages without the positions on the screen. `texts` are the items' texts in the question's own order.
    Tokens that refer to no item do not change.
    """

    def text(token: re.Match[str]) -> str:
        item = int(token[1]) - 1
        return f"“{texts[item]}”" if 0 <= item < len(texts) else token[0]

    return _TOKEN.sub(text, explanation)


def mentions_place(explanation: str) -> bool:
    """Return whether the explanation of any kind of question refers to an item's position, by a token such as `{2}` or
    in words.
    """
    if _SIGNS.isdisjoint(_WORDS.findall(explanation.lower())):
        return False
    return bool(_TOKEN.search(explanation) or _PLACE.search(explanation))


def place_warning(task: TaskType, explanation: str, payload: Any) -> str:
    """Return why an explanation may refer to the wrong position, or an empty string.

    The check recognises common English and German words for places. Only questions with shuffled items are checked.
    """
    if not mentions_place(explanation):
        return ""
    order = _own_order(task, payload)
    if not order:
        return ""
    unknown = [token[0] for token in _TOKEN.finditer(explanation) if int(token[1]) - 1 not in order]
    if unknown:
        return f"{unknown[0]} refers to no item, because the question has {len(order)} items"
    named = _PLACE.search(explanation)
    if named is None or _TOKEN.search(explanation):
        return ""
    return (
        f"“{named[0]}” seems to refer to an item's position, but annotators see the items in a different order. Write "
        f"{{1}} for the first item of the question, {{2}} for the second item, and so on"
    )


def _own_order(task: TaskType, payload: Any) -> Sequence[Any]:
    """Return the indexes of the items in the question's original order, or an empty list if the items are not
    shuffled.
    """
    shuffled = task.shuffle(payload, np.random.default_rng(0))
    return sorted(shuffled) if _are_numbers(shuffled) else []


def _are_numbers(order: Any) -> bool:
    return isinstance(order, list) and sorted(order, key=repr) == sorted(range(len(order)), key=repr)
