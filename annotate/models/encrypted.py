"""Secrets that are stored encrypted (see annotate/server/encryption.py)."""

from typing import Any

from django.db import models


class EncryptedField(models.CharField):
    """A `CharField` with an encrypted secret. `accord account re-encrypt` finds all fields of this class."""

    def deconstruct(self) -> Any:
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.CharField", arguments, options  # the column is no different
