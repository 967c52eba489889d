"""Services that record notes about annotators and reviews of their answers. Annotators never see these notes."""

from __future__ import annotations

from annotate.core.permissions import Action, Actor, require
from annotate.core.services.locks import locked_participation
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.server.refusals import Refused

NOTED, REVIEWED = "noted", "reviewed"
LONGEST = 500  # characters


def add_note(participation_id: int, *, text: str, user: Actor) -> None:
    """Add a note about an annotator to the study's history."""
    _record(NOTED, participation_id, text, user)


def mark_reviewed(participation_id: int, *, text: str, user: Actor) -> None:
    """Record that a researcher has reviewed an annotator's answers, and store the researcher's conclusion.

    The annotator is not listed under “Needs review” until a later results report shows signs of careless answers.
    """
    _record(REVIEWED, participation_id, text, user)


def _record(verb: str, participation_id: int, text: str, user: Actor) -> None:
    text = text.strip()
    if not text:
        raise Refused("empty", "Write a note first.", status=400, fields={"text": ["is empty"]})
    if len(text) > LONGEST:
        message = f"A note can have at most {LONGEST:,} characters. This note has {len(text):,}."
        raise Refused("too-large", message, status=400, fields={"text": [message]})
    with write():
        participation = locked_participation(participation_id)
        require(participation.study, user, Action.REVIEW)
        record(participation.study, verb, user=user, participation=participation, reason=text)
