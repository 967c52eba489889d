"""The `demo` command creates an example study for each task type, prints links to the studies, and can serve them."""

from __future__ import annotations

import csv
import tomllib
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest.mock import patch

from click import ClickException
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.utils import timezone

from accord_core.exchange.numbers import read_number
from annotate import tasktypes
from annotate.annotator.simulation import simulate
from annotate.commands.demonstration import demonstrate_work
from annotate.commands.embedded import prepare, run_server
from annotate.console.services import refresh_todo_counts
from annotate.core.demonstration import OWNER, SEED
from annotate.core.services.credentials import login_path
from annotate.core.services.jobs import request_job
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_file
from annotate.models import Study, User
from annotate.studies.services.study import create_study, open_study
from annotate.tasktypes import extensions

EXAMPLES = settings.SHARED_DIR / "examples"
# The folders of the example studies, one per task type, with settings, texts and files.
STUDIES = ("relatedness", "paraphrase", "alignment", "chunks", "layout")
TEXTS = ("consent", "instructions", "examples")


class Command(BaseCommand):
    help = "Create the example studies that do not exist yet, and print links to all of them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("examples", nargs="*", help=f"Names of studies: {', '.join(STUDIES)}. All by default.")
        parser.add_argument(
            "--serve", nargs=2, metavar=("HOST", "PORT"), help="Then run `accord serve` on this address."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        names = options["examples"] or STUDIES
        if unknown := sorted(set(names) - set(STUDIES)):
            raise CommandError(f"There is no example {unknown[0]}. Examples: {', '.join(STUDIES)}.")
        if options["serve"]:
            try:
                prepare()
            except ClickException as error:
                raise CommandError(error.message) from error
        owner = User.objects.filter(email=OWNER).first() or User.objects.create_superuser(OWNER, name="Mara Lindqvist")
        studies = [self.example_study(owner, EXAMPLES / name) for name in names]
        refresh_todo_counts()  # because the list of studies shows them at the first sign-in
        site = settings.SITE_URL
        self.stdout.write("\n  Annotate")
        for study in studies:
            self.stdout.write(f"    {tasktypes.get(study.task_type).name + ':':<25}{site}/join/{study.join_token}")
        self.stdout.write(f"\n  Console:   {site}/console/\n  Sign in:   {site}{login_path(owner)}   (works once)\n")
        if options["serve"]:
            host, port = options["serve"]
            connections.close_all()  # the web worker is a fork of this process and opens its own connections
            run_server(host, int(port))

    def example_study(self, owner: User, folder: Path) -> Study:
        """Return the example study defined by the folder. Create the study with simulated answers if it does not
        exist.
        """
        config = tomllib.loads((folder / "study.toml").read_text(encoding="utf-8"), parse_float=Decimal)
        study = Study.objects.filter(memberships__user=owner, title=config["title"]).order_by("created_at").first()
        if study is None:
            self.stdout.write(f"Creating the study “{config['title']}” …")
            with simulated_time(timezone.now() - timedelta(minutes=10), config["simulation"]):
                study = create_example(owner, folder, config)
            request_job(study, "report:results", user=owner)
        return study


def create_example(owner: User, folder: Path, config: dict[str, Any]) -> Study:
    """Create and open a study with items, gold questions and practice questions, and let simulated annotators answer
    the questions.
    """
    simulation = config["simulation"]
    # An option that is a document, such as a layout, has a file of its own.
    options = config.get("options", {}) | {file.stem: _read(file) for file in folder.glob("*.html")}
    described: dict[str, Any] = {name: value for name, value in config.items() if not isinstance(value, dict)}
    texts: dict[str, Any] = {name: _read(folder / f"{name}.md") for name in TEXTS if (folder / f"{name}.md").exists()}
    texts["privacy_notice"] = _read(EXAMPLES / "privacy.md")
    study = create_study(user=owner, seed=SEED, options=options, **described, **config["settings"], **texts)
    for purpose in ("items", "gold", "practice"):
        for file in sorted(folder.glob(f"{purpose}.*")):
            import_file(study, purpose=purpose, filename=file.name, data=file.read_bytes(), user=owner)
    build_design(study.pk, user=owner)
    study = open_study(study.pk, user=owner)
    truth = folder / "truth.csv"
    simulate(
        study,
        user=owner,
        annotators=simulation["annotators"],
        careless=float(simulation["careless"]),
        hits=simulation["hits"],
        seed=SEED,
        truth=_truth(truth) if truth.exists() else None,
        as_people=True,
    )
    demonstrate_work(study, owner)
    for path in tasktypes.get(study.task_type).demonstrations:
        tasktypes.resolve(path)(study, owner)
    for extension in extensions.registered():
        extension.demonstrate(study, owner, folder)
    return study


@contextmanager
def simulated_time(end: datetime, simulation: Mapping[str, Any]) -> Iterator[None]:
    """Set all clocks in this process to simulated times that spread the simulation's HITs over its days, a week by
    default, up to `end`.
    """
    simulated = _Clock(end, simulation["hits"], simulation.get("days", 7))
    with (
        patch("django.utils.timezone.now", simulated),
        patch("annotate.server.clock.now", simulated),
        patch("annotate.server.clock.seconds", lambda: simulated().timestamp()),
    ):
        yield


class _Clock:
    """A simulated clock that advances with every call. The calls are spread over the same hours on each day, so that
    charts show some days of data collection.
    """

    STEP = timedelta(seconds=150)
    CALLS_PER_HIT = 8

    def __init__(self, end: datetime, hits: int, days: int) -> None:
        self.end = end
        self.left = hits * self.CALLS_PER_HIT * self.STEP
        self.per_day = self.left / days

    def __call__(self) -> datetime:
        self.left = max(self.left - self.STEP, timedelta())
        days, today = divmod(self.left, self.per_day)
        return self.end - days * timedelta(days=1) - today


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def _truth(file: Path) -> dict[str, tasktypes.Json]:
    """Return each item's true value from the second column of the file: a number or text in a format that the task type
    defines. If the file has more columns, return the true value of each field by its name.
    """
    with file.open(encoding="utf-8", newline="") as lines:
        (_, *fields), *rows = csv.reader(lines)
    if len(fields) > 1:
        return {key: dict(zip(fields, map(_truth_value, values), strict=True)) for key, *values in rows}
    return {row[0]: _number_or_text(row[1]) for row in rows}


def _truth_value(cell: str) -> bool | str:
    return {"true": True, "false": False}.get(cell, cell)


def _number_or_text(cell: str) -> float | str:
    try:
        return read_number(cell)
    except ValueError:
        return cell
