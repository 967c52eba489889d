"""The audit log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.models import Event, Participation, Study, User

from .archived import STILL_POSSIBLE, refuse_if_archived


def record(
    study: Study,
    verb: str,
    *,
    user: User | None = None,
    participation: Participation | None = None,
    reason: str = "",
    detail: Mapping[str, Any] | None = None,
    **further: Any,
) -> None:
    """Write down who did what to whom and why; call it inside the transaction of the deed.

    Raises `Refused` (`archived`) if the study is archived, which rolls the action back.
    """
    if verb not in STILL_POSSIBLE:
        refuse_if_archived(study.pk)
    Event.objects.create(
        study=study,
        verb=verb,
        user=user,
        participation=participation,
        reason=reason[:500],
        detail={**(detail or {}), **further},
    )
