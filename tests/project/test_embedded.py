"""Tests of `accord serve`, which runs web, worker and beat in one process on SQLite."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from annotate.server.site_address import recorded_address
from tests import faults, servers
from tests.template_database import migrated_on_sqlite

ACCORD = Path(sys.executable).with_name("accord")
ROOT = Path(__file__).resolve().parents[2]

# A job of a kind that needs nothing of its study: it fails at once, which shows that a worker took it up.
WRITE_A_JOB = """
import django; django.setup()
from annotate.models import Job, Study
study = Study.objects.create(task_type="best-worst", title="T")
Job.objects.create(study=study, kind="unknown", parameters={"work": "unknown"}, state="running")
"""


# A file that takes long to read, with a job that reads it and a later job of another study.
WRITE_A_LONG_AND_A_SHORT_JOB = """
import django; django.setup()
from annotate.models import Job, Study
from annotate.core.permissions import SYSTEM
from annotate.data.services.uploads import receive
large, other = (Study.objects.create(task_type="bws", title=title) for title in ("Large", "Other"))
rows = (f"item-{number},A sentence with the number {number}.\\n".encode() for number in range(400_000))
upload = receive(large, purpose="items", filename="items.csv", data=[b"id,text\\n", *rows], user=SYSTEM)
long = {"work": "import:items", "upload": upload.public_id}
Job.objects.create(study=large, kind="import-items", parameters=long)
Job.objects.create(study=other, kind="figures", parameters={"work": "figures"})
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A separate embedded installation."""
    mine = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")
    kept = {name: value for name, value in os.environ.items() if name not in mine and not name.startswith("ACCORD_")}
    return {**kept, "ACCORD_DATA": str(tmp_path / "data"), "DJANGO_SETTINGS_MODULE": "annotate.settings"}


@pytest.fixture
def _migrated(tmp_path: Path, django_db_blocker: Any) -> None:
    with django_db_blocker.unblock():
        migrated_on_sqlite(tmp_path / "data")


@pytest.mark.nightly
def test_it_answers_from_an_empty_folder_in_spite_of_half_sent_requests_and_ctrl_c_ends_it(
    environment: dict[str, str], tmp_path: Path
) -> None:
    with serving(environment, tmp_path / "log") as (url, process):
        with urlopen(f"{url}/healthz", timeout=20) as response:  # noqa: S310 (our own server)
            assert response.status == 200
        assert recorded_address(tmp_path / "data") == url
        with urlopen(f"{url}/static/dist/console.css", timeout=20) as response:  # noqa: S310
            assert response.status == 200
        with faults.half_sent_requests("127.0.0.1", int(url.rpartition(":")[2]), 40):
            assert answers(url)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all its processes at once
        assert process.wait(60) == 0
    log = (tmp_path / "log").read_text()
    assert "There is no account yet. To create yours, run `accord account invite EMAIL`" in log
    assert "Traceback" not in log


@pytest.mark.nightly
@pytest.mark.usefixtures("_migrated")
def test_a_job_that_a_crash_interrupted_is_taken_up_again(environment: dict[str, str], tmp_path: Path) -> None:
    python(environment, WRITE_A_JOB)

    def state() -> str:
        with closing(sqlite3.connect(tmp_path / "data" / "accord.sqlite3")) as database:
            [[value]] = database.execute("SELECT state FROM annotate_job")
            return str(value)

    assert state() == "running"
    with serving(environment, tmp_path / "log"):
        deadline = time.monotonic() + 60
        while state() == "running":
            assert time.monotonic() < deadline, (tmp_path / "log").read_text()
            time.sleep(0.1)
    assert state() == "failed"


@pytest.mark.nightly
@pytest.mark.usefixtures("_migrated")
def test_a_job_does_not_wait_for_the_import_of_another_study(environment: dict[str, str], tmp_path: Path) -> None:
    python(environment, WRITE_A_LONG_AND_A_SHORT_JOB)

    def states() -> dict[str, str]:
        with closing(sqlite3.connect(tmp_path / "data" / "accord.sqlite3")) as database:
            return dict(database.execute("SELECT kind, state FROM annotate_job"))

    with serving(environment, tmp_path / "log"):
        deadline = time.monotonic() + 60
        while (now := states())["figures"] != "done":
            assert time.monotonic() < deadline, (tmp_path / "log").read_text()
            time.sleep(0.05)
        assert now["import-items"] != "done"


@pytest.mark.parametrize(
    "command",
    [
        pytest.param([ACCORD, "serve"], id="serve"),
        pytest.param(
            [ACCORD, "try", ROOT / "examples" / "relatedness" / "items.csv"], id="try", marks=pytest.mark.nightly
        ),
        pytest.param([ROOT / "script" / "demo"], id="demo", marks=pytest.mark.nightly),
    ],
)
def test_a_taken_port_is_told_in_one_line_and_at_once(command: list[Path | str], environment: dict[str, str]) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [*command, "--port", port], env=environment, capture_output=True, text=True, timeout=120, check=False
        )
    assert done.returncode != 0
    assert port in done.stderr
    assert "--port" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not done.stdout


@contextmanager
def serving(
    environment: dict[str, str], log: Path, *, accord: Path = ACCORD
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run `accord serve` until the block ends, and yield its address and process."""
    port = servers.free_port()
    url = f"http://127.0.0.1:{port}"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [accord, "serve", "--port", str(port)],
            env=environment,
            cwd=log.parent,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        deadline = time.monotonic() + 60
        while not answers(url):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)
        yield url, process
    finally:
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise


def answers(url: str) -> bool:
    """Return whether a server listens on the port."""
    try:
        with urlopen(f"{url}/healthz", timeout=20):  # noqa: S310 (our own server)
            return True
    except OSError:  # nobody listens, or the server is too busy to answer
        return False


def python(environment: dict[str, str], code: str) -> str:
    """Run code in a separate process next to the server, and return its output."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
