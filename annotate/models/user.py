"""Researchers' accounts. Annotators do not need an account. See `annotator.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.dispatch import Signal
from django.utils import timezone

from .ids import public_id

# This signal is sent with the argument `user` after every password change, including changes by commands or on the
# admin site.
password_changed = Signal()


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Create an administrator. The administrator's address counts as confirmed, because an operator entered it."""
        from allauth.account.models import EmailAddress

        user = self.create_user(email, password, is_staff=True, is_superuser=True, **fields)
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        return user


class User(AbstractBaseUser, PermissionsMixin):
    """A researcher, who signs in with an e-mail address."""

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    email = models.EmailField(unique=True)
    name = models.CharField(max_length=120, blank=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(
        default=False, help_text="Whether the researcher can view the records of this server."
    )
    todo_mailed_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="The time at which Accord last sent the researcher an e-mail with to-do entries.",
    )
    date_joined = models.DateTimeField(default=timezone.now)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    def __str__(self) -> str:
        return self.name or self.email

    def save(self, *args: Any, **kwargs: Any) -> None:
        # Django keeps a new password in `_password` until the user is saved.
        changed = getattr(self, "_password", None) is not None and self.pk is not None
        super().save(*args, **kwargs)
        if changed:
            password_changed.send(sender=User, user=self)

    @property
    def initials(self) -> str:
        """Return one or two letters for the user's icon in the console."""
        words = self.name.split() or [self.email]
        return "".join(word[0] for word in (words[0], *words[1:][-1:])).upper()
