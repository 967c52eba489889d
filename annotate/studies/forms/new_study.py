"""The form for a new study: its file, title and task, and who answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from annotate import tasktypes
from annotate.data.item_files import ItemFile, fitting_tasks, is_large, item_file
from annotate.server.refusals import Refused
from annotate.tasktypes import TaskType
from annotate.web.forms import ConsoleForm

TEAM, CROWD = "team", "crowd"


class NewStudyForm(ConsoleForm):
    """The form for a new study. A file can replace the title and the task. All other settings have default values that
    depend on who answers.
    """

    title = forms.CharField(max_length=200, label="Title", help_text="Annotators see the title.")
    task_type = forms.ChoiceField(
        label="Task",
        widget=forms.RadioSelect,
        choices=lambda: [
            (task.slug, f"{task.name}: {task.purpose}" if task.purpose else task.name) for task in tasktypes.installed()
        ],
    )
    who_answers = forms.ChoiceField(
        label="Who answers",
        widget=forms.RadioSelect,
        initial=TEAM,
        choices=[
            (TEAM, "A small team: people you know, each with a personal link. No pay, no gold questions."),
            (CROWD, "A crowd: anyone with the link, with consent, gold questions, practice and pay."),
        ],
    )

    def __init__(self, *args: Any, uploaded: Sequence[UploadedFile] = (), **kwargs: Any) -> None:
        """`uploaded` contains the files with the items. After validation, `file` combines them."""
        super().__init__(*args, **kwargs)
        self.uploaded, self.file = uploaded, None
        self.file_errors: list[str] = []
        if uploaded:
            self.fields["title"].required = self.fields["task_type"].required = False

    file: ItemFile | None

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.uploaded:
            return values
        try:
            self.file = combined(self.uploaded)
            if "task_type" in values and not values["task_type"]:
                values["task_type"] = self._only_task(self.file)
        except Refused as refusal:
            self.file_errors.append(refusal.message)
            self.add_error(None, refusal.message)
        if self.file and "title" in values:
            values["title"] = values["title"] or title_of(self.file)
        if self.errors:  # the page is shown again without the file
            self.fields["title"].required = self.fields["task_type"].required = True
        return values

    def _only_task(self, file: ItemFile) -> str:
        """Return the only task type that reads the file. If there are several, ask for the task."""
        tasks = suggested_tasks(file)
        if len(tasks) != 1:
            self.add_error("task_type", "Several tasks can use this file. Choose one, and choose the file again.")
            return ""
        return tasks[0].slug


def combined(files: Sequence[UploadedFile]) -> ItemFile:
    """Combine uploaded files. Raises `Refused` if they are too large or do not belong together."""
    limit = settings.LIMIT_UPLOAD_BYTES
    if sum(file.size or 0 for file in files) > limit:
        raise Refused("too-large", f"The file is larger than the limit of {limit:,} bytes. Split it.", status=400)
    contents: Mapping[str, bytes] = {file.name or "items": file.read() for file in files}
    return item_file(contents)


def suggested_tasks(file: ItemFile) -> list[TaskType]:
    """Return the task types that can use the file, or all of them for a file that is too large to be read at once."""
    installed = tasktypes.installed()
    return list(installed) if is_large(file.data) else fitting_tasks(file, installed)


def title_of(file: ItemFile) -> str:
    """Return the title that a file suggests."""
    return file.title.replace("_", " ")[:200]
