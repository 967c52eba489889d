"""The answer to a best–worst question: the keys of the best and worst items.

Browsers send positions on the screen, `{"best": 1, "worst": 4}`. Accord stores keys, `{"best": "a", "worst": "d"}`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

from django.utils.translation import gettext as _

from annotate.tasktypes import InvalidAnswer, Mark


def clean_answer(payload: Any, shown: Any, raw: Any, options: Mapping[str, Any]) -> dict[str, str]:
    """Return an answer in its stored form. Screen positions are counted from 1. Raises `InvalidAnswer`."""
    keys = keys_on_screen(payload, shown)
    if not isinstance(raw, Mapping):
        raise InvalidAnswer("value", "The answer must be an object with `best` and `worst`.")
    positions = {}
    for name, label in (("best", options["most"]), ("worst", options["least"])):
        position = raw.get(name)
        if position is None:
            message = _("Choose an answer for “%(label)s”.") % {"label": label}
            raise InvalidAnswer(name, message)
        if not isinstance(position, int) or isinstance(position, bool) or not 1 <= position <= len(keys):
            raise InvalidAnswer(name, f"`{name}` must be a position from 1 to {len(keys)}, not {position!r}.")
        positions[name] = position
    if positions["best"] == positions["worst"]:
        message = _("You chose the same answer for “%(most)s” and “%(least)s”. Choose two different answers.")
        raise InvalidAnswer("worst", message % {"most": options["most"], "least": options["least"]})
    return {name: keys[position - 1] for name, position in positions.items()}


def positions_of(payload: Any, shown: Any, value: Any) -> dict[str, int]:
    """Return a stored answer as screen positions, counted from 1."""
    keys = keys_on_screen(payload, shown)
    return {name: keys.index(value[name]) + 1 for name in ("best", "worst")}


def all_answers(payload: Any) -> list[dict[str, str]]:
    """Return all possible answers to a question. A guesser gives each of these answers equally often."""
    return [{"best": best, "worst": worst} for best, worst in permutations(payload["items"], 2)]


def in_words(payload: Any, shown: Any, value: Any) -> str:
    """Describe an answer in words, such as “best 1, worst 4”."""
    positions = positions_of(payload, shown, value)
    return f"best {positions['best']}, worst {positions['worst']}"


def marks(value: Any) -> Sequence[Mark]:
    """Return badges for the best and worst items."""
    return [Mark(value["best"], "best", "most"), Mark(value["worst"], "worst", "least", "ochre")]


def keys_on_screen(payload: Any, shown: Any) -> list[str]:
    """Return the keys of a question's items in screen order. If `shown` is empty, the items are in the question's
    original order.
    """
    keys: list[str] = payload["items"]
    return [keys[index] for index in shown] if shown else list(keys)
