"""The default texts for a new study, in the language that the researcher selects in the form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import get_language_info

from annotate.tasktypes import TaskType


def languages_help(task: TaskType) -> str:
    """Return help text that names the languages in which the task type has default texts."""
    names = ["English", *(get_language_info(code)["name"] for code in task.translated_texts)]
    available = f"{', '.join(names[:-1])} and {names[-1]}"
    return (
        f"Default texts for annotators are available in {available}. The study starts with the texts in its language, "
        "except for texts that you change."
    )


def in_language(form: forms.Form, task: TaskType, cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """Return default texts in the selected language, by field name, for all form fields that still contain default
    texts.
    """
    texts = task.texts_in(cleaned.get("language", ""))
    replacements = {"instructions": texts.guidelines, "examples": texts.worked_examples}
    replacements |= {f"option_{name}": text for name, text in texts.options.items()}
    return {name: text for name, text in replacements.items() if _is_unchanged(form, name, cleaned)}


def _is_unchanged(form: forms.Form, name: str, cleaned: Mapping[str, Any]) -> bool:
    shown = form.get_initial_for_field(form.fields[name], name)
    return _lines(cleaned.get(name)) == _lines(shown)


def _lines(text: str | None) -> list[str]:
    """Return the lines of a text. Browsers send different line endings from those in the default texts."""
    return (text or "").strip().splitlines()
