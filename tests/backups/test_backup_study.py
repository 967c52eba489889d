"""Tests of `accord backup --study` and `accord restore`, which move a study to an installation with other studies."""

from __future__ import annotations

import gzip
import io
import json
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction

from annotate.backups.archive import Reader, Writer
from annotate.backups.schema import last_value
from annotate.backups.scope import foreign_keys
from annotate.backups.tables import columns
from annotate.core.permissions import SYSTEM
from annotate.models import ApiToken, Event, Invitation, Participation, Study, User
from annotate.pay.selectors.balances import entries_of
from annotate.pay.services import Due, correct_entry, record_payment
from tests.factories import UserFactory, do_hit, make_annotator, make_study
from tests.installations import Installation, ThisDatabase, full_on_sqlite
from tests.recounts import recounted, stored_counts

SHARED = "demo@accord.example"  # has an account in both installations of these tests

pytestmark = [pytest.mark.nightly, pytest.mark.django_db(transaction=True)]


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any) -> Installation:
    """An installation with studies of every task type, on SQLite."""
    with django_db_blocker.unblock():
        return full_on_sqlite(tmp_path_factory.mktemp("full"), tmp_path_factory)


@pytest.fixture(scope="module")
def relatedness(full: Installation, django_db_blocker: Any) -> str:
    """Return the ID of the installation's best–worst study, on which two researchers work."""
    with django_db_blocker.unblock():
        return next(study for study, title in full.studies().items() if title == "Relatedness of sentence pairs")


@pytest.fixture
def elsewhere(tmp_path: Path) -> Installation:
    """Return the test's database, with a study and an account of one of the two researchers."""
    study = make_study(items=8, user=UserFactory(email=SHARED))
    do_hit(make_annotator(study))
    return ThisDatabase("", tmp_path)


def rows_of(installation: Installation, study: str) -> dict[str, list[dict[str, Any]]]:
    """Return the rows in a study's backup. Keys are replaced by the positions of rows in their tables, and researchers
    by their addresses, because both differ after a restore.
    """
    path = installation.folder / "rows.backup"
    installation.accord("backup", "--study", study, "-o", path)
    tables: dict[Any, list[dict[str, Any]]] = {}
    for table in Reader(io.BytesIO(path.read_bytes())).tables():
        rows = [dict(zip(table.about["columns"], row, strict=True)) for row in table.rows]
        tables[apps.get_model(table.name)] = rows
    places: dict[Any, dict[Any, Any]] = {
        model: {row[model._meta.pk.attname]: row["email"] if model is User else place for place, row in enumerate(rows)}
        for model, rows in tables.items()
    }
    del tables[User]
    for model, rows in tables.items():
        keys = {model._meta.pk.attname: model} | {key.attname: key.related_model for key in foreign_keys(model)}
        for row in rows:
            row |= {name: places[target][row[name]] for name, target in keys.items() if row[name] is not None}
    return {model._meta.label: rows for model, rows in tables.items()}


