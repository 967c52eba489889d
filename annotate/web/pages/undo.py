"""Notices about completed actions, with the button *Undo* instead of an “Are you sure?” before the action.

The button sends one POST request to the page that reverses the action, with the time of the action as `seen`. The
service rejects any other time (`refuse_changed`), so that it never reverses a later action.
"""

from __future__ import annotations

import json
from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest


def notify_with_undo(request: HttpRequest, text: str, *, address: str, seen: datetime | None) -> None:
    """Show the text with the button *Undo*, which sends `seen` to `address`. Without `seen`, show only the text."""
    undo = json.dumps({"address": address, "seen": seen.isoformat()}) if seen else ""
    messages.success(request, text, extra_tags=undo)
