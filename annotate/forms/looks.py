"""How the console's forms look and where a service's refusal is shown in them."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.refusals import Refused


class ConsoleForm(forms.Form):
    """A form whose fields look like the console's and whose faults are tied to their fields for screen readers."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)
        self._dress()

    def _dress(self) -> None:
        for field in self.fields.values():
            if not isinstance(field.widget, forms.CheckboxInput | forms.HiddenInput):
                field.widget.attrs.setdefault("class", "input")

    def refuse(self, refusal: Refused) -> None:
        """Show what a service refused: messages of fields at their fields, everything else above the form."""
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
    """Services speak in fragments that follow the field's name ("is empty"); under a field they stand alone."""
    return text if text[:1].isupper() else f"This {text.removesuffix('.')}."
