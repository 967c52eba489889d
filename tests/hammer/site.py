"""The installation under test, with its data in a folder that a later session can continue."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests import faults, servers
from tests.collected_static import collect_static, static_folder
from tests.installation import Installation
from tests.project.test_production_shape import SERVICES, authority, command_of, environment_of, listening

from .schedule import CLOCK_JUMPS, DISK_FULL, clock_of, disk_of, set_clock

DISK = 1_000  # MB; PostgreSQL's log of changes needs most of it
RESTART_AFTER = 0.3  # seconds, as a service manager waits before it starts an ended service again
SETTINGS = {
    "ACCORD_THROTTLE_ANNOTATE": "10000000/min",  # the clients are faster than people
    "ACCORD_THROTTLE_RESEARCH": "10000000/min",
    "ACCORD_LOG_ACCESS": "false",
}
STUDY = """
import json
from annotate.models import User, Participation, Study
from annotate.core.services.credentials import new_api_token, participation_token
from annotate.core.permissions import SYSTEM
from annotate.data.services.design import build_design
from annotate.recruiting.services.groups import add_group
from annotate.studies.services.study import create_study, open_study
from tests.factories import make_annotator, make_study
if not User.objects.filter(email="hammer@example.org").exists():
    user = User.objects.create_user("hammer@example.org", password="correct horse battery staple")
    study = make_study(user=user, items={items}, gold=60, gold_block=5, rule_threshold="0.6", rule_minimum=5,
                       privacy_notice="This is a test.", state="draft", design=False)
    groups = [add_group(study.pk, name, judgements=1, user=SYSTEM) for name in ("A", "B", "C")]
    build_design(study.pk, user=SYSTEM)
    study = open_study(study.pk, user=SYSTEM)
    for number in range({people}):
        make_annotator(study, group=groups[number % len(groups)])
    create_study(user=user, title="Imports", task_type="bws", instructions="None.")
user = User.objects.get(email="hammer@example.org")
imports = Study.objects.get(title="Imports")
study = Study.objects.exclude(pk=imports.pk).get()
people = Participation.objects.filter(study=study).select_related("study").order_by("pk")
print(json.dumps({{
    "groups": list(study.groups.values_list("public_id", flat=True)),
    "study": study.public_id, "imports": imports.public_id, "key": new_api_token(user, "hammer")[1],
    "people": [[person.pseudonym, participation_token(person)] for person in people],
}}))
"""


@contextmanager
def site(
    folder: Path, database: str, settings: Mapping[str, str], chosen_faults: Collection[str]
) -> Iterator[Installation]:
    """Run Accord until the block ends: the services of docker-compose.yml, or `accord serve` on SQLite.

    `settings` are additional environment variables. If the chosen faults need it, the data is on a small disk, which is
    gone after the block, or all processes use a clock that can jump.
    """
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)  # PostgreSQL runs under an account of its own
    with ExitStack() as stack:
        port = servers.free_port()
        settings, data = {**SETTINGS, **settings}, folder
        if DISK_FULL in chosen_faults:
            data = disk_of(folder)
            data.mkdir()
            stack.enter_context(faults.small_disk(data, DISK))
        if CLOCK_JUMPS in chosen_faults:
            set_clock(folder, "+0")
            settings = faults.with_clock(settings, clock_of(folder))
        if database == "postgresql":
            running = _production(folder, data, port, settings, stack)
        else:
            running = _embedded(folder, data, port, settings)
        stack.callback(running.end)
        for name in running.commands:
            running.start(name)
        stack.enter_context(_supervised(running))
        running.wait(running.answers, 60)
        yield running


def people_of(running: Installation, *, items: int, people: int) -> dict[str, Any]:
    """The study, its annotators with new tokens, and a researcher's key; created by the first session."""
    return json.loads(running.python(STUDY.format(items=items, people=people)))


def _production(folder: Path, data: Path, port: int, settings: dict[str, str], stack: ExitStack) -> Installation:
    clock = {name: value for name, value in settings.items() if name.startswith(("LD_PRELOAD", "FAKETIME"))}
    postgres = stack.enter_context(
        servers.postgres_server(data / "postgres", durable=True, environment={**os.environ, **clock})
    )
    redis = stack.enter_context(servers.redis_server())
    places = {"@db:5432": "@" + authority(postgres.url), "//redis:6379": "//" + authority(redis.url)}
    places |= {**listening(port), "/data": str(data / "data")}
    environment = (
        environment_of(SERVICES["web"], places) | settings | {"ACCORD_STATIC": str(static_folder(folder / "static"))}
    )
    commands = {
        name: command_of(SERVICES[name]["command"], places) for name in ("web", "worker", "worker-long", "beat")
    }
    running = Installation(port, environment, folder, postgres, redis, commands)
    running.manage("migrate", "--verbosity", "0")
    collect_static(running.manage)
    return running


def _embedded(folder: Path, data: Path, port: int, settings: dict[str, str]) -> Installation:
    (data / "data").mkdir(exist_ok=True)
    names = ("PATH", "SECRET_KEY")
    environment = {
        name: value for name, value in environment_of(SERVICES["web"], {"/data": "/"}).items() if name in names
    }
    environment |= settings | {"ACCORD_DATA": str(data / "data")}
    command = ["accord", "serve", "--port", str(port)]
    running = Installation(port, environment, folder, None, None, {"web": command})  # type: ignore[arg-type]
    running.manage("migrate", "--verbosity", "0")
    return running


@contextmanager
def _supervised(running: Installation) -> Iterator[None]:
    """Start ended services again during the block, as Compose and systemd do."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(RESTART_AFTER):
            for name, process in list(running.processes.items()):
                if process.poll() is not None and not over.is_set():
                    running.start(name)

    thread = threading.Thread(target=watch, name="supervisor")
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
