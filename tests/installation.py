"""A small production installation for tests of faults, with real web, worker and beat processes on separate servers.

The commands are those of docker-compose.yml. Every process can be killed, hung and started again.
"""

from __future__ import annotations

import http.client
import json
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from tests import faults, servers
from tests.collected_static import collect_static, static_folder
from tests.project.test_production_shape import (
    ROOT,
    SERVICES,
    authority,
    command_of,
    environment_of,
    installed,
    listening,
)

STUDY = """
from annotate.core.services.credentials import participation_token
from annotate.recruiting.services.join import join
from tests.factories import make_study
study = make_study(items={items}, judgements=4, gold=8)
people = [join(study, platform="web") for _ in range({people})]
print(study.public_id, *[participation_token(person) for person in people])
"""


class Reply(NamedTuple):
    """A response of the web process, with its status, body, headers and duration in seconds."""

    status: int
    body: str
    headers: dict[str, str]
    seconds: float

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Installation:
    """The running installation."""

    port: int
    environment: dict[str, str]
    folder: Path
    postgres: servers.Server
    redis: servers.Server
    commands: dict[str, list[str]]
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, name: str) -> None:
        """Start `web`, `worker` or `beat`."""
        with self.log_file(name).open("ab") as output:
            self.processes[name] = subprocess.Popen(
                installed(self.commands[name]),
                cwd=ROOT,
                env=self.environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @contextmanager
    def another_web(self, environment: dict[str, str]) -> Iterator[Installation]:
        """Run another web process of the same installation with a different environment until the block ends."""
        port = servers.free_port()
        command = [part.replace(str(self.port), str(port)) for part in self.commands["web"]]
        another = replace(self, port=port, environment=environment, commands={"web": command}, processes={})
        another.start("web")
        try:
            another.wait(another.answers, 60)
            yield another
        finally:
            another.end()

    def kill(self, name: str) -> None:
        """Kill all processes of a service at once."""
        faults.kill(self.processes[name].pid)
        self.processes.pop(name).wait()

    def end(self) -> None:
        """End every service."""
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                faults.kill(process.pid)
                process.wait()

    def log_file(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def request(
        self, method: str, path: str, body: Any = None, *, token: str = "", timeout: float = 70, **headers: str
    ) -> Reply:
        """Send one request on a new connection. Raises `OSError` if no server listens or the request times out."""
        started = time.monotonic()
        sent = {"Content-Type": "application/json", **headers}
        if token:
            sent["Authorization"] = f"Participation {token}"
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)) as connection:
            raw = body if body is None or isinstance(body, bytes) else json.dumps(body)
            connection.request(method, path, raw, sent)
            response = connection.getresponse()
            text = response.read().decode()
            return Reply(response.status, text, dict(response.getheaders()), time.monotonic() - started)

    def claim(self, token: str, **options: Any) -> Reply:
        """Claim an assignment as an annotator."""
        return self.request("POST", "/api/v1/claims", {}, token=token, **options)

    def python(self, code: str) -> str:
        """Run code in a Django shell in a separate process, and return its output."""
        return self.manage("shell", "--no-imports", "--command", code)

    def manage(self, *arguments: str) -> str:
        """Run a command of `manage.py` in a separate process, and return its output."""
        done = subprocess.run(
            installed(["python", "manage.py", *arguments]),
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def make_study(self, *, items: int = 40, people: int = 4) -> tuple[str, list[str]]:
        """Return the public ID of an open study, and the tokens of its annotators."""
        study, *tokens = self.python(STUDY.format(items=items, people=people)).split()
        return study, tokens

    def rows(self, sql: str) -> list[Any]:
        """Return the rows of an SQL statement on the installation's database, or no rows for other statements."""
        with psycopg.connect(self.postgres.url) as connection:
            cursor = connection.execute(sql)  # type: ignore[call-overload]  # written in the tests
            return cursor.fetchall() if cursor.description else []

    def wait(self, condition: Callable[[], object], seconds: float = 60.0) -> float:
        """Wait until the condition is true, and return the number of seconds. After `seconds`, fail with all logs."""
        started = time.monotonic()
        while not condition():
            if time.monotonic() > started + seconds:
                logs = "\n".join(f"── {file.name}\n{file.read_text()[-4000:]}" for file in self.folder.glob("*.log"))
                raise AssertionError(f"not within {seconds:g} s\n{logs}")
            time.sleep(0.1)
        return time.monotonic() - started

    def answers(self) -> bool:
        """Return whether the web process responds and can use its database."""
        try:
            return self.request("GET", "/readyz", timeout=5).status == 200
        except (OSError, http.client.HTTPException):
            return False


@contextmanager
def installation(*services: str, **settings: str) -> Iterator[Installation]:
    """Run the services (`web`, `worker`, `beat`) on a separate PostgreSQL and Redis until the block ends."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="accord-faults-")))
        postgres, redis = (
            stack.enter_context(servers.postgres_server(durable=True)),
            stack.enter_context(servers.redis_server()),
        )
        (folder / "data").mkdir()
        port = servers.free_port()
        places = {"@db:5432": "@" + authority(postgres.url), "//redis:6379": "//" + authority(redis.url)}
        places |= {**listening(port), "/data": str(folder / "data")}
        environment = environment_of(SERVICES["web"], places) | {
            "ACCORD_STATIC": str(static_folder(folder)),
            "ACCORD_PRIVACY_NOTICE": "Pseudonyms only.",
            "ACCORD_CONTACT": "Mara Lindqvist, mara@example.org",
            **settings,
        }
        running = Installation(
            port,
            environment,
            folder,
            postgres,
            redis,
            {name: command_of(SERVICES[name]["command"], places) for name in ("web", "worker", "worker-long", "beat")},
        )
        running.manage("migrate", "--verbosity", "0")
        collect_static(running.manage)
        stack.callback(running.end)
        for name in services:
            running.start(name)
        if "web" in services:
            running.wait(running.answers, 60)
        yield running
