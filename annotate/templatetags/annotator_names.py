"""The template tag `{% annotator_name pseudonym %}`, which shows an annotator's name or pseudonym."""

from __future__ import annotations

from django import template
from django.template.context import Context

register = template.Library()


@register.simple_tag(takes_context=True)
def annotator_name(context: Context, pseudonym: str) -> str:
    """Return the name of a named annotator on a study's page for roles that may see it, and otherwise the pseudonym."""
    console = getattr(context.get("request"), "console", None)
    return console.names.get(pseudonym, pseudonym) if console else pseudonym
