"""The template filter that returns how to undo the action in a notice."""

from __future__ import annotations

import json

from django import template
from django.contrib.messages.storage.base import Message

register = template.Library()


@register.filter
def undo_of(message: Message) -> dict[str, str]:
    """Return the address and the version for the button *Undo*, or an empty dictionary if the notice has none."""
    return json.loads(message.extra_tags) if (message.extra_tags or "").startswith("{") else {}
