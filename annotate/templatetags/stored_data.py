"""The template tag `{% stored_data study %}` states which data a study without a privacy notice stores."""

from __future__ import annotations

from django import template

from annotate.core.selectors.stored_data import stored_data

register = template.Library()
register.simple_tag(stored_data)
