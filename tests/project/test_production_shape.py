"""Tests of the commands in docker-compose.yml as plain processes on a real PostgreSQL and a real Redis."""

import csv
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

import psycopg
import pytest
import scipy
import yaml

from tests import servers
from tests.collected_static import collect_static, static_folder

ROOT = Path(__file__).resolve().parents[2]
SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
STARTED = ("web", "worker", "worker-long", "beat")
EXAMPLE = "examples/relatedness"
METRICS_TOKEN = "for-this-test-only"
SECRETS = {
    "POSTGRES_PASSWORD": "trusted-here",
    "SECRET_KEY": "for this test only, and long enough to be accepted",
    "ACCORD_PROCESSES": "web",
}

pytestmark = pytest.mark.nightly


@dataclass
class Production:
    """The running services."""

    url: str
    environment: dict[str, str]
    logs: Path
    processes: dict[str, subprocess.Popen[bytes]]

    def manage(self, *arguments: str) -> str:
        """Run `manage.py` next to the services, and return its output."""
        return self.run("python", "manage.py", *arguments)

    def run(self, *command: str) -> str:
        """Run a command in the environment of the services, and return its output."""
        done = subprocess.run(
            installed(list(command)), cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def log(self, name: str) -> str:
        """Return the output of a service so far."""
        return (self.logs / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def production(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Production]:
    """Start web, worker and beat as with the profile `workers`, after the `collectstatic` of the image."""
    folder = tmp_path_factory.mktemp("production")
    with ExitStack() as stack:
        database, broker = stack.enter_context(servers.postgres()), stack.enter_context(servers.redis())
        port = servers.free_port()
        places = {"@db:5432": "@" + authority(database), "//redis:6379": "//" + authority(broker)}
        places |= {**listening(port), "127.0.0.1:8000": f"127.0.0.1:{port}", "/data": str(folder)}
        places["/run/metrics"] = str(folder / "metrics")
        environments = {name: environment_of(SERVICES[name], places) for name in STARTED}
        running = Production(f"http://127.0.0.1:{port}", environments["worker"], folder, {})
        collect_static(running.manage)
        for name in STARTED:
            command = command_of(SERVICES[name]["command"], places)
            running.processes[name] = stack.enter_context(process(command, environments[name], folder / name))
            if name == "web":
                wait(lambda: healthy(running, SERVICES["web"], places), running)
        yield running


def test_the_web_answers_and_reaches_its_database(production: Production) -> None:
    with urlopen(f"{production.url}/readyz", timeout=20) as response:  # noqa: S310 (our own server)
        assert response.status == 200
        assert json.load(response)["database"] == "ok"


def test_metrics_add_up_the_figures_of_all_web_processes(production: Production) -> None:
    request = Request(f"{production.url}/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"})  # noqa: S310 (our own server)

    def answered() -> float:
        with urlopen(request, timeout=20) as response:  # noqa: S310 (our own server)
            lines = response.read().decode().splitlines()
        count = 'accord_request_seconds_count{method="GET",route="healthz",status="200"}'
        return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(count))

    before = answered()
    for _ in range(20):
        urlopen(f"{production.url}/healthz", timeout=20).close()  # noqa: S310 (our own server)
    assert answered() == before + 20


def test_static_files_have_hashed_names_that_a_browser_may_keep(production: Production) -> None:
    names = json.loads((Path(production.environment["ACCORD_STATIC"]) / "staticfiles.json").read_text())["paths"]
    with urlopen(f"{production.url}/static/{names['dist/console.css']}", timeout=20) as response:  # noqa: S310 (our own server)
        assert "immutable" in response.headers["Cache-Control"]
        assert response.headers["Content-Type"].startswith("text/css")


@pytest.mark.parametrize("name", ["worker", "worker-long", "beat"])
def test_the_health_checks_of_worker_and_beat_find_them(production: Production, name: str) -> None:
    wait(lambda: healthy(production, SERVICES[name], {}), production)


def test_the_health_check_of_a_worker_that_is_gone_fails(production: Production) -> None:
    service = json.loads(
        json.dumps(SERVICES["worker"]).replace("worker@", "nobody@").replace("timeout 10", "timeout 1")
    )
    assert not healthy(production, service, {})


def test_a_study_goes_from_items_to_a_report_and_scores(production: Production) -> None:
    texts = [part for name in ("instructions", "examples", "consent") for part in (f"--{name}", f"{EXAMPLE}/{name}.md")]
    texts += ["--privacy-notice", "examples/privacy.md"]
    study = production.run(
        *("accord", "study", "create", f"{EXAMPLE}/items.csv", "--title", "Relatedness", "--owner", "mara@example.org"),
        *("--settings", f"{EXAMPLE}/study.toml", "--gold", f"{EXAMPLE}/gold.csv", *texts),
    ).strip()
    production.run("accord", "study", "import", study, f"{EXAMPLE}/practice.csv", "--kind", "practice")
    production.run("accord", "study", "open", study)
    production.run("accord", "study", "simulate", study, "--annotators", "8", "--truth", f"{EXAMPLE}/truth.csv")

    job = production.run("accord", "study", "report", study, "--background").strip()
    wait(lambda: state_of(production, job) in {"done", "failed"}, production)
    assert state_of(production, job) == "done"
    assert "annotate.tasks.run_job" in production.log("worker")

    tuples = production.run("accord", "study", "export", study, "tuples.tsv").splitlines()
    rows = csv.DictReader(production.run("accord", "study", "export", study, "scores.csv").splitlines())
    scores = {row["item"]: float(row["score"]) for row in rows}
    assert scores.keys() == {item for line in tuples for item in line.split("\t")}
    with (ROOT / EXAMPLE / "truth.csv").open(encoding="utf-8", newline="") as file:
        truth = {row["id"]: float(row["relatedness"]) for row in csv.DictReader(file)}
    assert scipy.stats.spearmanr(list(scores.values()), [truth[item] for item in scores]).statistic > 0.8

    production.run("accord", "study", "close", study)
    assert study in production.run("accord", "study", "list")


