"""Tests of the declaration of personal data: every column is declared, and removal and download do what it says."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db.models import BinaryField, CharField, Field, FileField, GeneratedField, JSONField, Model, TextField

from annotate import models
from annotate.core.permissions import SYSTEM
from annotate.core.services.standing import stop
from annotate.models import Annotator, Invitation, Participation, Study
from annotate.people.personal import tables
from annotate.people.selectors.own_data import own_data
from annotate.people.services import remove_expired_personal_data, remove_identities
from annotate.recruiting.selectors import identity_hash, person_hash
from annotate.recruiting.services.join import join
from annotate.server import clock
from annotate.studies.services.members import invite, withdraw
from annotate.tasktypes.personal import DELETED, EMPTIED, KEPT, Table, emptied
from tests import rooms
from tests.factories import UserFactory, do_hit, make_study

TEXTS = (CharField, TextField, JSONField, BinaryField, FileField)


def columns_of(model: type[Model]) -> set[str]:
    fields: list[Field[Any, Any]] = list(model._meta.concrete_fields)
    return {field.name for field in fields if isinstance(field, TEXTS) and not isinstance(field, GeneratedField)}


def undeclared() -> dict[str, set[str]]:
    declared = {table.model: set(table.by_name) for table in tables()}
    missing = {
        m._meta.label: columns_of(m) - declared.get(m, set()) for m in apps.get_models(include_auto_created=True)
    }
    return {label: columns for label, columns in missing.items() if columns}


def test_every_text_and_json_column_is_declared() -> None:
    assert undeclared() == {}


def test_a_new_column_is_undeclared() -> None:
    field = CharField(max_length=9, name="nickname")
    field.set_attributes_from_name("nickname")
    Annotator._meta.local_fields.append(field)
    Annotator._meta._expire_cache()
    try:
        assert undeclared() == {"annotate.Annotator": {"nickname"}}
    finally:
        Annotator._meta.local_fields.remove(field)
        Annotator._meta._expire_cache()


def test_a_declaration_by_which_removal_would_find_no_rows_is_refused() -> None:
    with pytest.raises(ValueError, match="Assignment has personal data"):
        Table(models.Assignment, {"reason": emptied("assignments[].reason")})


@pytest.mark.parametrize("table", tables(), ids=lambda table: table.model._meta.label)
def test_each_declaration_fits_its_model(table: Table) -> None:
    for name, column in table.by_name.items():
        table.rows.values(name)  # raises an error for an unknown column
        assert bool(column.download) != bool(column.reason)
    if any(column.removal == DELETED for column in table.by_name.values()):
        personal = {column.removal for column in table.by_name.values()} & {KEPT}
        assert not personal, "a deleted row keeps no column"


@pytest.fixture
def owner() -> models.User:
    return UserFactory()


def person(study: Study, platform: str, external_id: str) -> Participation:
    return join(study, platform=platform, external_id=external_id, contact="ann@example.org", verified=True)


def stored_about(study: Study) -> dict[type[Model], Model]:
    """Store one row with personal data in each table that the removal changes, and return the rows by their models."""
    account = UserFactory()
    worker, prolific, joined = (
        person(study, *one) for one in (("mturk", "A1"), ("prolific", "P1"), ("account", str(account.pk)))
    )
    do_hit(worker)
    Participation.objects.filter(pk=worker.pk).update(resume_hash="r")
    worker.refresh_from_db()
    screening = study.questionnaires.create(purpose="screening", stores_answers=True)
    survey = study.questionnaires.create(purpose="survey")
    now = clock.now()
    rows: list[Model] = [
        worker,
        worker.annotator,
        study.listed.create(kind="exclude", hash=identity_hash(study, "A1"), line=1),
        study.invitations.create(email=account.email, role="", accepted_by=account, expires_at=now),
        worker.networks.create(hash="h", seen_at=now),
        screening.screenings.create(
            is_admitted=True, person_hash=person_hash(study, "A1"), answers={"q": "yes"}, participation=worker
        ),
        survey.responses.create(participation=worker, answers={"q": "no"}),
        models.ActivitySummary.objects.create(
            answer=worker.answers.all()[0],
            pasted_length="short",
            pastes=1,
            webdriver=False,
            **dict.fromkeys(("untrusted_events", "focus_losses", "unfocused_seconds", "keys", "presses"), 0),
            pointer_paths=0,
        ),
        models.IntegrityFigures.objects.create(
            participation=worker, answers=1, figures={"pasted": 1}, calculated_at=now
        ),
        study.named_annotators.create(name="Ann", email="a@b.org", mail_fault="a@b.org: unknown", participation=joined),
        study.reported_submissions.create(
            participant_id="P1",
            submission_id="S1",
            status="REJECTED",
            reported_at=now,
            rejection_category="OTHER",
            rejection_message="Empty.",
        ),
        study.submission_imports.create(source="file", before={"S1": None}, imported_at=now),
        study.prolific_submissions.create(participation=prolific, participant_id="P1", submission_id="S1"),
        *(row for store in rooms.rows("PERSONAL") for row in store(study, worker)),
    ]
    return {type(row): row for row in rows}


def check_removed(rows: dict[type[Model], Model]) -> None:
    for table in tables():
        if table.removes and table.model is not models.WaitingPerson:
            row = rows[table.model]  # fails for a new table without a row above
            found = table.rows.filter(pk=row.pk).values(*columns_of(table.model)).first()
            removals = {name: column.removal for name, column in table.by_name.items()}
            if DELETED in removals.values() and table.model is not models.SubmissionImport:
                assert found is None, table.model
                continue
            for name in columns_of(table.model):
                assert found is not None
                if removals[name] == EMPTIED:
                    assert getattr(row, name), "the row above has no value to remove"
                    assert not found[name], (table.model, name)
                else:
                    assert found[name] == getattr(row, name), (table.model, name)


@pytest.mark.django_db
def test_removal_does_what_each_column_declares(owner: models.User) -> None:
    study = make_study(user=owner)
    rows = stored_about(study)
    remove_identities(study.annotators.all())
    check_removed(rows)


@pytest.mark.nightly
@pytest.mark.django_db
def test_the_end_of_the_retention_period_does_the_same_also_for_what_is_stored_later(owner: models.User) -> None:
    study = make_study(user=owner)
    rows = stored_about(study)
    waiting = study.waiting.create(email="w@example.org")
    Study.objects.filter(pk=study.pk).update(state="closed", closed_at=clock.now() - timedelta(days=4000))
    assert remove_expired_personal_data() == 1
    check_removed(rows)
    assert not study.waiting.filter(pk=waiting.pk).exists()
    events = study.events.filter(verb="removed personal data")
    assert remove_expired_personal_data() == 0
    assert events.count() == 1
    later = Annotator.objects.create(study=study, platform="mturk", external_id="A2")
    for _ in range(2):
        assert remove_expired_personal_data() == 0
    later.refresh_from_db()
    assert later.external_id == ""
    assert events.count() == 2


@pytest.mark.django_db
def test_the_download_contains_each_column_under_its_declared_name(owner: models.User) -> None:
    study = make_study(user=owner)
    rows = stored_about(study)
    stop(rows[Participation].pk, reason="Answers in two seconds.", user=SYSTEM)
    rows[Participation].refresh_from_db()
    data = [own_data(one) for one in study.participations.select_related("study", "annotator", "consent")]
    for table in tables():
        row = rows.get(table.model)
        for name, column in table.by_name.items():
            if column.download and table.of and row:
                section, _, key = column.download.rpartition(".")
                found = [each for one in data for each in _rows(one[section.removesuffix("[]")])]
                if "__" not in name:
                    assert getattr(row, name) in [each[key] for each in found], column


def _rows(section: Any) -> list[dict[str, Any]]:
    return section if isinstance(section, list) else [section] if section else []


@pytest.mark.django_db
def test_the_log_never_contains_the_address_of_an_invited_annotator(owner: models.User) -> None:
    study = make_study(user=owner, admission="account")
    invitation = invite(study.pk, email="ann@example.org", role="", user=owner)
    withdraw(study.pk, invitation=invitation.public_id, user=owner)
    assert study.events.filter(verb__contains="invit").count() == 2
    assert "ann@example.org" not in str(list(study.events.values()))
    assert not Invitation.objects.exists()
