"""Forms for invited people: one for creating an account, and one for entering the password of an account whose address
is not confirmed.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from annotate.models import User
from annotate.web.forms.looks import ConsoleForm


class NewAccountForm(ConsoleForm):
    name = forms.CharField(max_length=120, label="Your name", widget=forms.TextInput({"autocomplete": "name"}))
    password = forms.CharField(
        label="Password",
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
        strip=False,
        help_text="At least 12 characters. Common passwords are not accepted.",
    )
    repeated = forms.CharField(
        label="Repeat the password", widget=forms.PasswordInput({"autocomplete": "new-password"}), strip=False
    )

    def __init__(self, *args: Any, email: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._email = email

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        password = values.get("password", "")
        if password and values.get("repeated") and password != values["repeated"]:
            self.add_error("repeated", "The two passwords differ.")
        elif password:
            try:
                validate_password(password, User(email=self._email, name=values.get("name", "")))
            except ValidationError as error:
                self.add_error("password", error)
        return values


class OwnPasswordForm(ConsoleForm):
    password = forms.CharField(
        label="Password", widget=forms.PasswordInput({"autocomplete": "current-password"}), strip=False
    )
