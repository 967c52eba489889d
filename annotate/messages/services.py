"""Services that send researchers' messages to annotators, who read them on their overview page."""

from __future__ import annotations

from annotate.core.permissions import Action, require
from annotate.core.services.archived import refuse_archived
from annotate.core.services.locks import locked_participation
from annotate.core.services.log import record
from annotate.core.services.texts import required_text
from annotate.core.services.writing import write
from annotate.models import Participation, Study, TeamMessage, User

LONGEST = 2_000  # characters of a message


def send_to_annotator(participation_id: int, *, text: str, user: User) -> TeamMessage:
    """Send a message to one annotator. Raises `Refused` with the code `empty` or `too-large`."""
    text = required_text(text, "message", LONGEST)
    with write():
        participation = locked_participation(participation_id)
        return _send(participation.study, participation, text, user)


def send_to_all(study_id: int, *, text: str, user: User) -> TeamMessage:
    """Send a message to all annotators who have joined the study. Raises `Refused` with the code `empty` or
    `too-large`.
    """
    text = required_text(text, "message", LONGEST)
    with write():
        study = Study.objects.get(pk=study_id)
        refuse_archived(study)
        return _send(study, None, text, user)


def _send(study: Study, participation: Participation | None, text: str, user: User) -> TeamMessage:
    require(study, user, Action.REPLY)
    message = TeamMessage.objects.create(study=study, participation=participation, text=text, sent_by=user)
    record(study, "sent message", user=user, participation=participation, reason=text, message=message.public_id)
    return message
