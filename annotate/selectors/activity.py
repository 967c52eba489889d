"""Activity summaries: whether they are collected from an annotator, and the summaries of one annotator."""

from __future__ import annotations

from typing import Any

from annotate.activity import FIELDS
from annotate.models import ActivitySummary, Participation


def collects_activity(participation: Participation) -> bool:
    """Return whether activity summaries are collected from this annotator.

    The study must have the setting, and the annotator must have accepted a consent text that names the summaries. The
    function needs one query, and none in studies without the setting.
    """
    if not participation.study.activity_summaries or participation.consent_id is None:
        return False
    consent = participation.consent
    return consent is not None and consent.names_activity


def own_summaries(participation: Participation) -> dict[int, dict[str, Any]]:
    """Return the annotator's stored summaries, by the primary key of the answer."""
    rows = ActivitySummary.objects.filter(answer__participation=participation).values("answer_id", *FIELDS)
    return {row.pop("answer_id"): row for row in rows}
