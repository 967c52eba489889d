"""The form for creating a group of annotators."""

from __future__ import annotations

from django import forms

from annotate.recruiting.services.groups import LONGEST, MOST_PLACES
from annotate.web.forms.looks import ConsoleForm


class GroupForm(ConsoleForm):
    name = forms.CharField(label="Name of the group", max_length=LONGEST, help_text="Annotators do not see this name.")
    places = forms.IntegerField(
        label="Maximum number of people",
        required=False,
        min_value=1,
        max_value=MOST_PLACES,
        help_text="Maximum number of people who can join through the link. If this field is empty, there is no limit.",
    )
