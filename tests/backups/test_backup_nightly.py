"""Slow tests of backups: backups during writes, and failures in the middle of a restore."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.backups.test_backup import damaged
from tests.backups.test_backup_study import rows_of
from tests.installations import (
    ACCORD,
    FULL,
    ROOT,
    Installation,
    full_on_sqlite,
    on,
    on_postgresql,
    on_sqlite,
)

pytestmark = pytest.mark.nightly
on_both = pytest.mark.parametrize("database", ["postgresql", "sqlite"])
# Three writers submit HITs, stop annotators and restore them, until the process is killed.
WRITERS = """
import django, threading; django.setup()
from annotate.models import Participation
from annotate.core.permissions import SYSTEM
from annotate.annotator.simulation import simulate
from annotate.core.services.standing import restore, stop
from annotate.questions.services.more_judgements import add_slots
from tests.factories import make_study
studies = [make_study(privacy_notice="Answers are stored under pseudonyms.") for _ in range(2)]
print("ready", flush=True)
def work(number):
    study = studies[number % 2]
    for turn in range(1_000_000):
        seed = 1_000_000 * number + turn
        add_slots(study.pk, user=SYSTEM)
        simulate(study, user=SYSTEM, annotators=1, hits=3, seed=seed)
        someone = Participation.objects.get(annotator__external_id=f"{study.public_id}-{seed}-0")
        if turn % 3 == 0:
            stop(someone.pk, reason="too fast", user=SYSTEM)
        if turn % 6 == 0:
            restore(someone.pk, reason="a mistake", user=SYSTEM)
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


@pytest.fixture(scope="module", autouse=True)
def _other_databases(django_db_blocker: Any) -> Iterator[None]:
    """These tests use databases of their own."""
    with django_db_blocker.unblock():
        yield


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """An installation with studies of every task type, on SQLite."""
    return full_on_sqlite(tmp_path_factory.mktemp("full"), tmp_path_factory)


def test_the_demonstration_goes_to_postgresql_and_back(tmp_path: Path) -> None:
    first, last = on_sqlite(tmp_path / "first"), on_sqlite(tmp_path / "last")
    first.migrate()
    first.python("manage.py", "demo")
    with on_postgresql(tmp_path / "middle") as middle:
        first.accord("backup", "-o", tmp_path / "1.backup")
        middle.accord("restore", tmp_path / "1.backup")
        middle.accord("backup", "-o", tmp_path / "2.backup")
        last.accord("restore", tmp_path / "2.backup")
        assert first.fingerprints() == middle.fingerprints() == last.fingerprints()


@on_both
def test_a_backup_while_others_write_is_of_one_moment(database: str, tmp_path: Path) -> None:
    with on(database, tmp_path / "busy") as busy:
        busy.accord("restore", FULL)
        before = int(busy.python("-c", INVARIANTS))
        files = [tmp_path / f"{number}.backup" for number in range(2)]
        with subprocess.Popen(
            [sys.executable, "-c", WRITERS], cwd=ROOT, env=busy.environment, stdout=subprocess.PIPE, text=True
        ) as writers:
            assert writers.stdout is not None
            assert writers.stdout.readline() == "ready\n"
            for path in files:
                assert busy.start(ACCORD, "backup", "-o", path).returncode == 0
            still_writing = writers.poll() is None
            writers.kill()
        assert still_writing
        counts = []
        for number, path in enumerate(files):
            copy = on_sqlite(tmp_path / f"copy-{number}")
            copy.accord("restore", path)
            counts.append(int(copy.python("-c", INVARIANTS)))
        assert before < counts[0] < counts[1]


@on_both
def test_a_restore_that_fails_in_the_middle_changes_nothing(database: str, full: Installation, tmp_path: Path) -> None:
    full.accord("backup", "-o", tmp_path / "full.backup")
    with on(database, tmp_path / "old") as installation:
        installation.accord("restore", FULL)
        before, files = installation.fingerprints(), set(installation.folder.iterdir())
        for damage in ("without its end", "a changed row"):
            content = damaged(tmp_path / "full.backup")[damage]
            done = installation.start(ACCORD, "restore", "-", "--replace", "--yes", stdin=content)
            assert done.returncode == 1
            assert b"damaged" in done.stderr or b"truncated" in done.stderr
        assert installation.fingerprints() == before
        assert set(installation.folder.iterdir()) == files


@on_both
def test_a_pipe_carries_an_installation_over_another_one(database: str, full: Installation, tmp_path: Path) -> None:
    with on(database, tmp_path) as copy:
        backup = full.start(ACCORD, "backup", "-o", "-").stdout
        for _ in range(2):
            done = copy.start(ACCORD, "restore", "-", "--replace", "--yes", stdin=backup)
            assert done.returncode == 0, done.stderr
            assert copy.fingerprints() == full.fingerprints()


@on_both
def test_one_study_in_an_empty_database_becomes_an_installation(
    database: str, full: Installation, tmp_path: Path
) -> None:
    with on(database, tmp_path / "alone") as alone:
        study = next(study for study, title in full.studies().items() if title.startswith("Word alignment"))
        full.accord("backup", "--study", study, "-o", tmp_path / "study.backup")
        alone.accord("restore", tmp_path / "study.backup")
        assert list(alone.studies()) == [study]
        assert rows_of(alone, study) == rows_of(full, study)  # a first restore is no event of the study
