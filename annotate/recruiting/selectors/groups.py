"""A study's groups, and the number of annotators who have joined each group."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet

from annotate.core.selectors.limits import ENDED
from annotate.models import AnnotatorGroup, Participation, Study


def groups_of(study: Study) -> QuerySet[AnnotatorGroup]:
    """Return the study's groups in the order in which they were added, with `joined`, the number of annotators who have
    joined, and `taken`, the number of places taken.
    """
    continuing = ~Q(participations__standing__in=ENDED)
    counts = {"joined": Count("participations"), "taken": Count("participations", filter=continuing)}
    return study.groups.annotate(**counts).order_by("pk")


def places_taken_in(group: AnnotatorGroup) -> int:
    """Return the number of places in the group that are taken."""
    return Participation.objects.filter(group=group).exclude(standing__in=ENDED).count()
