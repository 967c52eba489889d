"""The research team's messages, as shown to annotators and researchers."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from annotate.models import Participation, Study, TeamMessage


def received(participation: Participation) -> QuerySet[TeamMessage]:
    """Return this annotator's messages and the messages sent to all annotators since this annotator joined, newest
    first.
    """
    to_all = Q(participation=None, sent_at__gte=participation.joined_at)
    messages = TeamMessage.objects.filter(Q(participation=participation) | to_all, study=participation.study_id)
    return messages.select_related("sent_by").order_by("-sent_at", "-pk")


def sent(study: Study) -> QuerySet[TeamMessage]:
    """Return all messages from the research team, newest first."""
    return study.team_messages.select_related("sent_by", "participation").order_by("-sent_at", "-pk")
