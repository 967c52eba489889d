"""Annotators' messages to the researchers that have no reply yet."""

from __future__ import annotations

from django.db.models import F, Q, QuerySet

from annotate.models import Annotator, Participation, Remark, Study

RESTORED = (Participation.Standing.ACTIVE, Participation.Standing.PRACTISING, Participation.Standing.DONE)

# An objection is answered by a reply, or by restoring the annotator.
UNANSWERED = Q(reply="") & (
    ~Q(kind=Remark.Kind.OBJECTION)
    | (
        ~Q(participation__standing__in=RESTORED)
        & (Q(participation__restored_at=None) | Q(participation__restored_at__lte=F("sent_at")))
    )
)


def is_answered(remark: Remark) -> bool:
    """Return whether a remark does not match `UNANSWERED`. The participation must be loaded."""
    who = remark.participation
    restored = who.standing in RESTORED or (who.restored_at is not None and who.restored_at > remark.sent_at)
    return bool(remark.reply) or (remark.kind == Remark.Kind.OBJECTION and restored)


def open_reports(study: Study) -> QuerySet[Remark]:
    """Return people's reports of problems with questions that have no reply yet, oldest first."""
    reports = unanswered_messages(study).filter(kind=Remark.Kind.PROBLEM)
    return reports.select_related("participation", "answer__question", "answer__assignment").order_by("sent_at", "pk")


def unanswered_messages(study: Study) -> QuerySet[Remark]:
    """Return people's messages without a reply, newest first. Try-outs and programs do not count."""
    remarks = study.remarks.filter(UNANSWERED, participation__annotator__is_program=False)
    people = remarks.exclude(participation__annotator__platform=Annotator.Platform.TRY)
    return people.select_related("participation").order_by("-sent_at", "-pk")
