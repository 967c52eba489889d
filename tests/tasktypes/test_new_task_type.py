"""Tests of the task type in examples/task-types, from items to reports: through the API and as a batch."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings

from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_file
from annotate.models import Answer, Participation, Study
from annotate.results.services import make_report, recompute
from annotate.studies.services.study import create_study, open_study
from annotate.tasktypes import registry
from tests.api.conftest import Api
from tests.api.conftest import page as api_of  # noqa: F401 - a fixture
from tests.api.openapi import forget_schema
from tests.console_study import browser_of, page_of
from tests.factories import UserFactory, make_annotator

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "task-types"
APPLICATION = "acceptability.apps.AcceptabilityConfig"
ITEMS = "id,text\n" + "".join(f"s{n},Sentence number {n} is here.\n" for n in range(1, 5))
GOLD = "id,text,expected,explanation\ng1,Sleep ideas green.,no,Words are in the wrong order.\n"

pytestmark = pytest.mark.django_db


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install the example for one test, as ACCORD_TASK_TYPES does for a process."""
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.setattr(registry, "_registry", dict(registry._registry))
    forget_schema()
    with override_settings(INSTALLED_APPS=[*settings.INSTALLED_APPS, APPLICATION]):
        yield
    forget_schema()
    for name in [name for name in sys.modules if name.partition(".")[0] == "acceptability"]:
        del sys.modules[name]


def opened(**more: object) -> Study:
    """Create a study of the example with four items and a gold question, and open it."""
    user = UserFactory()
    study = create_study(
        user=user,
        title="Acceptability",
        task_type="acceptability",
        instructions="Read each sentence.",
        **{"judgements": 2, "questions_per_hit": 2, "gold_block": 2, "rule_threshold": 0, "seed": 1} | more,
    )
    for purpose, text in (("items", ITEMS), ("gold", GOLD)):
        import_file(study, purpose=purpose, filename=f"{purpose}.csv", data=text.encode(), user=user)
    build_design(study.pk, user=user)
    return open_study(study.pk, user=user)


@pytest.mark.nightly
def test_one_setting_turns_the_task_type_on(tmp_path: Path) -> None:
    command = "from annotate import tasktypes; print([task.slug for task in tasktypes.installed()])"
    environment = os.environ | {"PYTHONPATH": str(FOLDER), "ACCORD_DATA": str(tmp_path / "data")}
    output = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", command],
        cwd=ROOT,
        env=environment | {"ACCORD_TASK_TYPES": APPLICATION},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "'acceptability'" in output
    assert "acceptability" not in [task.slug for task in registry.installed()]


@pytest.mark.usefixtures("installed")
def test_faults_in_a_file_are_named_by_line() -> None:
    task = registry.get("acceptability")
    limits = {"rows": 100, "bytes": 10_000, "cell": 2_000}
    read = task.read_items(b"id,text,gold_only\na,One.,\na,,maybe\n", "items.csv", task.clean_options({}), limits)
    assert [str(fault) for fault in read.faults] == [
        "line 3, column id: the ID a is already in line 2; give each item its own ID",
        "line 3, column text: the cell is empty",
        "line 3, column gold_only: maybe is neither yes nor no",
    ]


@pytest.mark.nightly
@pytest.mark.usefixtures("installed")
def test_simulated_annotators_a_report_and_its_page() -> None:
    study = opened()
    truth = {f"s{n}": 1.0 if n < 4 else 0.0 for n in range(1, 5)}
    assert simulate(study, user=SYSTEM, annotators=3, seed=3, truth=truth).hits == 4
    report = make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)
    assert report.result["headline"]["ends"][0]["value"] == 0.75
    assert {row["text"]: row["yes"] for row in report.result["sentences"]}["Sentence number 4 is here."] == 0
    assert recompute(report) == report.result
    client = browser_of(study)
    page = client.get(page_of(study, "results/1/")).content.decode()
    assert "Share of acceptable sentences: .750" in page
    assert "Sentence number 2 is here." in page
    assert "Share of acceptable sentences" in client.get(page_of(study)).content.decode()


@pytest.mark.nightly
@pytest.mark.usefixtures("installed")
def test_answers_through_the_api(api_of: Callable[[Participation], Api]) -> None:  # noqa: F811 - a fixture
    study = opened(gold_block=0)
    person = make_annotator(study)
    api = api_of(person)
    assignment = api.post("claims").json()["assignment"]
    texts = [question["content"]["text"] for question in assignment["questions"]]
    assert len(texts) == 2
    assert all(text.startswith("Sentence number ") for text in texts)
    answers = [{"position": n, "value": {"yes": n == 1}, "seconds": 3.0} for n in (1, 2)]
    sent = api.post(f"assignments/{assignment['id']}/submission", {"answers": answers})
    assert sent.status_code == 200, sent.content
    stored = Answer.objects.filter(participation=person).order_by("position").values_list("value", flat=True)
    assert list(stored) == [{"yes": True}, {"yes": False}]
