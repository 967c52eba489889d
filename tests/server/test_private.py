"""Tests that only the owner can read the data folder."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from annotate.server.private import private_folder

ROOT = Path(__file__).resolve().parents[2]
LOOK = """
import os
os.umask(0o022)
import django; django.setup()
from django.db import connection
connection.cursor().execute("CREATE TABLE written (number integer)")
from annotate.celery import app
from celery.beat import Service
beat = Service(app, scheduler_cls=app.conf.beat_scheduler)  # as `celery beat` does
beat.scheduler
beat.sync()
for file in os.scandir(os.environ["ACCORD_DATA"]):
    print(file.name, oct(file.stat().st_mode & 0o777))
"""


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.nightly
@pytest.mark.parametrize("there", [False, True], ids=["new", "made by an earlier version"])
def test_an_installations_folder_is_0700_and_its_files_0600(tmp_path: Path, there: bool) -> None:
    data = tmp_path / "data"
    if there:
        data.mkdir(mode=0o755)
        (data / "accord.sqlite3").touch(mode=0o644)
        (data / "secret-key").write_text("k" * 60)
    mine = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")
    environment = {name: value for name, value in os.environ.items() if name not in mine and "ACCORD" not in name}
    environment |= {"ACCORD_DATA": str(data), "DJANGO_SETTINGS_MODULE": "annotate.settings"}
    done = subprocess.run(
        [sys.executable, "-c", LOOK], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    modes = dict(line.rsplit(" ", 1) for line in done.stdout.splitlines())
    assert {"accord.sqlite3", "accord.sqlite3-wal", "secret-key"} <= modes.keys()
    assert any(name.startswith("beat-schedule") for name in modes)  # the ending depends on Python’s dbm
    assert set(modes.values()) == {"0o600"}, modes
    assert mode(data) == 0o700


def test_folders_inside_keep_the_owners_rights_only(tmp_path: Path) -> None:
    (tmp_path / "wordnet").mkdir(mode=0o755)
    (tmp_path / "tool").touch(mode=0o755)
    private_folder(tmp_path)
    assert (mode(tmp_path / "wordnet"), mode(tmp_path / "tool")) == (0o700, 0o700)


def test_beat_creates_the_folder_of_its_schedule(tmp_path: Path) -> None:
    """With PostgreSQL, nothing else needs the data folder."""
    from annotate.celery import PrivateScheduler, app

    schedule = tmp_path / "data" / "beat-schedule"
    scheduler = PrivateScheduler(app, schedule_filename=str(schedule), lazy=True)
    scheduler.setup_schedule()
    scheduler.close()
    assert stat.S_IMODE(schedule.parent.stat().st_mode) == 0o700
