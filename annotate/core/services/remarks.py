"""Services for annotators' messages about questions or stops, and for researchers' replies."""

from __future__ import annotations

from django.utils.translation import gettext as _

from annotate.core.permissions import Action, permitted_study
from annotate.core.selectors.remarks import UNANSWERED
from annotate.models import Answer, Participation, ParticipationKey, Remark, User
from annotate.server import clock
from annotate.server.refusals import Refused, existing

from .answer import lock
from .archived import refuse_archived
from .locks import locked_participation
from .log import record
from .writing import write

LONGEST = 2_000  # characters of a message
MOST = 100  # messages of one annotator in one study


def send_remark(
    participation_id: ParticipationKey, assignment_id: str, position: int, *, kind: str, text: str
) -> Remark:
    """Store a comment on a question or a report of a problem with it, either before or after the HIT is submitted.

    Sending the same text about the same question again returns the stored remark. Raises `Refused` with the code
    `empty`, `too-many` or `unknown`.
    """
    with write():
        assignment = lock(participation_id, assignment_id)
        answer = assignment.answers.filter(position=position).first()
        if answer is None or kind not in (Remark.Kind.COMMENT, Remark.Kind.PROBLEM):
            raise Refused(
                "unknown", _("This assignment has no question %(position)s.") % {"position": position}, status=404
            )
        return _store(assignment.participation, kind, text, answer)


def object_to_stop(participation_id: ParticipationKey, *, text: str) -> Remark:
    """Store a stopped annotator's objection, for the researchers to read. Raises `Refused` with the code `not-stopped`,
    `empty`, or `waiting` if an earlier objection with a different text has no reply yet.
    """
    text = _checked(text)
    with write():
        participation = locked_participation(participation_id)
        if participation.standing != Participation.Standing.STOPPED:
            raise Refused("not-stopped", _("Your work in this study has not been stopped."))
        waiting = participation.remarks.filter(UNANSWERED, kind=Remark.Kind.OBJECTION).first()
        if waiting and waiting.text == text:
            return waiting
        if waiting:
            raise Refused(
                "waiting", _("The research team has not replied to your objection yet. Wait for the reply first.")
            )
        remark = _store(participation, Remark.Kind.OBJECTION, text, None)
        record(participation.study, "objected", participation=participation)
        return remark


def reply_to(study_id: int, remark_id: str, *, text: str, user: User) -> Remark:
    """Store a researcher's reply, which the annotator sees on the study's overview page. A later reply replaces an
    earlier one.
    """
    text = _checked(text)
    with write():
        study = permitted_study(study_id, user, Action.REPLY)
        refuse_archived(study)
        remark = existing(
            study.remarks.select_for_update(no_key=True, of=("self",)).filter(public_id=remark_id).first(),
            "This message does not exist.",
        )
        remark.reply, remark.replied_by, remark.replied_at = text, user, clock.now()
        remark.save(update_fields=["reply", "replied_by", "replied_at"])
        record(study, "replied", user=user, participation=remark.participation, about=remark.kind)
        return remark


def _store(participation: Participation, kind: str, text: str, answer: Answer | None) -> Remark:
    text = _checked(text)
    own = participation.remarks.all()
    earlier = own.filter(kind=kind, answer=answer, text=text).first()
    if earlier:
        return earlier
    if own.count() >= MOST:
        raise Refused(
            "too-many",
            _("You have sent %(most)s messages in this study. Wait for a reply before you send more.") % {"most": MOST},
            status=429,
        )
    return Remark.objects.create(
        study=participation.study, participation=participation, answer=answer, kind=kind, text=text
    )


def _checked(text: str) -> str:
    text = text.strip()
    if not text:
        raise Refused("empty", _("Write a message first."), status=400, fields={"text": [_("is empty")]})
    if len(text) > LONGEST:
        sizes = {"limit": f"{LONGEST:,}", "size": f"{len(text):,}"}
        raise Refused(
            "too-large",
            _("A message can have at most %(limit)s characters. This message has %(size)s.") % sizes,
            status=400,
            fields={"text": [_("is longer than %(limit)s characters") % sizes]},
        )
    return text
