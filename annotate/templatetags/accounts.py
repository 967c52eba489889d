"""The template tags of the sign-in page: `signup_is_open` and `single_sign_on`."""

from __future__ import annotations

from django import template
from django.conf import settings

from annotate.core.services import credentials

register = template.Library()


@register.simple_tag
def signup_is_open() -> bool:
    """Return True if anyone can create an account without an invitation."""
    return credentials.signup_is_open()


@register.simple_tag
def single_sign_on() -> dict[str, object]:
    """Return the issuer's name, and whether it is the only way to sign in. Without an issuer, the result is empty."""
    return {"name": settings.SSO_NAME, "only": settings.SSO_ONLY} if settings.SSO_ISSUER else {}
