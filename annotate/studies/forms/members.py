"""Forms for the members of a study, and for people who are invited."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from annotate.models import Membership, Study, User
from annotate.web.forms import ConsoleForm

ROLES = (
    ("viewer", "Viewer: can see everything, but cannot change anything"),
    ("reviewer", "Reviewer: can also decide disagreements, stop annotators and reply to them"),
    ("manager", "Manager: can also change the study and import data"),
    ("owner", "Owner: can do everything, including managing members"),
)
ANNOTATOR = ("", "Annotator: can only answer questions")


class InvitationForm(ConsoleForm):
    email = forms.EmailField(label="E-mail address")
    role = forms.ChoiceField(choices=ROLES, initial=Membership.Role.VIEWER, label="Role")

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if study.admission == Study.Admission.ACCOUNT:
            role = self.fields["role"]
            role.required = False
            role.choices = (*ROLES, ANNOTATOR)  # type: ignore[attr-defined]


class RoleForm(ConsoleForm):
    role = forms.ChoiceField(choices=ROLES, label="Role")


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
