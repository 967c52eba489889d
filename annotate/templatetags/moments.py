"""Moments on annotators' pages: UTC from the server, and the annotator's own time once the page's script has run."""

from datetime import datetime

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def moment(at: datetime) -> SafeString:
    """Return `at` (in UTC) as an element that js/annotate/moments.js rewrites in the browser's time zone."""
    return format_html(
        '<time datetime="{}" data-moment>{} UTC</time>', at.isoformat(), date_format(at, "DATETIME_FORMAT")
    )
