"""The demonstration study: made once from examples/relatedness, then only its links are printed."""

from __future__ import annotations

import csv
import tomllib
from argparse import ArgumentParser
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from unittest.mock import patch

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from annotate.models import Study, User
from annotate.services.credentials import login_path
from annotate.services.design import build_design
from annotate.services.jobs import ask_for
from annotate.services.simulate import simulate
from annotate.services.study import create_study, open_study
from annotate.services.uploads import import_upload, receive

EXAMPLE = settings.BASE_DIR / "examples" / "relatedness"
OWNER = "demo@accord.example"
SEED = 2022  # the same study and the same simulated answers each time


class Command(BaseCommand):
    help = "Make the demonstration study if it is not there, and print the links to it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        owner = User.objects.filter(email=OWNER).first() or User.objects.create_superuser(OWNER, name="Mara Lindqvist")
        study = Study.objects.filter(memberships__user=owner).order_by("created_at").first()
        if study is None:
            self.stdout.write("Making the demonstration study …")
            with patch("django.utils.timezone.now", _Clock()):
                study = self.make(owner)
            ask_for(study, "report:results", user=owner)
        site = settings.SITE_URL
        self.stdout.write(
            f"\n  Annotate:  {site}/join/{study.join_token}"
            f"\n  Console:   {site}/console/"
            f"\n  Sign in:   {site}{login_path(owner)}   (works once)\n"
        )

    def make(self, owner: User) -> Study:
        """The study with its items, gold and practice, open, and most of it answered."""
        given = tomllib.loads(_read("study.toml"), parse_float=Decimal)
        wanted = given | given.pop("settings")
        study = create_study(
            user=owner, title=wanted.pop("title"), task_type=wanted.pop("task_type"), options=wanted.pop("options"),
            seed=SEED, consent=_read("consent.md"), instructions=_read("instructions.md"),
            examples=_read("examples.md"), **{name: value for name, value in wanted.items() if name != "settings"},
        )  # fmt: skip
        for purpose in ("items", "gold", "practice"):
            data = (EXAMPLE / f"{purpose}.csv").read_bytes()
            upload = receive(study, purpose=purpose, filename=f"{purpose}.csv", data=data, user=owner)
            import_upload(upload.pk, user=owner)
        build_design(study.pk, user=owner)
        study = open_study(study.pk, user=owner)
        # One of the six answers at random, and is stopped on the way.
        simulate(study, annotators=6, careless=0.15, hits=64, seed=SEED, truth=_truth())
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


def _read(name: str) -> str:
    return (EXAMPLE / name).read_text(encoding="utf-8")


def _truth() -> dict[str, float]:
    with (EXAMPLE / "truth.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: float(row["relatedness"]) for row in csv.DictReader(file)}
