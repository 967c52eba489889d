"""`{% icon "check" %}`: one of the symbols in `static/icons.svg`. An icon never stands for a word on its own."""

from __future__ import annotations

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def icon(name: str, classes: str = "i") -> SafeString:
    """The symbol called `name`, hidden from screen readers; it takes the colour of the text around it."""
    return format_html(
        '<svg class="{}" aria-hidden="true"><use href="{}#{}"></use></svg>', classes, static("icons.svg"), name
    )
