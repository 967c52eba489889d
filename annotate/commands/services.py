"""The processes of an installation with Redis: web, two workers for jobs, and beat.

`accord serve` runs all of them, for one machine, or one of them, for a container or a unit of its own.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import click

NAMES = ("web", "worker", "worker-long", "beat")
OF_WEB = ("ACCORD_DB_PERSISTENT", "PROMETHEUS_MULTIPROC_DIR")  # settings that only web processes may have
POSTGRESQL_PORT = 5432
CONNECT_WITHIN, TRY_AGAIN_AFTER = 5.0, 1.0  # seconds
SIGNALS = (signal.SIGTERM, signal.SIGINT)
SHARED_MEMORY = "/dev/shm"  # noqa: S108 (gunicorn's workers write there that they are alive, which a disk could delay)

# Ends processes when its standard input closes, as it does when this process ends, even by SIGKILL.
GUARD = ("/bin/sh", "-c", 'read -r _; kill -TERM "$@" 2>/dev/null', "accord")

Commands = Mapping[str, tuple[list[str], dict[str, str]]]


@dataclass(frozen=True)
class Size:
    """The number of web processes, of threads in each, and of jobs that one worker runs at once."""

    web_processes: int
    threads: int
    jobs: int


def run_services(names: Sequence[str], bind: str, size: Size) -> int:
    """Migrate the database if `web` is among the services, run them, and return the exit status.

    A single service replaces this process.
    """
    for number in SIGNALS:  # the first process of a container ignores signals for which it has no function
        signal.signal(number, lambda *_: sys.exit(0))
    if "web" in names:
        wait_for_database(os.environ.get("DATABASE_URL", ""))
        # Checks of the code would take half of the time of a start that has nothing to migrate.
        migrate = [sys.executable, "-P", "-m", "annotate", "migrate", "--no-input", "--verbosity=0", "--skip-checks"]
        if status := subprocess.run(migrate, check=False).returncode:  # noqa: S603 (our own command)
            return status
    chosen = commands(names, bind, size)
    if len(names) == 1:
        [(command, environment)] = chosen.values()
        os.execve(command[0], command, environment)  # noqa: S606 (our own command)
    return supervise(chosen)


def wait_for_database(url: str) -> None:
    """Return when a server listens at the address of a PostgreSQL database. Without this, a web process that starts
    during an outage would end, and a cluster would start it again only minutes after the outage.
    """
    try:
        address = urlsplit(url)
        host, port = address.hostname, address.port or POSTGRESQL_PORT
    except ValueError:  # the settings will report it
        return
    waiting = False
    while host and not url.startswith("sqlite"):
        try:
            socket.create_connection((host, port), CONNECT_WITHIN).close()
            return
        except OSError as error:
            if not waiting:
                click.echo(f"accord: waiting for PostgreSQL at {host}:{port}: {error}", err=True)
            waiting = True
            time.sleep(TRY_AGAIN_AFTER)


def commands(names: Sequence[str], bind: str, size: Size) -> Commands:
    """Return the command of each service and its environment."""
    return {name: (_command(name, bind, size), _environment(name)) for name in names}


def supervise(commands: Commands) -> int:
    """Run commands, each with its environment, until all have ended. Return 0 if a signal has ended them.

    SIGTERM and SIGINT are passed on as SIGTERM, after which web processes answer the requests that they have, and
    workers finish their jobs. If a command ends by itself, the others are ended as well, so that the container or the
    service manager starts everything again. The same happens if this process is killed.
    """
    running: dict[int, str] = {}
    status, stopping = 0, False

    def stop(*_: object) -> None:
        nonlocal stopping
        stopping = True
        for pid in running:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)

    for number in SIGNALS:
        signal.signal(number, stop)
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # a signal must not arrive between a start and its record
    for name, (command, environment) in commands.items():
        # In a group of its own, a process does not get Ctrl-C from the terminal a second time.
        running[os.posix_spawn(command[0], command, environment, setpgroup=0, setsigmask=())] = name
    guard = _guard([*running])
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    while running:
        pid, ended = os.wait()  # also of orphans, if this is the first process of a container
        if (service := running.pop(pid, None)) and not stopping:
            click.echo(f"accord: {service} ended ({_reason(ended)}), so all processes stop", err=True)
            status = 1
            stop()
    with suppress(ProcessLookupError):
        os.kill(guard, signal.SIGKILL)  # so that it ends no processes that get the same numbers later
    return status


def _guard(pids: Sequence[int]) -> int:
    """Start a guard that ends the processes `pids` when this process ends, and return the guard's number."""
    reading, _writing = os.pipe()  # no process inherits the end for writing, which stays open as long as this process
    to_guard = [(os.POSIX_SPAWN_DUP2, reading, 0)]
    command = [*GUARD, *map(str, pids)]
    guard = os.posix_spawn(command[0], command, {}, file_actions=to_guard, setpgroup=0, setsigmask=())
    os.close(reading)
    return guard


def _command(name: str, bind: str, size: Size) -> list[str]:
    celery = [_program("celery"), "-A", "annotate"]
    if name == "web":
        return [
            *(_program("gunicorn"), "annotate.wsgi", f"--bind={bind}", "--timeout=60", "--no-control-socket"),
            "--worker-class=annotate.server.web_worker.BufferingWorker",
            *(f"--workers={size.web_processes}", f"--threads={size.threads}"),
            *([f"--worker-tmp-dir={SHARED_MEMORY}"] if Path(SHARED_MEMORY).is_dir() else []),
        ]
    if name == "beat":
        return [*celery, "beat", "--loglevel=INFO", "--enable-remote-control", "--hostname=beat@%h"]
    # Imports and other long jobs have a worker of their own, so that they never delay reports.
    queue, jobs = ("celery", size.jobs) if name == "worker" else ("long", 1)
    options = (f"--queues={queue}", f"--concurrency={jobs}", "--loglevel=INFO", f"--hostname={name}@%h")
    return [*celery, "worker", *options]


def _environment(name: str) -> dict[str, str]:
    if name == "web":
        return {"ACCORD_DB_PERSISTENT": "true", **os.environ}
    return {variable: value for variable, value in os.environ.items() if variable not in OF_WEB}


def _program(name: str) -> str:
    return str(Path(sys.executable).with_name(name))


def _reason(ended: int) -> str:
    code = os.waitstatus_to_exitcode(ended)
    return f"status {code}" if code >= 0 else f"signal {-code}"
