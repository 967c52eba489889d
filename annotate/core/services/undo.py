"""Checks on requests to undo an action."""

from __future__ import annotations

from datetime import datetime

from annotate.server.refusals import Refused


def refuse_changed(stored: datetime, seen: str) -> None:
    """Raise `Refused` (`changed`) unless the action to undo, performed at the time `seen`, is the latest one."""
    if stored.isoformat() != seen:
        raise Refused("changed", "Nothing was undone, because somebody has made another change since then.")


def not_undone(reason: str) -> Refused:
    """Return the refusal (`changed`) of a request to undo an action that can no longer be reversed."""
    return Refused("changed", f"Nothing was undone, because {reason}.")
