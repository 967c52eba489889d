"""Cycles a second over HTTP: one request that submits a HIT's answers and brings the next (`next: true`).

PostgreSQL behind gunicorn with 1, 8 and 32 clients; SQLite in one process with 1 and 8. Single saves (a draft, a given
answer) are measured apart. Clients and servers share this machine's cores, so the figures are a lower bound.

    script/bench cycles
"""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any

from tests import servers

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 6.0
ITEMS = 4_000
WEB = ["gunicorn", "annotate.wsgi", "--worker-class=gthread", "--threads=16", "--log-level=error"]

MAKE = """
import sys, json, django
django.setup()
from annotate.models import User, Item, Upload, Study
from annotate.services import study as studies, uploads, design
from annotate.services.join import join
from annotate.services.credentials import participation_token
user = User.objects.create_user("bench@example.org")
study = studies.create_study(user=user, title="bench", task_type="bws", instructions="x", gold_block="5",
                             rule_threshold="0", reward="0.5")
rows = "id,sentence1,sentence2\\n" + "".join(
    f"i{n},The harbour was quiet at dawn {n}.,Nobody was on the quay so early {n}.\\n" for n in range(int(sys.argv[1])))
def bring(purpose, text):
    kept = uploads.receive(study, purpose=purpose, filename=purpose, data=text.encode(), user=user)
    uploads.import_upload(kept.pk, user=user)
bring("items", rows)
bring("gold", "Item1,Item2,Item3,Item4,BestItem,WorstItem,Explanation\\n" + "".join(
    f"i{4*n},i{4*n+1},i{4*n+2},i{4*n+3},i{4*n},i{4*n+3},because\\n" for n in range(60)))
design.build_design(study.pk, user=user)
study = studies.open_study(study.pk, user=user)
people = [join(study, platform="web") for _ in range(int(sys.argv[2]))]
print(json.dumps([participation_token(person) for person in people]))
"""


def main() -> None:
    """Print a line for each database and number of clients."""
    print(
        f"{'database':<12}{'clients':>8}{'cycles/s':>10}{'median ms':>11}{'p95 ms':>8}{'drafts/s':>10}{'answers/s':>11}"
    )
    with servers.postgres() as url:
        for clients in (1, 8, 32):
            with _serving({"DATABASE_URL": url, "ACCORD_DB_PERSISTENT": "true"}, [*WEB, "--workers=2"], clients) as (
                port,
                tokens,
            ):
                _measure("PostgreSQL", port, tokens)
    for clients in (1, 8):
        with _serving({}, [*WEB, "--workers=1"], clients) as (port, tokens):
            _measure("SQLite", port, tokens)


def _measure(name: str, port: int, tokens: list[str]) -> None:
    cycles = _run(port, tokens, _cycle)
    drafts = _run(port, tokens, _draft)
    answers = _run(port, tokens, _answer)
    times = sorted(1000 * t for t in cycles)
    cuts = quantiles(times, n=20)
    print(
        f"{name:<12}{len(tokens):>8}{len(cycles) / SECONDS:>10.1f}{cuts[9]:>11.1f}{cuts[18]:>8.1f}"
        f"{len(drafts) / SECONDS:>10.1f}{len(answers) / SECONDS:>11.1f}",
        flush=True,
    )


def _run(port: int, tokens: list[str], deed: Callable[[_Client], None]) -> list[float]:
    times: list[float] = []
    failures: list[str] = []
    end = time.perf_counter() + SECONDS

    def work(token: str) -> None:
        client = _Client(port, token)
        try:
            while time.perf_counter() < end:
                client.prepare()
                before = time.perf_counter()
                deed(client)
                times.append(time.perf_counter() - before)
        except AssertionError as error:
            failures.append(str(error))

    threads = [threading.Thread(target=work, args=(token,)) for token in tokens]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]
    return times


class _Client:
    """One annotator over one kept connection."""

    def __init__(self, port: int, token: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.headers = {"Authorization": f"Participation {token}", "Content-Type": "application/json"}
        self.assignment: dict[str, Any] | None = None
        self.revision = int(time.time())

    def prepare(self) -> None:
        if self.assignment is None:
            self.assignment = self.send("POST", "/claims", {})["assignment"]
            assert self.assignment, "the study has run out of HITs: make it larger"

    def send(self, method: str, path: str, body: Any) -> Any:
        self.connection.request(method, f"/api/v1{path}", json.dumps(body), self.headers)
        response = self.connection.getresponse()
        text = response.read()
        assert response.status < 300, f"{response.status} {text[:300]!r}"
        return json.loads(text) if text else None

    @property
    def id(self) -> str:
        assert self.assignment
        return str(self.assignment["id"])


def _cycle(client: _Client) -> None:
    assert client.assignment
    answers = [
        {"position": q["position"], "value": {"best": 1, "worst": 2}, "seconds": 5.0}
        for q in client.assignment["questions"]
        if q["value"] is None
    ]
    reply = client.send("POST", f"/assignments/{client.id}/submission", {"answers": answers, "next": True})
    client.assignment = reply["next"]["assignment"]


def _draft(client: _Client) -> None:
    client.revision += 1
    client.send("PUT", f"/assignments/{client.id}/answers/1/draft", {"draft": {"best": 1}, "revision": client.revision})


def _answer(client: _Client) -> None:
    """Change one's mind, again and again; gold, which cannot be changed, is answered alike each time."""
    assert client.assignment
    client.revision += 1
    best = 1 + client.revision % 3 if client.assignment["questions"][0]["final"] is False else 1
    try:
        client.send("PUT", f"/assignments/{client.id}/answers/1", {"value": {"best": best, "worst": 4}, "seconds": 3})
    except AssertionError as error:
        if "graded" not in str(error):
            raise
        client.assignment["questions"][0]["final"] = True


@contextmanager
def _serving(environment: dict[str, str], command: list[str], clients: int) -> Iterator[tuple[int, list[str]]]:
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        env = os.environ | {"ACCORD_DATA": folder, "ACCORD_THROTTLE_ANNOTATE": "1000000/min"} | environment
        env |= {
            "SECRET_KEY": "for the benchmark only, and long enough to be accepted",
            "DJANGO_SETTINGS_MODULE": "annotate.settings",
        }
        binaries = Path(sys.executable).parent
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=env, check=True)
        if environment:
            _empty(env)
        made = subprocess.run(
            [sys.executable, "-c", MAKE, str(ITEMS), str(clients)], cwd=ROOT,
            env=env | {"ACCORD_DB_PERSISTENT": "false"},
            check=True, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        port = servers.free_port()
        server = subprocess.Popen([binaries / command[0], *command[1:], f"--bind=127.0.0.1:{port}"], cwd=ROOT, env=env)
        try:
            _await(port)
            yield port, json.loads(made.stdout.splitlines()[-1])
        finally:
            server.terminate()
            server.wait()


def _empty(env: dict[str, str]) -> None:
    """Begin with empty tables: one PostgreSQL serves several runs."""
    script = (
        "import django; django.setup()\n"
        "from django.db import connection\n"
        "tables = [t for t in connection.introspection.table_names() if t.startswith('annotate_')]\n"
        "connection.cursor().execute('TRUNCATE ' + ', '.join(tables) + ' CASCADE')\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=env | {"ACCORD_DB_PERSISTENT": "false"}, check=True)


def _await(port: int) -> None:
    for _ in range(200):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server did not come up")


if __name__ == "__main__":
    main()
