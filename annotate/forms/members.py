"""Who works on a study."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.models import Membership, Study

from .looks import ConsoleForm

ROLES = (
    ("viewer", "Viewer: sees everything, changes nothing"),
    ("reviewer", "Reviewer: answers candidates, stops and restores annotators"),
    ("manager", "Manager: changes the study, imports data"),
    ("owner", "Owner: everything, including members"),
)
ANNOTATOR = ("", "Annotator: has an account to answer with, sees nothing else of the study")


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
