"""A study's open HITs, which are claimed assignments that have not been submitted."""

from __future__ import annotations

from django.db.models import Count, DateTimeField, Exists, Max, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from annotate.models import Assignment, Participation, Study

_ANSWERED = Q(answers__given_at__isnull=False)


def open_hits(study: Study) -> QuerySet[Assignment]:
    """Return the leased assignments that hold a slot, longest inactive first.

    Each assignment has its number of questions (`questions`), its number of answers (`given`), and the time of its last
    answer or, without answers, of its claim (`active_at`).
    """
    return (
        study.assignments.filter(kind=Assignment.Kind.REGULAR, state=Assignment.State.LEASED)
        .select_related("participation", "hit")
        .annotate(
            questions=Count("answers"),
            given=Count("answers", filter=_ANSWERED),
            active_at=Coalesce(Max("answers__given_at"), "claimed_at", output_field=DateTimeField()),
        )
        .order_by("active_at", "pk")
    )


def annotators_waiting(study: Study) -> int:
    """Return the number of people who found no free HIT, and could take a HIT that another annotator holds."""
    own = Assignment.objects.filter(participation=OuterRef(OuterRef("pk")), hit__isnull=False)
    held = study.assignments.filter(kind=Assignment.Kind.REGULAR, state=Assignment.State.LEASED)
    others = held.exclude(participation=OuterRef("pk")).exclude(hit__in=own.values("hit"))
    without_work = study.participations.people().filter(
        standing=Participation.Standing.ACTIVE, dry_at=study.slot_openings
    )
    return without_work.filter(Exists(others)).count()
