"""Tests of the supervisor with which `accord serve` runs several processes, and of the choice of processes."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from annotate.commands.main import main
from annotate.commands.services import NAMES, Size, commands, wait_for_database
from tests import servers

ROOT = Path(__file__).resolve().parents[2]
SUPERVISE = """
import os, sys
from annotate.commands.services import supervise
sys.exit(supervise({name: (["/bin/sh", "-c", code], dict(os.environ)) for name, code in PROGRAMS.items()}))
"""
# On SIGTERM, the program takes half a second to finish its work, and records that it has.
DRAINS = "trap 'sleep 0.5; touch %s; exit 0' TERM; touch %s; while true; do sleep 0.05; done"


def supervised(**programs: str) -> subprocess.Popen[str]:
    code = SUPERVISE.replace("PROGRAMS", repr(programs))
    return subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stderr=subprocess.PIPE, text=True)


def wait_for(*files: Path) -> None:
    deadline = time.monotonic() + 20
    while not all(file.exists() for file in files):
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_all_processes_after_their_work(number: signal.Signals, tmp_path: Path) -> None:
    started, finished = ([tmp_path / f"{state}-{n}" for n in range(2)] for state in ("started", "finished"))
    programs = {f"p{n}": DRAINS % (finished[n], started[n]) for n in range(2)}
    with supervised(**programs) as process:
        wait_for(*started)
        process.send_signal(number)
        assert process.wait(20) == 0
        assert all(file.exists() for file in finished)
        assert process.stderr is not None
        assert process.stderr.read() == ""


@pytest.mark.parametrize(
    ("end", "reason"), [("exit 3", "status 3"), ("kill -9 $$", "signal 9"), ("exit 0", "status 0")]
)
def test_a_process_that_ends_by_itself_ends_the_others(end: str, reason: str, tmp_path: Path) -> None:
    started, finished = tmp_path / "started", tmp_path / "finished"
    ends = f"while [ ! -e {started} ]; do sleep 0.01; done; {end}"
    with supervised(web=DRAINS % (finished, started), beat=ends) as process:
        assert process.wait(20) == 1
        assert finished.exists()
        assert process.stderr is not None
        assert process.stderr.read() == f"accord: beat ended ({reason}), so all processes stop\n"


def test_processes_do_not_outlive_a_killed_supervisor(tmp_path: Path) -> None:
    started, finished = ([tmp_path / f"{state}-{n}" for n in range(2)] for state in ("started", "finished"))
    programs = {f"p{n}": DRAINS % (finished[n], started[n]) for n in range(2)}
    with supervised(**programs) as process:
        wait_for(*started)
        process.kill()
    wait_for(*finished)


WAIT = "import sys; from annotate.commands.services import wait_for_database; wait_for_database(sys.argv[1])"


def test_web_processes_wait_for_a_database_that_nobody_serves_yet() -> None:
    port = servers.free_port()
    command = [sys.executable, "-c", WAIT, f"postgresql://accord:secret@127.0.0.1:{port}/accord"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith(f"accord: waiting for PostgreSQL at 127.0.0.1:{port}: ")
        with socket.create_server(("127.0.0.1", port)):
            assert process.wait(20) == 0


@pytest.mark.parametrize("url", ["", "sqlite:///accord.sqlite3", "postgresql:///accord", "postgresql://host:port/x"])
def test_other_databases_are_not_waited_for(url: str) -> None:
    wait_for_database(url)


def test_only_web_processes_keep_connections_and_write_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "/run/metrics")
    monkeypatch.setenv("ACCORD_DB_PERSISTENT", "true")
    environments = {name: environment for name, (_, environment) in commands(NAMES, "[::1]:80", Size(1, 1, 1)).items()}
    for variable in ("PROMETHEUS_MULTIPROC_DIR", "ACCORD_DB_PERSISTENT"):
        assert [name for name in NAMES if variable in environments[name]] == ["web"]
    monkeypatch.setenv("ACCORD_DB_PERSISTENT", "false")
    assert commands(["web"], "[::1]:80", Size(1, 1, 1))["web"][1]["ACCORD_DB_PERSISTENT"] == "false"


def test_options_reach_the_processes() -> None:
    started = {name: command for name, (command, _) in commands(NAMES, "[::1]:80", Size(5, 6, 7)).items()}
    assert {"--bind=[::1]:80", "--workers=5", "--threads=6"} < set(started["web"])
    assert {"--queues=celery", "--concurrency=7"} < set(started["worker"])
    assert {"--queues=long", "--concurrency=1"} < set(started["worker-long"])
    assert all(os.access(command[0], os.X_OK) for command in started.values())


@pytest.mark.parametrize("option", ["--processes=worker", "--web-processes=2", "--jobs=2"])
def test_without_redis_there_are_no_several_processes(option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REDIS_URL", raising=False)
    done = CliRunner().invoke(main, ["serve", option])
    assert done.exit_code == 2
    assert "REDIS_URL" in done.stderr
