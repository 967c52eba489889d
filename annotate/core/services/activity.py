"""Services that store the activity summaries sent by the work page with each answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Q

from annotate.core.activity import FIELDS, checked_summary
from annotate.core.selectors.activity import collects_activity
from annotate.models import ActivitySummary, IntegrityFigures, Participation


def store_summaries(participation: Participation, summaries: Mapping[int, Any]) -> None:
    """Store activity summaries, keyed by the answers' primary keys. The caller must open a transaction.

    Invalid summaries are not stored, and never prevent an answer from being stored. Has no effect unless the annotator
    has accepted a consent text that names the summaries. A later summary of the same answer replaces the earlier one.
    """
    checked = {answer: summary for answer, raw in summaries.items() if (summary := checked_summary(raw)) is not None}
    if not checked or not collects_activity(participation):
        return
    ActivitySummary.objects.bulk_create(
        [ActivitySummary(answer_id=answer, **summary) for answer, summary in checked.items()],
        update_conflicts=True,
        unique_fields=["answer"],
        update_fields=list(FIELDS),
    )


def delete_activity(participations: Q) -> None:
    """Delete all activity summaries and integrity indicators of the participations that match a condition."""
    matching = Participation.objects.filter(participations).values("pk")
    ActivitySummary.objects.filter(answer__participation__in=matching).delete()
    IntegrityFigures.objects.filter(participation__in=matching).delete()
