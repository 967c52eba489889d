"""The base class of the console's forms, which displays service errors next to the fields."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.exchange.numbers import is_plain_number
from annotate.server.refusals import Refused


class ConsoleForm(forms.Form):
    """A form in the console's style that connects each error with its field for screen readers."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)
        self._dress()

    def _dress(self) -> None:
        for field in self.fields.values():
            if not isinstance(field.widget, forms.CheckboxInput | forms.HiddenInput):
                field.widget.attrs.setdefault("class", "input")

    def _clean_fields(self) -> None:
        super()._clean_fields()  # type: ignore[misc]
        for name, field in self.fields.items():
            if isinstance(field, forms.IntegerField | forms.DecimalField) and name in self.cleaned_data:
                raw = self[name].data
                if isinstance(raw, str) and raw.strip() and not is_plain_number(raw):
                    self.add_error(name, field.error_messages["invalid"])

    def refuse(self, refusal: Refused) -> None:
        """Show a service's errors in the form.

        Errors in a field are shown next to that field. All other errors from the service are shown above the form.
        """
        elsewhere: list[str] = []
        for path, messages in refusal.fields.items():
            name = path.replace("options.", "option_", 1)
            if name in self.fields:
                for message in messages:
                    self.add_error(name, _sentence(message))
            else:
                elsewhere += [f"{path}: {message}" for message in messages]
        if not refusal.fields:
            elsewhere = [refusal.message]
        for text in elsewhere:
            self.add_error(None, text)


def _sentence(text: str) -> str:
    """Turn a message that follows a field name, such as “is empty”, into a complete sentence."""
    return text if text[:1].isupper() else f"This {text.removesuffix('.')}."
