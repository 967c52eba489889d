"""The template filter `{{ changes|marked_changes }}` marks the differences between two versions of a text.

Screen readers read a label before and after each added and each removed part, because many screen readers do not
announce `ins` and `del`.
"""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from annotate.web.text_changes import Change

register = template.Library()
_MARKED = '<{0}><span class="sr" lang="{1}">{2} </span>{3}<span class="sr" lang="{1}"> {4} </span></{0}>'


@register.filter
def marked_changes(changes: Iterable[Change]) -> SafeString:
    return format_html_join("", "{}", ((_marked(change),) for change in changes))


def _marked(change: Change) -> str:
    if change.kind == "added":
        return format_html(_MARKED, "ins", get_language(), _("Added:"), change.text, _("End of added text."))
    if change.kind == "removed":
        return format_html(_MARKED, "del", get_language(), _("Removed:"), change.text, _("End of removed text."))
    return change.text
