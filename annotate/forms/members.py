"""Who works on a study."""

from __future__ import annotations

from django import forms

from annotate.models import Membership

from .looks import ConsoleForm

ROLES = (
    ("viewer", "Viewer: sees everything, changes nothing"),
    ("reviewer", "Reviewer: answers candidates, stops and restores annotators"),
    ("manager", "Manager: changes the study, brings data in"),
    ("owner", "Owner: everything, members among it"),
)


class MemberForm(ConsoleForm):
    email = forms.EmailField(label="E-mail address", help_text="Of an account here; new people sign up first.")
    role = forms.ChoiceField(choices=ROLES, initial=Membership.Role.VIEWER, label="Role")
