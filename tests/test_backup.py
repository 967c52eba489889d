"""`accord backup` and `accord restore`: nothing is lost, nothing is half restored, and nothing waits for a backup."""

from __future__ import annotations

import gzip
import io
import json
import os
import stat
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from annotate.backups.archive import BackupError, Rows, Writer, check
from annotate.backups.scope import of_installation, stored_models, study_models
from annotate.backups.snapshot import write_backup
from annotate.backups.tables import AT_ONCE, encode, read_rows
from annotate.models import Event, Study
from tests.installations import (
    ROOT,
    Installation,
    fill_with_old_version,
    old_contents,
    on_either,
    on_postgresql,
    on_sqlite,
)

SHARED = "demo@accord.example"  # has an account in both installations of these tests
# Three writers submit HITs, stop annotators and restore them, until the process is killed.
WRITERS = """
import django, threading; django.setup()
from annotate.models import Participation, Study
from annotate.services.simulate import simulate
from annotate.services.standing import restore, stop
from annotate.services.supply import add_slots
studies = list(Study.objects.filter(state="open", task_type="bws").order_by("pk")[:2])
print("ready", flush=True)
def work(number):
    study = studies[number % 2]
    for turn in range(1_000_000):
        seed = 1_000_000 * number + turn
        add_slots(study.pk, user=None)
        simulate(study, annotators=1, hits=3, seed=seed)
        someone = Participation.objects.get(annotator__external_id=f"{study.public_id}-{seed}-0")
        if turn % 3 == 0:
            stop(someone.pk, reason="too fast", user=None)
        if turn % 6 == 0:
            restore(someone.pk, reason="a mistake", user=None)
threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""
# The rules of the data that a backup of several moments would break.
INVARIANTS = """
import django; django.setup()
from annotate.models import Answer, Participation, Study
from tests.factories import assert_slots_add_up
for study in Study.objects.all():
    assert_slots_add_up(study)
for person in Participation.objects.filter(annotator__platform="simulated"):
    graded = person.answers.filter(question__kind="gold", tally__isnull=False).count()
    assert person.graded == graded, (person, person.graded, graded)
    assert not person.assignments.filter(state="done", answers__value=None).exists()
print(Answer.objects.count())
"""


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """The fixture's installation, up to date, on SQLite."""
    installation = on_sqlite(tmp_path_factory.mktemp("full"))
    fill_with_old_version(installation)
    installation.migrate()
    return installation


@pytest.fixture(scope="module")
def file(full: Installation) -> Path:
    """A backup of it."""
    path = full.folder / "full.backup"
    full.accord("backup", "-o", path)
    return path


# ── there and back ────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("content", ["fixture", "demonstration"])
def test_sqlite_to_postgresql_and_back_gives_the_same_fingerprints(content: str, tmp_path: Path) -> None:
    first, last = on_sqlite(tmp_path / "first"), on_sqlite(tmp_path / "last")
    if content == "fixture":
        fill_with_old_version(first)
    first.migrate()
    if content == "demonstration":
        first.python("manage.py", "demo")
    with on_postgresql(tmp_path / "middle") as middle:
        first.accord("backup", "-o", tmp_path / "1.backup")
        middle.accord("restore", tmp_path / "1.backup")
        middle.accord("backup", "-o", tmp_path / "2.backup")
        last.accord("restore", tmp_path / "2.backup")
        assert first.fingerprints() == middle.fingerprints() == last.fingerprints()
        assert first.contents() == middle.contents() == last.contents()


@pytest.mark.rules
def test_a_restored_installation_works_and_keeps_its_guards(file: Path, full: Installation, tmp_path: Path) -> None:
    with on_either(tmp_path) as restored:
        restored.accord("restore", file)
        assert restored.contents() == full.contents()
        refused = (
            "import django; django.setup()\nfrom django.db import DatabaseError\nfrom annotate.models import *\n"
            "last = Event.objects.latest('pk')\n"
            "study = Study.objects.create(title='new', task_type='bws')\n"
            "print(Event.objects.create(study=study, verb='made').pk > last.pk)\n"
            "try: last.delete()\nexcept DatabaseError as error: print(error)"
        )
        assert restored.python("-c", refused).splitlines()[:2] == ["True", "the log is append-only"]
        assert restored.accord("study", "list").count("\n") == 9


@pytest.mark.rules
def test_a_backup_of_an_older_version_is_brought_up_to_date(tmp_path: Path) -> None:
    with on_either(tmp_path / "old") as old, on_either(tmp_path / "new") as new:
        fill_with_old_version(old)
        old.accord("backup", "-o", tmp_path / "old.backup")
        new.accord("restore", tmp_path / "old.backup")
        found = new.contents()
        for study, content in old_contents()["studies"].items():
            assert {name: found["studies"][study][name] for name in content} == content


