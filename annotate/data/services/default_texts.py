"""The default instructions and worked examples of a draft, which follow its language and its options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate import tasktypes
from annotate.models import Study


def suit_texts(study: Study, *, language: str, options: Mapping[str, Any]) -> None:
    """Replace the default texts for the previous language and options with those for the current ones. Texts and
    options that a researcher has changed remain. The caller saves the locked study.
    """
    task = tasktypes.get(study.task_type)
    before, after = task.texts_in(language, options), task.texts_in(study.language, study.options)
    # Browsers send different line endings from those in the default texts.
    if study.instructions.split() == before.guidelines.split():
        study.instructions = after.guidelines
    if study.examples.split() == before.worked_examples.split():
        study.examples = after.worked_examples
    if language == study.language:
        return
    english = {option.name: option.default for option in task.options}
    for name in {*before.options, *after.options}:
        if study.options.get(name, english[name]) == before.options.get(name, english[name]):
            study.options[name] = after.options.get(name, english[name])