def test_the_backup_service_writes_files_that_are_intact_and_keeps_the_newest(production: Production) -> None:
    folder = production.logs / "backups"
    folder.mkdir()
    places = {"/backups": str(folder), "sleep 86400": "sleep 1"}
    environment = {**production.environment, "ACCORD_BACKUPS": "2"}
    with process(command_of(SERVICES["backup"]["command"], places), environment, production.logs / "backup"):
        wait(lambda: len({path.name for path in folder.glob("accord-*.backup")}) == 2, production)
        assert healthy(production, SERVICES["backup"], places)
    for path in folder.glob("accord-*.backup"):
        production.run("accord", "restore", "--check", str(path))


def state_of(production: Production, job: str) -> str:
    """Return the state of the job with this public ID."""
    with psycopg.connect(production.environment["DATABASE_URL"]) as connection:
        [[state]] = connection.execute("SELECT state FROM annotate_job WHERE public_id = %s", [job])
        return str(state)


def environment_of(service: dict[str, object], places: dict[str, str]) -> dict[str, str]:
    """Return the environment that Compose would set, with the addresses of the test's servers."""
    kept = {name: os.environ[name] for name in ("HOME", "LANG", "TZ", "TMPDIR") if name in os.environ}
    given = {str(name): interpolate(str(value)) for name, value in dict(service["environment"]).items()}  # type: ignore[call-overload]
    return {
        **kept,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "SECRET_KEY": SECRETS["SECRET_KEY"],
        "ACCORD_METRICS_TOKEN": METRICS_TOKEN,
        "ACCORD_DATA": places["/data"],
        "ACCORD_STATIC": str(static_folder(Path(places["/data"]) / "static")),  # the image sets both folders
        **{name: replace(value, places) for name, value in given.items()},
    }


def command_of(command: list[str], places: dict[str, str]) -> list[str]:
    """Return a service's command as a list, with the addresses of the test's servers."""
    return [replace(interpolate(part), places) for part in command]


def interpolate(text: str) -> str:
    """Replace `${NAME:?message}`, `${NAME:-default}` and `$$` as Compose does."""

    def value(match: re.Match[str]) -> str:
        return SECRETS.get(match["name"], match["default"] or "")

    return re.sub(r"\$\{(?P<name>\w+)(?::\?[^}]*|:-(?P<default>[^}]*))?\}", value, text).replace("$$", "$")


def replace(text: str, places: dict[str, str]) -> str:
    """Return `text` with the addresses of the test's servers in place of the addresses in the file."""
    for there, here in places.items():
        text = text.replace(there, here)
    return text


def listening(port: int) -> dict[str, str]:
    """Return the address of the web on this port in place of the one in the file."""
    return {"--host=0.0.0.0": "--host=127.0.0.1", "--port=8000": f"--port={port}"}


def authority(url: str) -> str:
    """Return the `host:port` of an address."""
    return url.split("//")[1].split("/")[0].rpartition("@")[2]


def installed(command: list[str]) -> list[str]:
    """Return the command with the program from this environment."""
    program = Path(sys.executable).with_name(command[0])
    return [str(program) if program.exists() else command[0], *command[1:]]


@contextmanager
def process(
    command: list[str], environment: dict[str, str], log: Path, *, ends_with: tuple[int, ...] = (0, -15)
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a service until the block ends. The service must stop with one of these codes when it receives the signal."""
    with log.open("wb") as output:
        running = subprocess.Popen(
            installed(command),
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield running
        running.terminate()
        assert running.wait(20) in ends_with, log.read_text()
    finally:
        if running.poll() is None:
            running.kill()
            running.wait()


def healthy(production: Production, service: dict[str, dict[str, list[str]]], places: dict[str, str]) -> bool:
    """Return whether the service's own health check passes."""
    kind, *test = [replace(interpolate(part), places) for part in service["healthcheck"]["test"]]
    command = ["sh", "-c", test[0]] if kind == "CMD-SHELL" else installed(test)
    done = subprocess.run(command, cwd=ROOT, env=production.environment, capture_output=True, timeout=60, check=False)
    return done.returncode == 0


def wait(condition: Callable[[], bool], production: Production, seconds: float = 90.0) -> None:
    """Return when the condition is true. Otherwise, fail with the logs of all services."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            logs = "\n".join(f"── {name}\n{production.log(name)}" for name in production.processes)
            pytest.fail(f"the services did not come up within {seconds:g} s\n{logs}")
        time.sleep(0.2)
