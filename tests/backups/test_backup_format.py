"""Tests of the contents of a backup and of its file format."""

from __future__ import annotations

import gzip
import io
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.apps import apps
from django.db import DataError, connection, transaction

from annotate.backups.archive import BackupError, Rows, Writer, check
from annotate.backups.scope import of_installation, stored_models, study_models
from annotate.backups.snapshot import write_backup
from annotate.backups.tables import encode, insert_rows, read_rows
from annotate.models import Event, Study
from tests.memory import peak_memory

HEADER = {"scope": "installation", "created_at": "2026-11-22T01:02:03Z", "migrations": {}, "tables": []}
TABLE = {"table": "annotate.item", "columns": ["id"], "first": 1, "sequence": 1}


def test_every_table_is_in_the_backup_of_an_installation_or_is_left_out_on_purpose() -> None:
    everything = {model._meta.label for model in apps.get_models(include_auto_created=True)}
    kept = {model._meta.label for model in stored_models(apps)}
    assert everything - kept == {"sessions.Session", "annotate.HourCount", "annotate.GoldCount"}
    assert {part.model._meta.label for part in of_installation(apps)} == kept
    keys = {type(model._meta.pk).__name__ for model in stored_models(apps)}
    assert keys <= {"AutoField", "BigAutoField", "OneToOneField"}  # in the same order on both databases


def test_every_table_of_the_core_belongs_to_a_study_or_is_known_not_to() -> None:
    own = {model._meta.label for model, _ in study_models()}
    core = {
        model._meta.label
        for app in ("annotate", "alignment_ui", "evaluation")
        for model in apps.get_app_config(app).get_models()
    }
    accounts = {"annotate.User", "annotate.Invitation", "annotate.ApiToken", "annotate.SignInEvent"}
    assert core - own == {*accounts, "annotate.IdempotencyKey"}


def test_fingerprints_do_not_depend_on_how_a_database_writes_json() -> None:
    def fingerprint(value: object) -> object:
        rows = Rows()
        rows.add([1, value])
        return rows.fingerprint()

    assert fingerprint({"a": 1, "b": [1.5, {"c": 2, "d": 3}]}) == fingerprint({"b": [1.5, {"d": 3, "c": 2}], "a": 1})
    assert fingerprint(1.25e22) == fingerprint(12500000000000000000000)
    assert fingerprint(-0.0) == fingerprint(0.0)
    assert fingerprint(0.1) != fingerprint(0.10000000000000002)
    assert fingerprint([1, 2]) != fingerprint([2, 1])


def test_values_are_written_exactly() -> None:
    assert encode(Decimal("0.5000")) == "0.5000"
    assert encode(datetime(2026, 11, 22, 1, 2, 3, 4, tzinfo=UTC)) == "2026-11-22T01:02:03.000004Z"
    assert encode(b"\x00\xff") == "AP8="


def test_what_follows_the_manifest_is_damage() -> None:
    stream = io.BytesIO()
    writer = Writer(stream, HEADER)
    writer.table({"table": "a"}, [[1]])
    writer.close()
    header, manifest = check(io.BytesIO(stream.getvalue()))
    assert (header["scope"], manifest.rows) == ("installation", 1)
    with pytest.raises(BackupError, match="damaged"):
        check(io.BytesIO(stream.getvalue() + gzip.compress(b"[2]\n")))


@pytest.mark.parametrize(
    "forged",
    [
        *({"scope": scope} for scope in (None, "study", [], {}, {"study": "a"})),
        {"created_at": None},
        *({"migrations": migrations} for migrations in (None, "annotate", {"annotate": 5}, {"annotate": [5]})),
        *({"tables": tables} for tables in (None, 5, ["annotate.item"])),
        *({"tables": [TABLE | change]} for change in ({"columns": None}, {"first": "1"}, {"sequence": "1"})),
    ],
)
def test_a_forged_header_is_a_damaged_backup(forged: dict[str, Any]) -> None:
    stream = io.BytesIO()
    Writer(stream, HEADER | forged).close()
    with pytest.raises(BackupError, match="damaged"):
        check(io.BytesIO(stream.getvalue()))


@pytest.mark.django_db
def test_a_key_that_no_database_can_store_is_a_damaged_backup() -> None:
    with pytest.raises((BackupError, DataError)), transaction.atomic():
        insert_rows(Event, ["id"], [[10**30]])


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_memory_does_not_grow_with_the_number_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotate.backups.tables.AT_ONCE", 50)
    study = Study.objects.create(title="Large", task_type="bws")
    rows = 20 * 50
    Event.objects.bulk_create(Event(study=study, verb="made", detail={"text": "x" * 5_000}) for _ in range(rows))
    write_backup(io.BytesIO(), None, lambda table, count: None)  # imports what it needs
    peak = peak_memory(lambda: write_backup(io.BytesIO(), None, lambda table, count: None))
    assert peak < rows * 5_000 * 2 / 3
    assert sum(1 for _ in read_rows(Event.objects.all(), ["id"])) == rows
    assert not connection.in_atomic_block


@pytest.mark.nightly
def test_an_endless_line_is_a_damaged_backup(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotate.backups.archive.LONGEST_LINE", 1_000_000)
    stream = io.BytesIO(gzip.compress(b'"' + b"x" * 50_000_000))

    def refused() -> None:
        with pytest.raises(BackupError, match="longer"):
            check(stream)

    assert peak_memory(refused) < 5_000_000


def test_deeply_nested_json_is_a_damaged_backup() -> None:
    stream = io.BytesIO(gzip.compress(b"[" * 200_000 + b"]" * 200_000 + b"\n"))
    with pytest.raises(BackupError, match="damaged"):
        check(stream)
