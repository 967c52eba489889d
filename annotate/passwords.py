"""What Django's own password validators leave open."""

from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError

LONGEST = 128  # characters


class MaximumLengthValidator:
    """Refuses passwords that are longer than anyone types or any password manager creates."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        if len(password) > LONGEST:
            raise ValidationError(self.get_help_text(), code="password_too_long")

    def get_help_text(self) -> str:
        return f"A password has at most {LONGEST} characters."
