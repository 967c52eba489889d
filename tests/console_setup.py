"""Helpers for tests of the console pages on which researchers set up a study."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotate import tasktypes
from annotate.core.setting_steps import BY_SLUG
from annotate.models import Study, Upload
from annotate.studies.forms.study import StudyForm, fingerprint


def at(name: str, study: Study, *more: str) -> str:
    return reverse(f"console:{name}", args=[study.public_id, *more])


def form_values(study: Study, *, step: str, **changes: Any) -> dict[str, Any]:
    """Return the data that a browser would submit for the form as shown, with these changes."""
    task, page = tasktypes.get(study.task_type), BY_SLUG[step]
    form = StudyForm(task=task, study=study, step=page)
    values = {name: form[name].value() for name in form.fields if not form.fields[name].disabled}
    values = {name: value for name, value in values.items() if value is not None and value is not False}
    return {**values, "seen": fingerprint(study, task, page), **changes}


def save(client: Client, study: Study, step: str, **changes: Any) -> HttpResponse:
    return client.post(at("settings-step", study, step), form_values(study, step=step, **changes))


def bring(
    client: Client, study: Study, text: str | bytes, purpose: str = "items", name: str = "file.csv"
) -> HttpResponse:
    data = text.encode() if isinstance(text, str) else text
    file = SimpleUploadedFile(name, data, "text/csv")
    return client.post(at("upload", study, purpose), {"file": file}, follow=True)


def brought() -> Upload:
    return Upload.objects.get(filename="file.csv")


def pairs(count: int) -> str:
    return "id,sentence1,sentence2\n" + "".join(f"p{n},One {n}.,Two {n}.\n" for n in range(count))
