"""Template tags for help pages, which return the URL of the guide to the current page and excerpts from guides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from annotate.help.topics import topic_url

register = template.Library()


@register.simple_tag(takes_context=True)
def help_url(context: dict[str, Any]) -> str:
    """Return the URL of the guide that explains the current console page."""
    request = context["request"]
    console = getattr(request, "console", None)
    return topic_url(request.resolver_match, console.study if console else None)


@register.filter
def marked(excerpt: Iterable[tuple[str, bool]]) -> SafeString:
    """Return an excerpt from a guide with the search terms highlighted."""
    return format_html_join("", "{}", ((_part(text, matches),) for text, matches in excerpt))


def _part(text: str, matches: bool) -> str:
    return format_html("<mark>{}</mark>", text) if matches else text
