"""The form for a webhook."""

from __future__ import annotations

from django import forms

from annotate.web.forms import ConsoleForm
from annotate.webhooks.models import Webhook
from annotate.webhooks.services.webhooks import LONGEST_URL


class WebhookForm(ConsoleForm):
    url = forms.CharField(
        max_length=LONGEST_URL,
        label="URL",
        help_text="The URL must start with https://. Accord sends events only to servers with public addresses.",
        widget=forms.URLInput(attrs={"placeholder": "https://example.org/accord"}),
    )
    events = forms.MultipleChoiceField(
        choices=[(kind.value, str(kind.label)[:1].upper() + str(kind.label)[1:]) for kind in Webhook.Kind],
        initial=Webhook.Kind.values,
        label="Events",
        widget=forms.CheckboxSelectMultiple,
    )
