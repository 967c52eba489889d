"""Functions that detect annotators who used the same network as a stopped annotator."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.utils import timezone

from annotate.models import NetworkSighting, Participation, Study

DAYS = 30


def oldest_kept() -> datetime:
    """Return the time before which network hashes are ignored, even if the periodic task has not deleted them yet."""
    return timezone.now() - timedelta(days=DAYS)


def stopped_on_same_network(study: Study, participations: Iterable[Participation]) -> dict[int, list[str]]:
    """Map annotators' keys to the pseudonyms of stopped annotators who joined earlier from the same network."""
    if not study.network_check:
        return {}
    recent = NetworkSighting.objects.filter(participation__study=study, seen_at__gte=oldest_kept())
    stopped = recent.filter(participation__standing=Participation.Standing.STOPPED).select_related("participation")
    stopped_by_hash: dict[str, list[Participation]] = {}
    for sighting in stopped.order_by("participation_id"):
        stopped_by_hash.setdefault(sighting.hash, []).append(sighting.participation)
    joined_at = {participation.pk: participation.joined_at for participation in participations}
    returned: dict[int, list[str]] = {}
    for sighting in recent.filter(hash__in=stopped_by_hash, participation__in=joined_at):
        names = [
            other.pseudonym
            for other in stopped_by_hash[sighting.hash]
            if other.joined_at < joined_at[sighting.participation_id]
        ]
        if names:
            returned.setdefault(sighting.participation_id, []).extend(names)
    return {key: list(dict.fromkeys(names)) for key, names in returned.items()}
