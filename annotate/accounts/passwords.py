"""Password validators in addition to Django's."""

from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError

LONGEST = 128  # characters


class MaximumLengthValidator:
    """A validator that rejects passwords longer than any person or password manager would create."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        if len(password) > LONGEST:
            raise ValidationError(self.get_help_text(), code="password_too_long")

    def get_help_text(self) -> str:
        return f"A password can have at most {LONGEST} characters."