@pytest.mark.rules
def test_a_backup_while_others_write_is_of_one_moment(tmp_path: Path) -> None:
    with on_either(tmp_path / "busy") as busy:
        fill_with_old_version(busy)
        busy.migrate()
        before = int(busy.python("-c", INVARIANTS))
        files = [tmp_path / f"{number}.backup" for number in range(2)]
        with subprocess.Popen(
            [sys.executable, "-c", WRITERS], cwd=ROOT, env=busy.environment, stdout=subprocess.PIPE, text=True
        ) as writers:
            assert writers.stdout is not None
            assert writers.stdout.readline() == "ready\n"
            for path in files:
                busy.accord("backup", "-o", path)
            still_writing = writers.poll() is None
            writers.kill()
        assert still_writing
        counts = []
        for number, path in enumerate(files):
            copy = on_sqlite(tmp_path / f"copy-{number}")
            copy.accord("restore", path)
            counts.append(int(copy.python("-c", INVARIANTS)))
        assert before < counts[0] < counts[1]


# ── all or nothing ────────────────────────────────────────────────────────────────────────────────────────────
def damaged(file: Path) -> dict[str, bytes]:
    """A backup's content, damaged in each way."""
    content = file.read_bytes()
    lines = gzip.decompress(content).splitlines(keepends=True)
    return {
        "truncated": content[: len(content) * 2 // 3],
        "without its end": gzip.compress(b"".join(lines[:-1])),
        "a changed byte": content[:100_000] + bytes([content[100_000] ^ 1]) + content[100_001:],
        "a changed row": gzip.compress(b"".join(lines).replace(b"nightly export", b"Nightly export")),
        "a missing row": gzip.compress(b"".join(lines[:10] + lines[11:])),
    }


@pytest.mark.parametrize("damage", ["truncated", "without its end", "a changed byte", "a changed row", "a missing row"])
def test_damage_is_noticed(damage: str, file: Path) -> None:
    with pytest.raises(BackupError, match=r"damaged|truncated"):
        check(io.BytesIO(damaged(file)[damage]))


@pytest.mark.rules
def test_a_damaged_backup_changes_nothing(file: Path, tmp_path: Path) -> None:
    path = tmp_path / "damaged.backup"
    with on_either(tmp_path) as installation:
        installation.migrate()
        installation.python("-c", "import django; django.setup(); from annotate.models import User; "
                            "User.objects.create_user('me@example.org')")  # fmt: skip
        before, files = installation.fingerprints(), {*tmp_path.iterdir(), path}
        for damage in ("without its end", "a changed row"):
            path.write_bytes(damaged(file)[damage])
            message = installation.refusal("restore", path, "--replace", "--yes")
            assert "damaged" in message or "truncated" in message
        assert installation.fingerprints() == before
        assert set(tmp_path.iterdir()) == files


def test_an_installation_is_restored_over_another_one_only_on_request(file: Path, tmp_path: Path) -> None:
    installation = on_sqlite(tmp_path)
    installation.accord("restore", file)
    before = installation.fingerprints()
    assert "the database has 8 studies and 3 accounts; --replace deletes them" in installation.refusal("restore", file)
    installation.accord("restore", file, "--replace", "--yes")
    assert installation.fingerprints() == before


def test_a_database_in_use_is_not_replaced(file: Path, tmp_path: Path) -> None:
    installation = on_sqlite(tmp_path)
    installation.migrate()
    hold = (
        "import django; django.setup(); from annotate.models import Study\n"
        "Study.objects.count(); print(1, flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold],
        cwd=ROOT,
        env=installation.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "1\n"
        assert "stop Accord first" in installation.refusal("restore", file)
        process.communicate("\n")
    installation.accord("restore", file)


def test_a_backup_of_a_newer_version_is_refused(file: Path, tmp_path: Path) -> None:
    newer = gzip.decompress(file.read_bytes()).replace(b'"0001_initial"', b'"0001_initial","9999_later"', 1)
    (tmp_path / "newer.backup").write_bytes(gzip.compress(newer))
    assert "comes from a newer version" in on_sqlite(tmp_path).refusal("restore", tmp_path / "newer.backup")


def test_a_file_of_another_kind_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text("id,text\n")
    installation = on_sqlite(tmp_path)
    assert "not an Accord backup" in installation.refusal("restore", tmp_path / "items.csv")
    assert "no such file" in installation.refusal("restore", tmp_path / "missing.backup")


# ── one study ─────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.fixture(scope="module")
def relatedness(full: Installation) -> str:
    """The ID of the fixture's best–worst study, which three researchers work on."""
    contents = old_contents()["studies"]
    return next(study for study, content in contents.items() if content["title"] == "Relatedness of sentence pairs")


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Installation]:
    """Another installation with studies of its own, where one of the three has an account."""
    with on_either(tmp_path / "elsewhere") as installation:
        installation.migrate()
        installation.accord(
            "study", "create", "examples/relatedness/items.csv", "--owner", SHARED, "--title", "Another study"
        )
        yield installation


@pytest.mark.rules
def test_one_study_is_added_to_those_that_are_there(
    full: Installation, relatedness: str, elsewhere: Installation, tmp_path: Path
) -> None:
    path = tmp_path / "study.backup"
    full.accord("backup", "--study", relatedness[:6], "-o", path)
    before, original = elsewhere.contents(), full.contents()["studies"][relatedness]
    restored = json.loads(elsewhere.accord("restore", path, "--json"))
    found = elsewhere.contents()

    assert found["studies"].pop(relatedness) == {**original, "events": found_events(original, "restored from backup")}
    assert found["studies"] == before["studies"]
    assert restored["accounts_created"] == ["tomas@accord.example"]
    code = (
        "import django; django.setup(); from annotate.models import User\n"
        "u = User.objects.get(email='tomas@accord.example'); print(u.is_active, u.has_usable_password())"
    )
    assert elsewhere.python("-c", code) == "False False\n"

    assert "already exists" in elsewhere.refusal("restore", path)
    elsewhere.accord("restore", path, "--replace", "--yes", "--owner", SHARED)
    assert elsewhere.contents()["studies"].keys() == {*before["studies"], relatedness}


def found_events(original: dict[str, Any], verb: str) -> dict[str, int]:
    return {**original["events"], verb: 1}


def test_the_file_of_a_study_has_neither_secrets_nor_other_studies(full: Installation, relatedness: str) -> None:
    path = full.folder / "study.backup"
    full.accord("backup", "--study", relatedness, "-o", path)
    text = gzip.decompress(path.read_bytes()).decode()
    for secret in ("pbkdf2", "JBSWY3DP", "nightly export", "Word alignment", "aiko@accord.example", "A1VT07LEOL2JBC"):
        assert secret not in text
    assert relatedness in text


def test_one_study_in_an_empty_database_becomes_an_installation(
    full: Installation, relatedness: str, tmp_path: Path
) -> None:
    alone = on_sqlite(tmp_path)
    full.accord("backup", "--study", relatedness, "-o", tmp_path / "study.backup")
    alone.accord("restore", tmp_path / "study.backup")
    assert alone.contents()["studies"] == {relatedness: full.contents()["studies"][relatedness]}


def test_every_table_is_in_the_backup_of_an_installation_or_known_to_be_of_the_moment() -> None:
    from django.apps import apps

    everything = {model._meta.label for model in apps.get_models(include_auto_created=True)}
    kept = {model._meta.label for model in stored_models(apps)}
    assert everything - kept == {"sessions.Session"}
    assert {part.model._meta.label for part in of_installation(apps)} == kept
    keys = {type(model._meta.pk).__name__ for model in stored_models(apps)}
    assert keys <= {"AutoField", "BigAutoField", "OneToOneField"}  # in the same order on both databases


def test_every_table_of_the_core_belongs_to_a_study_or_is_known_not_to() -> None:
    from django.apps import apps

    own = {model._meta.label for model, _ in study_models()}
    core = {
        model._meta.label
        for app in ("annotate", "alignment_ui", "evaluation")
        for model in apps.get_app_config(app).get_models()
    }
    assert core - own == {"annotate.User", "annotate.ApiToken", "annotate.IdempotencyKey", "annotate.SignInEvent"}


# ── the file ──────────────────────────────────────────────────────────────────────────────────────────────────
def test_only_its_owner_can_read_the_file_and_it_appears_when_it_is_complete(
    full: Installation, tmp_path: Path
) -> None:
    os.umask(os.umask(0))
    name = full.accord("backup", "-o", tmp_path).strip()
    assert stat.S_IMODE(os.stat(name).st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [Path(name).name]


def test_standard_output_and_input_carry_a_backup(full: Installation, tmp_path: Path) -> None:
    done = full._start(Path(sys.executable).with_name("accord"), "backup", "-o", "-")
    assert done.stderr == b""
    copy = on_sqlite(tmp_path)
    assert copy._start(Path(sys.executable).with_name("accord"), "restore", "-", stdin=done.stdout).returncode == 0
    assert copy.fingerprints() == full.fingerprints()


def test_only_the_newest_files_are_kept_and_others_are_left_alone(full: Installation, tmp_path: Path) -> None:
    for name in ("accord-20250101-000000Z.backup", "accord-20250102-000000Z.backup", "notes.txt", "mine.backup"):
        (tmp_path / name).write_text("")
    newest = Path(full.accord("backup", "-o", tmp_path, "--keep", "2").strip()).name
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {newest, "accord-20250102-000000Z.backup", "notes.txt", "mine.backup"}


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
    writer = Writer(stream, {"scope": "installation"})
    writer.table({"table": "a"}, [[1]])
    writer.close()
    header, manifest = check(io.BytesIO(stream.getvalue()))
    assert (header["scope"], manifest.rows) == ("installation", 1)
    with pytest.raises(BackupError, match="damaged"):
        check(io.BytesIO(stream.getvalue() + gzip.compress(b"[2]\n")))


@pytest.mark.django_db(transaction=True)
def test_memory_does_not_grow_with_the_number_of_rows() -> None:
    study = Study.objects.create(title="Large", task_type="bws")
    rows = 8 * AT_ONCE
    Event.objects.bulk_create(Event(study=study, verb="made", detail={"text": "x" * 2_000}) for _ in range(rows))
    tracemalloc.start()
    write_backup(io.BytesIO(), None, lambda table, count: None)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < rows * 2_000 * 2 / 3
    assert sum(1 for _ in read_rows(Event.objects.all(), ["id"])) == rows
    assert not connection.in_atomic_block
