"""A study's webhooks with their deliveries, and the study's completion events."""

from __future__ import annotations

from django.db.models import QuerySet

from annotate.core.selectors.counts import totals
from annotate.core.selectors.pilot import pilot_of
from annotate.models import Study
from annotate.webhooks.models import Delivery, Webhook


def completion_events(study: Study) -> list[str]:
    """Return the completion events whose conditions are currently met."""
    pilot, events = pilot_of(study), []
    if pilot and pilot.complete:
        events.append(Webhook.Kind.PILOT_COMPLETE.value)
    if totals(study).hits >= study.assignments_planned > 0:
        events.append(Webhook.Kind.STUDY_COMPLETE.value)
    return events


def latest_deliveries(study: Study) -> QuerySet[Delivery]:
    """Return the deliveries of all of the study's webhooks, newest first."""
    return Delivery.objects.filter(webhook__study=study).select_related("webhook").order_by("-pk")
