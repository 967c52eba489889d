"""Facts about accounts for the sign-in page."""

from __future__ import annotations

from django import template

from annotate.services import credentials

register = template.Library()


@register.simple_tag
def signup_is_open() -> bool:
    """Whether anyone may create an account without an invitation."""
    return credentials.signup_is_open()
