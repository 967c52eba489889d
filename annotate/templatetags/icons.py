"""The template tag `{% icon "check" %}` shows a symbol from `static/icons.svg`. Every icon needs text next to it,
because screen readers ignore the symbol.
"""

from __future__ import annotations

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def icon(name: str, classes: str = "i") -> SafeString:
    """Return the symbol `name`, which has the colour of the surrounding text. Screen readers ignore the symbol."""
    return format_html(
        '<svg class="{}" aria-hidden="true"><use href="{}#{}"></use></svg>', classes, static("icons.svg"), name
    )
