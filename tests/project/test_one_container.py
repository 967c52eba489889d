"""Tests that the web service of docker-compose.yml, which by default runs all processes, needs no other container."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests import servers
from tests.collected_static import collect_static
from tests.project.test_production_shape import (
    SERVICES,
    Production,
    authority,
    command_of,
    environment_of,
    listening,
    process,
    wait,
)

STARTS_WITHIN = 240.0  # seconds, in which seven processes import Accord at the same time

pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Production, list[str]]]:
    """Provide PostgreSQL, Redis and the command of the web service, without a migration."""
    folder = tmp_path_factory.mktemp("one-container")
    with ExitStack() as stack:
        database, broker = stack.enter_context(servers.postgres()), stack.enter_context(servers.redis())
        port = servers.free_port()
        places = {"@db:5432": "@" + authority(database), "//redis:6379": "//" + authority(broker)}
        places |= {**listening(port), "/data": str(folder), "/run/metrics": str(folder / "metrics")}
        production = Production(f"http://127.0.0.1:{port}", environment_of(SERVICES["web"], places), folder, {})
        collect_static(production.manage)
        *command, processes = command_of(SERVICES["web"]["command"], places)
        assert processes == "web"  # what `SECRETS` sets for the other tests
        yield production, [*command, "all"]


def test_it_migrates_runs_every_process_and_stops(installation: tuple[Production, list[str]]) -> None:
    production, command = installation
    with process(command, production.environment, production.logs / "web") as running:
        production.processes["web"] = running
        wait(lambda: state(production).get("status") == "ok", production, STARTS_WITHIN)  # a worker has been heard from
        names = sorted(name for name in map(service_of, children_of(running.pid)) if name)
        assert names == ["beat", "web", "worker", "worker-long"]
        running.send_signal(signal.SIGTERM)
        assert running.wait(60) == 0, production.log("web")


def test_the_container_ends_if_one_of_its_processes_is_killed(installation: tuple[Production, list[str]]) -> None:
    production, command = installation
    with process(command, production.environment, production.logs / "web", ends_with=(1,)) as running:
        production.processes["web"] = running
        wait(lambda: state(production).get("status") == "ok", production, STARTS_WITHIN)
        [worker] = [pid for pid in children_of(running.pid) if service_of(pid) == "worker-long"]
        os.kill(worker, signal.SIGKILL)
        assert running.wait(60) == 1
    assert "accord: worker-long ended (signal 9), so all processes stop" in production.log("web")


def state(production: Production) -> dict[str, Any]:
    """Return what `/readyz?all` reports, or nothing while no server listens."""
    try:
        with urlopen(f"{production.url}/readyz?all", timeout=20) as response:  # noqa: S310 (our own server)
            return dict(json.load(response))
    except HTTPError as error:
        return dict(json.load(error))
    except OSError:
        return {}


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def service_of(pid: int) -> str:
    """Return the name of the service whose main process this is."""
    arguments = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    if "annotate.wsgi" in arguments:
        return "web"
    names = [argument for argument in arguments if argument.startswith("--hostname=")]
    return names[0].removeprefix("--hostname=").partition("@")[0] if names else ""
