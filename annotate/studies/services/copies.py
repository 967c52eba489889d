"""Services that copy a study's settings and contents, and that delete a draft."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from annotate.core.permissions import Action, Actor, permitted_study, require, researcher
from annotate.core.selectors.admission import linkable_studies
from annotate.core.services.consent_terms import lacks_contact
from annotate.core.services.gold_sets import deal_gold
from annotate.core.services.limits import DEADLINES
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.data.services.design import clear_design
from annotate.data.services.imports import CHUNK, import_items
from annotate.data.services.removal import locked_idle
from annotate.data.upload_contents import Rows
from annotate.models import Membership, Question, Study, Upload, User
from annotate.people.services import remove_from_study
from annotate.prolific.services.settings import copy_prolific
from annotate.recruiting.services.groups import copy_groups
from annotate.recruiting.services.questionnaires import copy_questionnaires
from annotate.server import clock
from annotate.studies.services.settings import LISTS, SETTINGS
from annotate.studies.services.study import create_study
from annotate.tasktypes import ItemDraft, Progress, extensions

GOLD = (Question.Kind.GOLD, Question.Kind.PRACTICE)


def copy_study(study_id: int, *, user: User, title: str = "", members: bool = False) -> Study:
    """Create a draft with another study's settings (except deadlines), consent text, groups and questionnaires, and a
    new random seed.

    `user` becomes the owner. If `members` is true, the other members of the study keep their roles in the copy. Lists
    of excluded and admitted studies are copied only if `user` owns all studies in the list.
    """
    source = permitted_study(study_id, user, Action.COPY)
    consent = source.consents.order_by("-version").first()
    with write():
        copy = create_study(
            user=user,
            title=title.strip() or _copy_title(source.title),
            task_type=source.task_type,
            options=source.options,
            consent=consent.text if consent else "",
            consent_pays_stopped=consent.pays_stopped if consent else None,
            consent_names_activity=consent is not None and consent.names_activity,
            **copied_settings(source, user),
        )
        copy_prolific(source, copy)
        copy_groups(source, copy)  # screening answers and quotas name them
        copy_questionnaires(source, copy)
        extensions.copy_settings(source, copy)
        if members:
            others = source.memberships.exclude(user=user)
            Membership.objects.bulk_create(Membership(study=copy, user=m.user, role=m.role) for m in others)
        record(copy, "copied study", user=user, source=source.public_id, members=members)
    return copy


def copy_contents(study_id: int, source_id: str, *, gold: bool, user: Actor, progress: Progress) -> None:
    """Copy a study's items to a draft. If `gold` is true, also copy the gold and practice questions.

    The items of each imported file become visible together. If the copying is repeated after an interruption, files
    that have already been copied are skipped.
    """
    study, source = Study.objects.get(pk=study_id), Study.objects.get(public_id=source_id)
    require(source, user, Action.COPY)
    copied = set(study.uploads.imported().values_list("sha256", flat=True))
    files = source.uploads.imported().filter(purpose=Upload.Purpose.ITEMS).order_by("pk")
    for file in files:
        if file.sha256 not in copied:
            study.refresh_from_db(fields=["options"])  # the import before can have suited the wording to its items
            import_items(_copy_of(file, study, user), _rows(file), user, progress)
    if gold:
        _copy_questions(study, source, user)


def copied_settings(source: Study, user: User) -> dict[str, Any]:
    """Return the settings for a copy of the study. Deadlines are not copied. A list of linked studies is copied only if
    the user owns all of these studies.
    """
    settings = {name: getattr(source, name) for name in SETTINGS - {"title", "seed", *DEADLINES}}
    if lacks_contact(source.contact):  # drafts can have an incomplete contact from an earlier version
        settings["contact"] = ""
    linkable = {study.public_id for study in linkable_studies(user)}
    return settings | {name: settings[name] if linkable.issuperset(settings[name]) else [] for name in LISTS}


def _copy_title(title: str) -> str:
    return f"Copy of {title}"[: Study._meta.get_field("title").max_length]


def _copy_of(file: Upload, study: Study, user: Actor) -> Upload:
    return Upload.objects.create(
        study=study,
        purpose=file.purpose,
        filename=file.filename,
        content=file.content,
        size=file.size,
        sha256=file.sha256,
        layout=file.layout,
        created_by=researcher(user),
    )


def _rows(file: Upload) -> Iterator[Rows]:
    items = file.items.order_by("pk")
    last = 0
    while chunk := list(items.filter(pk__gt=last)[:CHUNK]):
        drafts = [ItemDraft(item.key, item.content, item.metadata, item.held_out) for item in chunk]
        yield Rows(file.rows, items=drafts)
        last = chunk[-1].pk


def _copy_questions(study: Study, source: Study, user: Actor) -> None:
    """Copy the questions that are not yet in the draft. Excluded gold questions and gold candidates are not copied."""
    with write():
        files = {file.pk: _copy_of_questions(file, study, user) for file in _files_of_questions(source)}
        taken = set(study.questions.values_list("ref", flat=True))
        questions = [
            Question(
                study=study,
                upload=files.get(question.upload_id or 0),
                kind=question.kind,
                ref=question.ref,
                payload=question.payload,
                gold=question.gold,
                explanation=question.explanation,
            )
            for question in source.questions.filter(kind__in=GOLD).order_by("pk")
            if question.ref not in taken
        ]
        Question.objects.bulk_create(questions)
        deal_gold(study)  # the design can have been built while the items were copied
        record(study, "copied gold and practice questions", user=user, source=source.public_id, rows=len(questions))


def _files_of_questions(study: Study) -> QuerySet[Upload]:
    return study.uploads.imported().exclude(purpose=Upload.Purpose.ITEMS).order_by("pk")


def _copy_of_questions(file: Upload, study: Study, user: Actor) -> Upload:
    """Return the copy of a file of questions, or an existing copy if the file has already been copied."""
    if copied := study.uploads.imported().filter(sha256=file.sha256, purpose=file.purpose).first():
        return copied
    copy = _copy_of(file, study, user)
    copy.rows, copy.revealed_at = file.rows, clock.now()
    copy.save(update_fields=["rows", "revealed_at"])
    return copy


def delete_draft(study_id: int, *, user: Actor) -> None:
    """Delete a draft with its items, questions, files, named annotators and lists of people, and remove all members.

    The append-only log keeps the title of the study and the entries about the draft, which only operators can read.
    Raises `Refused` with the code `state` if the study is no longer a draft, or `busy` if a job has not finished.
    """
    with write():
        study = locked_idle(study_id, user, Action.DELETE_DRAFT)
        clear_design(study)
        study.questions.filter(answers__isnull=True).delete()
        study.items.all().delete()
        study.uploads.all().delete()
        record(study, "deleted draft", user=user, title=study.title)
        _delete_people(study)
        study.invitations.all().delete()
        extensions.delete_draft(study)
        study.memberships.all().delete()
        study.state = Study.State.ARCHIVED
        study.save(update_fields=["state"])


def _delete_people(study: Study) -> None:
    """Delete the people that researchers entered. Retention would never remove their data, because a draft is never
    closed.
    """
    study.named_annotators.all().delete()
    remove_from_study(study)
