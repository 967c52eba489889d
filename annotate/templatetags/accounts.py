"""The template tag `signup_is_open`, for the sign-in page."""

from __future__ import annotations

from django import template

from annotate.core.services import credentials

register = template.Library()


@register.simple_tag
def signup_is_open() -> bool:
    """Return True if anyone can create an account without an invitation."""
    return credentials.signup_is_open()
