"""The study of `accord try`, which is created once for the same files and continued afterwards.

An entry in the study's log contains the paths of its files, relative to the data folder, so that files and data can be
moved together.
"""

from __future__ import annotations

import getpass
import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import click
from django.conf import settings

from annotate.accounts.services import create_account
from annotate.cli.options import note
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_file
from annotate.models import Event, Study, User
from annotate.recruiting.services.named import add_named
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import open_study
from annotate.studies.services.team import create_team_study
from annotate.tasktypes import TaskType

from .item_files import choose_task, item_file, note_reading

TRIED = "tried"  # the verb of the log entry
ANNOTATORS = ("ann1", "ann2")
MAJORITY = 3  # judgements per question, so that a yes-or-no question has a majority
Files = Mapping[str, bytes]


@dataclass(frozen=True)
class Choices:
    """The choices of the command. Without a task type and names of annotators, Accord chooses them."""

    task: str | None = None
    annotators: Sequence[str] | None = None
    language: str = "en"
    options: Mapping[str, str] = field(default_factory=dict)


def continued_or_created(files: Files, choices: Choices) -> Study:
    """Return the study of these files. If there is none, create and open it. Raises `Refused` and
    `click.ClickException`.
    """
    paths = [os.path.relpath(file, settings.DATA_DIR) for file in files]
    entry = Event.objects.filter(verb=TRIED, detail__files=paths).select_related("study").order_by("pk").first()
    if entry is None:
        return _create(files, choices, paths)
    study, names = entry.study, ", ".join(files)
    if choices.task not in (None, study.task_type):
        raise click.UsageError(
            f"{names} already has a study with the task {study.task_type}. Choose another folder for a study with "
            "another task: --data FOLDER"
        )
    if entry.detail["sha256"] != _checksums(files):
        note(
            f"{names} has changed, but the study keeps its items. Add new items in the console, or start another study "
            "in another data folder with --data"
        )
    known = set(study.named_annotators.values_list("name", flat=True))
    if added := [name for name in choices.annotators or () if name not in known]:
        add_named(study.pk, added, user=_owner())
    return study


def _create(files: Files, choices: Choices, paths: Sequence[str]) -> Study:
    items = item_file(files)
    task = choose_task(items, choices.task)
    note_reading(items, task)
    with write():
        owner = _owner()
        study = create_team_study(
            user=owner,
            title=items.title,
            task_type=task.slug,
            annotators=choices.annotators or ANNOTATORS,
            **_judgements(task, choices),
            options=items.options(task) | dict(choices.options),
            language=choices.language,
        )
        import_file(study, purpose="items", filename=items.name, data=items.data, user=owner, encoding=items.encoding)
        _keep_options(study, choices, owner)
        build_design(study.pk, user=owner)
        record(study, TRIED, user=owner, files=list(paths), sha256=_checksums(files))
        return open_study(study.pk, user=owner)


def _judgements(task: TaskType, choices: Choices) -> dict[str, int]:
    """Return more judgements per question than usual if there are enough annotators for a majority."""
    usual = task.settings.get("judgements", Study._meta.get_field("judgements").default)
    return {"judgements": MAJORITY} if len(choices.annotators or ()) >= MAJORITY > usual else {}


def _keep_options(study: Study, choices: Choices, owner: User) -> None:
    """Keep the options that the command names, and print the options that the import has changed to suit the items."""
    imported = change_settings(study.pk, user=owner, options=choices.options).options
    if changed := {name: value for name, value in imported.items() if value != study.options.get(name)}:
        shown = " ".join(f'--option {name}="{value}"' for name, value in changed.items())
        note(
            f"options set to suit the file: {shown}. To change an option, start another study: add the option with "
            "another value, and --data FOLDER"
        )


def _owner() -> User:
    """Return the account of this computer's user. It needs no password, because the command prints sign-in links."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # in a container, the user can have a number without a name
        name = "owner"
    email = f"{name}@localhost"
    return User.objects.filter(email=email).first() or create_account(email, name=name)


def _checksums(files: Files) -> list[str]:
    return [hashlib.sha256(data).hexdigest() for data in files.values()]
