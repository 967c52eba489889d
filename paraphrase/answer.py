"""The answer to a paraphrase question, with a vote on each candidate.

    {"votes": [true, false, …]}

Browsers send votes in screen order. Accord stores votes in the order of the payload.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from accord_core.paraphrase.formats.phrases import in_parts
from annotate.tasktypes import InvalidAnswer, Mark


def clean_answer(payload: Any, shown: Any, raw: Any) -> dict[str, list[bool]]:
    """Return an answer in stored form, with the votes in payload order. Raises `InvalidAnswer` if a vote is missing."""
    order = order_on_screen(payload, shown)
    sent = raw.get("votes") if isinstance(raw, Mapping) else None
    if not isinstance(sent, list):
        raise InvalidAnswer(
            "votes", "The answer must be an object with `votes`, which are true or false for each candidate."
        )
    if len(sent) != len(order):
        raise InvalidAnswer("votes", f"The question has {len(order)} candidates, but the answer has {len(sent)} votes.")
    votes = [False] * len(order)
    for place, (index, vote) in enumerate(zip(order, sent, strict=True)):
        if vote is None:
            text = candidates(payload)[index]
            message = _("Choose yes or no for “%(candidate)s”.") % {"candidate": text}
            raise InvalidAnswer(f"votes.{place}", message)
        if not isinstance(vote, bool):
            raise InvalidAnswer(f"votes.{place}", f"A vote must be true or false, not {vote!r}.")
        votes[index] = vote
    return {"votes": votes}


def votes_on_screen(payload: Any, shown: Any, value: Any) -> dict[str, list[bool]]:
    """Return a stored answer with its votes in screen order."""
    return {"votes": [value["votes"][index] for index in order_on_screen(payload, shown)]}


def in_words(payload: Any, shown: Any, value: Any) -> str:
    """Describe an answer in words, such as “yes: soft, mild; no: loud”."""
    texts, votes = candidates(payload), value["votes"]
    order = order_on_screen(payload, shown)
    yes = [texts[index] for index in order if votes[index]]
    no = [texts[index] for index in order if not votes[index]]
    votes_in_words = "; ".join(f"{word}: {', '.join(them)}" for word, them in (("yes", yes), ("no", no)) if them)
    if "content" not in payload:
        return votes_in_words
    before, phrase, after = in_parts(payload["content"])
    return f"{before}[{phrase}]{after} – {votes_in_words}"


def marks(payload: Any, value: Any) -> Sequence[Mark]:
    """Return the chosen candidates. Quality-control questions do not refer to an item on the list."""
    if "item" not in payload:
        return []
    chosen = [text for text, vote in zip(payload["paraphrases"], value["votes"], strict=True) if vote]
    return [Mark(payload["item"], text) for text in chosen] or [Mark(payload["item"], "none", "bad", "ochre")]


def candidates(payload: Any) -> list[str]:
    """Return a question's candidates in payload order."""
    texts: list[str] = payload["content"]["paraphrases"] if "content" in payload else payload["paraphrases"]
    return texts


def order_on_screen(payload: Any, shown: Any) -> Sequence[int]:
    """Return the indexes of the candidates in screen order. If `shown` is empty, the candidates are in the question's
    original order.
    """
    return shown or range(len(candidates(payload)))
