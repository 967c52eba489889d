"""The form for creating an API token."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.core.selectors.studies import studies_of
from annotate.core.services.credentials import TOKEN_DAYS
from annotate.models import ApiToken, Study, User
from annotate.web.forms import ConsoleForm

SCOPES = ((ApiToken.Scope.READ, "Read-only"), (ApiToken.Scope.WRITE, "Read and write"))
DURATIONS = ((7, "7 days"), (30, "30 days"), (90, "90 days"), (TOKEN_DAYS, "1 year"))


class TokenForm(ConsoleForm):
    name = forms.CharField(max_length=80, label="Name", help_text="For example: nightly export on the lab’s server.")
    scope = forms.ChoiceField(
        choices=SCOPES, label="Scope", help_text="The token never has more permissions than you have."
    )
    study: forms.ModelChoiceField[Study] = forms.ModelChoiceField(
        queryset=Study.objects.none(),
        required=False,
        to_field_name="public_id",
        empty_label="All my studies",
        label="Study",
    )
    days = forms.TypedChoiceField(choices=DURATIONS, coerce=int, initial=TOKEN_DAYS, label="Expires after")

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["study"].queryset = studies_of(user)  # type: ignore[attr-defined]
