"""Tests that run the examples in docs/api.md and examples/api against a real server."""

import importlib
import io
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from annotate.core.services import jobs
from annotate.core.services.credentials import new_api_token
from annotate.models import Answer, Study
from tests.factories import UserFactory

DOCS = Path(__file__).parents[2] / "docs" / "api.md"
TASK_TYPES = ["bws", "words", "chunks", "paraphrase"]

pytestmark = [pytest.mark.nightly, pytest.mark.django_db(transaction=True)]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", DOCS.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.fixture
def variables(live_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Set the environment variables of the examples. The server runs each job immediately."""
    monkeypatch.setattr(jobs, "notify_worker", lambda job, kind: jobs.run(job))
    monkeypatch.chdir(tmp_path)
    # The module reads the variables when it is imported.
    monkeypatch.syspath_prepend(str(DOCS.parents[1] / "examples" / "api"))
    sys.modules.pop("study", None)
    variables = {"ACCORD": live_server.url, "TOKEN": new_api_token(UserFactory(), "script")[1]}
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    return variables


def run_python() -> dict[str, Any]:
    """Run all Python examples of the guide, and return their names."""
    names: dict[str, Any] = {"__name__": "example"}
    for script in blocks("python"):
        exec(compile(script, str(DOCS), "exec"), names)  # noqa: S102 - our own documentation
    return names


def test_the_python_examples_run(variables: dict[str, str]) -> None:
    names = run_python()
    study = Study.objects.get(public_id=names["study"].removeprefix("studies/"))
    answers = Answer.objects.filter(participation__annotator__external_id="length baseline 1.0")
    assert answers.filter(given_at=None).count() == 0
    assert answers.filter(question__kind="regular").count() == study.questions.filter(kind="regular").count()
    assert len(names["answers_of_programs"]) == answers.count()
    with zipfile.ZipFile("bws.zip") as archive:
        assert archive.testzip() is None
        assert f"{study.public_id}-1.0/data/scores.csv" in archive.namelist()


def test_the_shell_examples_run(variables: dict[str, str], tmp_path: Path) -> None:
    shell = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(blocks("bash"))],
        cwd=tmp_path,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert shell.returncode == 0, shell.stdout + shell.stderr
    study = Study.objects.get(title="Relatedness")
    people = Answer.objects.counting().filter(assignment__study=study)
    assert people.count() == study.questions.filter(kind="regular").count() * 2
    assert len((tmp_path / "answers.jsonl").read_text().splitlines()) >= people.count()
    assert (tmp_path / "scores.csv").read_text().count("\n") == 9
    for name in ("report.zip", "release.zip"):
        assert zipfile.ZipFile(io.BytesIO((tmp_path / name).read_bytes())).testzip() is None
    assert study.assignments.filter(participation__annotator__external_id="first position").count() == 1


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_a_whole_study_of_each_kind_runs_through_the_api(variables: dict[str, str], task_type: str) -> None:
    whole_study = importlib.import_module("study").whole_study
    study = Study.objects.get(public_id=whole_study(task_type).removeprefix("studies/"))
    assert (study.task_type, study.reports.filter(kind="results").count()) == (task_type, 1)
    with zipfile.ZipFile(f"{task_type}.zip") as archive:
        assert f"{study.public_id}-1.0/SHA256SUMS" in archive.namelist()
