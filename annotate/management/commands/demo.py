"""The demonstration: a study of each kind of task, made once from examples/, then only their links are printed."""

from __future__ import annotations

import csv
import tomllib
from argparse import ArgumentParser
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest.mock import patch

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from annotate import tasktypes
from annotate.models import Study, User
from annotate.services.credentials import login_path
from annotate.services.design import build_design
from annotate.services.jobs import ask_for
from annotate.services.simulate import simulate
from annotate.services.study import create_study, open_study
from annotate.services.uploads import import_upload, receive

EXAMPLES = settings.BASE_DIR / "examples"
# One study of each kind of task; a folder holds its settings, texts and files.
STUDIES = ("relatedness", "paraphrase", "alignment", "chunks")
TEXTS = ("consent", "instructions", "examples")
OWNER = "demo@accord.example"
SEED = 2022  # the same studies and the same simulated answers each time


class Command(BaseCommand):
    help = "Make the demonstration studies that are not there, and print the links to them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        owner = User.objects.filter(email=OWNER).first() or User.objects.create_superuser(OWNER, name="Mara Lindqvist")
        studies = [self.made(owner, EXAMPLES / name) for name in STUDIES]
        site = settings.SITE_URL
        self.stdout.write("\n  Annotate")
        for study in studies:
            self.stdout.write(f"    {tasktypes.get(study.task_type).name + ':':<25}{site}/join/{study.join_token}")
        self.stdout.write(
            f"\n  Console:   {site}/console/"
            f"\n  Sign in:   {site}{login_path(owner)}   (works once)\n"
        )  # fmt: skip

    def made(self, owner: User, folder: Path) -> Study:
        """The folder's study, open and most of it answered; as it is where it has been made before."""
        given = tomllib.loads((folder / "study.toml").read_text(encoding="utf-8"), parse_float=Decimal)
        study = Study.objects.filter(memberships__user=owner, title=given["title"]).order_by("created_at").first()
        if study is None:
            self.stdout.write(f"Making the study “{given['title']}” …")
            with patch("django.utils.timezone.now", _Clock()):
                study = make(owner, folder, given)
            ask_for(study, "report:results", user=owner)
        return study


def make(owner: User, folder: Path, given: dict[str, Any]) -> Study:
    """The study with its items, gold and practice, open, and answered by simulated annotators."""
    options, simulation = given.get("options", {}), given["simulation"]
    described = {name: value for name, value in given.items() if not isinstance(value, dict)}
    texts = {name: _read(folder / f"{name}.md") for name in TEXTS if (folder / f"{name}.md").exists()}
    texts["privacy_notice"] = _read(EXAMPLES / "privacy.md")
    study = create_study(user=owner, seed=SEED, options=options, **described, **given["settings"], **texts)
    for purpose in ("items", "gold", "practice"):
        for file in sorted(folder.glob(f"{purpose}.*")):
            upload = receive(study, purpose=purpose, filename=file.name, data=file.read_bytes(), user=owner)
            import_upload(upload.pk, user=owner)
    build_design(study.pk, user=owner)
    study = open_study(study.pk, user=owner)
    truth = folder / "truth.csv"
    simulate(
        study, annotators=simulation["annotators"], careless=float(simulation["careless"]), hits=simulation["hits"],
        seed=SEED, truth=_truth(truth) if truth.exists() else None,
    )  # fmt: skip
    return study


class _Clock:
    """The time of the simulated collection: two days that pass in two seconds, so that the charts have a story."""

    STEP = timedelta(minutes=3)

    def __init__(self) -> None:
        self.end = timezone.now() - timedelta(minutes=10)
        self.present = self.end - timedelta(hours=35)

    def __call__(self) -> datetime:
        self.present = min(self.present + self.STEP, self.end)
        return self.present


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def _truth(file: Path) -> dict[str, float | str]:
    """What is true of each item, from the second column: a number, or in words that its task type understands."""
    with file.open(encoding="utf-8", newline="") as rows:
        return {row[0]: _number_or_text(row[1]) for row in list(csv.reader(rows))[1:]}


def _number_or_text(cell: str) -> float | str:
    try:
        return float(cell)
    except ValueError:
        return cell
