"""The audit log's entries about gold questions."""

from __future__ import annotations

from annotate.models import Event, Study


def latest_entry(study: Study, verb: str, **detail: str) -> Event | None:
    """Return the latest log entry with this verb and these details."""
    named = {f"detail__{name}": value for name, value in detail.items()}
    return study.events.filter(verb=verb, **named).order_by("pk").last()