def rows_without_restore(installation: Installation, study: str) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of a restored study without the event of the restore."""
    rows = rows_of(installation, study)
    assert rows["annotate.Event"].pop()["verb"] == "restored from backup"
    return rows


def test_studies_are_added_to_those_that_are_there(
    full: Installation, relatedness: str, elsewhere: Installation, tmp_path: Path
) -> None:
    own = Study.objects.get().public_id
    before = rows_of(elsewhere, own)
    created: set[str] = set()
    for study in full.studies():
        full.accord("backup", "--study", study[:8], "-o", tmp_path / study)
        created |= set(json.loads(elsewhere.accord("restore", tmp_path / study, "--json"))["accounts_created"])

    assert rows_of(elsewhere, own) == before
    for study in full.studies():
        assert rows_without_restore(elsewhere, study) == rows_of(full, study)
    assert created == {"aiko@accord.example", "tomas@accord.example"}
    for account in User.objects.filter(email__in=created):
        assert (account.is_active, account.has_usable_password()) == (False, False)
    for study in Study.objects.all():
        assert stored_counts(study) == recounted(study)


def test_a_restored_study_goes_on(
    full: Installation, relatedness: str, elsewhere: Installation, tmp_path: Path
) -> None:
    full.accord("backup", "--study", relatedness, "-o", tmp_path / "study.backup")
    elsewhere.accord("restore", tmp_path / "study.backup")
    study = Study.objects.get(public_id=relatedness)
    assert Event.objects.latest("pk").study == study
    do_hit(Participation.objects.filter(study=study, standing="active").latest("pk"))
    do_hit(make_annotator(study))
    assert stored_counts(study) == recounted(study)


@pytest.mark.parametrize("database", ["this one", "sqlite"])
def test_a_study_that_is_here_is_replaced_only_on_request(
    database: str, full: Installation, relatedness: str, elsewhere: Installation, tmp_path: Path
) -> None:
    path = tmp_path / "study.backup"
    full.accord("backup", "--study", relatedness, "-o", path)
    if database == "sqlite":
        elsewhere = full.copy(tmp_path)
    else:
        elsewhere.accord("restore", path)
    before, studies = rows_of(elsewhere, relatedness), elsewhere.studies()
    with elsewhere.connected():
        study = Study.objects.get(public_id=relatedness)
        user, now = User.objects.get(email=SHARED), datetime.now(UTC)
        invitation = Invitation.objects.create(study=study, email="new@example.org", expires_at=now)
        token = ApiToken.objects.create(study=study, user=user, name="one study", expires_at=now)
    assert "already exists" in elsewhere.refusal("restore", path)
    elsewhere.accord("restore", path, "--replace", "--yes", "--owner", SHARED)
    assert elsewhere.studies().keys() == studies.keys()
    for table in ("annotate.Assignment", "annotate.Answer"):
        assert rows_of(elsewhere, relatedness)[table] == before[table]
    with elsewhere.connected():
        study = Study.objects.get(public_id=relatedness)
        assert study.memberships.get(user=user).role == "owner"
        assert invitation in study.invitations.all()
        assert list(ApiToken.objects.filter(study=study)) == [token]
        assert stored_counts(study) == recounted(study)


def test_a_damaged_study_changes_nothing(
    full: Installation, relatedness: str, elsewhere: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "study.backup"
    full.accord("backup", "--study", relatedness, "-o", path)
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    path.write_bytes(gzip.compress(b"".join(lines[:-1])))
    before = elsewhere.fingerprints()
    monkeypatch.setattr("annotate.backups.commands.check", lambda stream: None)  # as for a file from a pipe
    assert "truncated" in elsewhere.refusal("restore", path)
    assert elsewhere.fingerprints() == before


def forged(path: Path, table: str, *, columns: Any = None, rows: Any = None, about: Any = None) -> Path:
    """Return a copy of a backup in which one table was replaced, with correct fingerprints."""
    reader = Reader(io.BytesIO(path.read_bytes()))
    headers = {each["table"]: each for each in reader.header["tables"]}
    tables = [(dict(each.about), list(each.rows)) for each in reader.tables()]
    if table not in headers:
        tables.append(({"table": table, "columns": columns, "first": 1, "sequence": 1}, []))
    for header, own in tables:
        if header["table"] == table:
            header |= about or {}
            own[:] = rows(header["columns"], own)
    stream = io.BytesIO()
    writer = Writer(stream, {**reader.header, "tables": [header for header, _ in tables], "accord-backup": 1})
    for header, own in tables:
        writer.table(header, own)
    writer.close()
    target = path.with_suffix(".forged")
    target.write_bytes(stream.getvalue())
    return target


def test_a_forged_study_reaches_neither_accounts_nor_other_studies(
    full: Installation, relatedness: str, elsewhere: Installation, tmp_path: Path
) -> None:
    path = tmp_path / "study.backup"
    full.accord("backup", "--study", relatedness, "-o", path)
    victim = Study.objects.get()
    accounts = User.objects.count()

    def token(names: list[str], rows: Any) -> Any:
        users = next(table for table in Reader(io.BytesIO(path.read_bytes())).tables() if table.name == "annotate.user")
        own = next(dict(zip(users.about["columns"], row, strict=True)) for row in users.rows)
        values = {
            "id": 1,
            "user_id": own["id"],
            "study_id": None,
            "name": "forged",
            "hash": "0" * 64,
            "scope": "write",
            "public_id": "f" * 22,
        }
        times = dict.fromkeys(("created_at", "expires_at"), "2030-01-01T00:00:00Z")
        return [[(values | times).get(name) for name in names]]

    def member_elsewhere(names: list[str], rows: list[list[Any]]) -> Any:
        stated = next(
            t for t in Reader(io.BytesIO(path.read_bytes())).header["tables"] if t["table"] == "annotate.study"
        )
        first = max(Study.objects.latest("pk").pk, last_value(Study)) + 1
        rows[0][names.index("study_id")] = victim.pk - (first - stated["first"])
        rows[0][names.index("role")] = "owner"
        return rows

    tokens = forged(path, "annotate.apitoken", columns=columns(ApiToken), rows=token)
    assert "annotate.apitoken" in elsewhere.refusal("restore", tokens)
    assert not ApiToken.objects.exists()
    members = forged(path, "annotate.membership", rows=member_elsewhere)
    assert "another study" in elsewhere.refusal("restore", members)
    assert victim.memberships.count() == 1
    assert "annotate.item" in elsewhere.refusal(
        "restore", forged(path, "annotate.item", rows=lambda names, rows: [row[:-1] for row in rows])
    )
    assert (Study.objects.get(), User.objects.count()) == (victim, accounts)


def test_the_file_of_a_study_has_neither_secrets_nor_other_studies(full: Installation, relatedness: str) -> None:
    path = full.folder / "study.backup"
    full.accord("backup", "--study", relatedness, "-o", path)
    text = gzip.decompress(path.read_bytes()).decode()
    for secret in ("pbkdf2", "JBSWY3DP", "nightly export", "Word alignment", "aiko@accord.example", "A1VT07LEOL2JBC"):
        assert secret not in text
    assert relatedness in text


def test_payments_and_their_corrections_move_with_the_study(elsewhere: Installation, tmp_path: Path) -> None:
    study = make_study()
    ann = make_annotator(study)
    do_hit(ann)
    part = Due(ann.pseudonym, Decimal("0.50"), Decimal(0))
    payment = record_payment(study.pk, [part], reference="Transfer", paid_on=date(2026, 11, 20), user=SYSTEM)
    entry = payment.entries.get().public_id
    correct_entry(study.pk, entry, amount=Decimal("0.40"), reason="Bank fee.", user=SYSTEM)
    elsewhere.accord("backup", "--study", study.public_id, "-o", tmp_path / "study.backup")
    elsewhere.accord("restore", tmp_path / "study.backup", "--replace", "--yes")
    restored = Study.objects.get(public_id=study.public_id)
    (shown,) = entries_of(restored.payments.get().entries.all())
    assert (shown.entry.public_id, shown.present, len(shown.corrections)) == (entry, Decimal("0.40"), 1)
    with pytest.raises(IntegrityError, match="a pay entry never changes"), transaction.atomic():
        restored.pay_entries.update(amount=1)
