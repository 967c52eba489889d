"""The template filter `{{ text|markdown }}` converts researchers' texts to safe HTML."""

from __future__ import annotations

from django import template

from annotate.web.markdown import safe_html

register = template.Library()
register.filter("markdown", safe_html)
