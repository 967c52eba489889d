"""Functions that return an annotator's stored activity summaries, and report whether summaries are collected from
this annotator.
"""

from __future__ import annotations

from typing import Any

from annotate.core.activity import FIELDS
from annotate.models import ActivitySummary, Participation
from annotate.models.event import REMOVED_PERSONAL_DATA


def collects_activity(participation: Participation) -> bool:
    """Return whether activity summaries are collected from this annotator.

    The study must have the setting, and the annotator must have accepted a consent text that names the summaries. The
    function needs two queries, or none in studies without the setting. Nothing is collected from annotators whose
    personal data has been removed, or who have excluded their answers.
    """
    if not participation.study.activity_summaries or participation.consent_id is None:
        return False
    if participation.excludes_answers or participation.study.personal_data_removed_at:
        return False
    if participation.events.filter(verb=REMOVED_PERSONAL_DATA).exists():
        return False
    consent = participation.consent
    return consent is not None and consent.names_activity


def own_summaries(participation: Participation) -> dict[int, dict[str, Any]]:
    """Return the annotator's stored summaries, by the answer's primary key."""
    rows = ActivitySummary.objects.filter(answer__participation=participation).values("answer_id", *FIELDS)
    return {row.pop("answer_id"): row for row in rows}
