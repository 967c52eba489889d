"""Checks of researchers' reasons, notes and messages."""

from __future__ import annotations

from annotate.server.refusals import Refused


def required_reason(reason: str) -> str:
    """Return the reason without surrounding whitespace. Raise `Refused` (`no-reason`) if it is empty."""
    if not reason.strip():
        message = "Enter a reason. The reason will appear in the history."
        raise Refused("no-reason", message, status=400, fields={"reason": ["is empty"]})
    return reason.strip()


def required_text(text: str, noun: str, longest: int) -> str:
    """Return a text, such as a note, without surrounding whitespace. Raise `Refused` (`empty` or `too-large`) if it is
    empty or has more than `longest` characters.
    """
    text = text.strip()
    if not text:
        raise Refused("empty", f"Write a {noun} first.", status=400, fields={"text": ["is empty"]})
    if len(text) > longest:
        message = f"A {noun} can have at most {longest:,} characters. This {noun} has {len(text):,}."
        raise Refused("too-large", message, status=400, fields={"text": [message]})
    return text
