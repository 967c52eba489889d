"""A new API token."""

from __future__ import annotations

from django import forms

from .looks import ConsoleForm


class TokenForm(ConsoleForm):
    name = forms.CharField(
        max_length=80, label="What it is for", help_text="As in: nightly export on the lab's server."
    )
