"""Annotators' messages to the researchers that have no reply yet."""

from __future__ import annotations

from django.db.models import QuerySet

from annotate.models import Annotator, Remark, Study


def open_reports(study: Study) -> QuerySet[Remark]:
    """Return people's reports of problems with questions that have no reply yet, oldest first."""
    reports = unanswered_messages(study).filter(kind=Remark.Kind.PROBLEM)
    return reports.select_related("participation", "answer__question", "answer__assignment").order_by("sent_at", "pk")


def unanswered_messages(study: Study) -> QuerySet[Remark]:
    """Return people's messages without a reply, newest first. Try-outs and programs do not count."""
    remarks = study.remarks.filter(reply="", participation__annotator__is_program=False)
    people = remarks.exclude(participation__annotator__platform=Annotator.Platform.TRY)
    return people.select_related("participation").order_by("-sent_at", "-pk")
