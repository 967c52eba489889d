"""The audit log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.core.permissions import SYSTEM, Actor, researcher
from annotate.models import Event, Participation, Study

from .archived import STILL_POSSIBLE, refuse_if_archived


def record(
    study: Study,
    verb: str,
    *,
    user: Actor = SYSTEM,
    participation: Participation | None = None,
    reason: str = "",
    detail: Mapping[str, Any] | None = None,
    **more: Any,
) -> Event:
    """Add an entry to the study's log, and return it. The caller must be in the same transaction as the logged action.

    Raises `Refused` (`archived`) if the study is archived, which rolls back the action.
    """
    if verb not in STILL_POSSIBLE:
        refuse_if_archived(study.pk)
    return Event.objects.create(
        study=study,
        verb=verb,
        user=researcher(user),
        participation=participation,
        reason=reason[:500],
        detail={**(detail or {}), **more},
    )
