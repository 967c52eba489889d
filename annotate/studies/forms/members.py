"""Forms for the members of a study."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.models import Membership, Study
from annotate.web.forms.looks import ConsoleForm

ROLES = (
    ("viewer", "Viewer: can see everything, but cannot change anything"),
    ("reviewer", "Reviewer: can also answer gold candidates and stop annotators"),
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
