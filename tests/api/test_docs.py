"""A test that runs the examples in docs/api.md against a real server."""

import os
import re
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from annotate.models import Answer, Delivery
from annotate.services.credentials import new_api_token
from annotate.webhook_requests import signature
from tests.factories import UserFactory, make_study

DOCS = Path(__file__).parents[2] / "docs" / "api.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", DOCS.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.django_db(transaction=True)
def test_the_examples_run(live_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user = UserFactory()
    study = make_study(user=user, gold=4)
    variables = {"ACCORD": live_server.url, "STUDY": study.public_id, "TOKEN": new_api_token(user, "script")[1]}
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    names: dict[str, Any] = {"__name__": "example"}
    for script in blocks("python"):
        exec(compile(script, str(DOCS), "exec"), names)  # noqa: S102 - our own documentation
    answers = Answer.objects.filter(participation__annotator__external_id="length baseline 1.0")
    assert answers.filter(given_at=None).count() == 0
    assert answers.filter(question__kind="regular").count() == study.questions.filter(kind="regular").count()

    assert len(names["answers_of_programs"]) == answers.count()
    shell = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(blocks("bash"))],
        cwd=tmp_path,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert shell.returncode == 0, shell.stderr
    assert "Relatedness" in shell.stdout
    assert study.assignments.filter(participation__annotator__external_id="first position").count() == 1
    assert shell.stdout.count('"annotator":') == answers.count()
    assert len((tmp_path / "answers.ndjson").read_text().splitlines()) == answers.count()
    assert Delivery.objects.get(webhook__study=study).kind == "test"

    now, is_authentic = int(time.time()), names["is_authentic"]
    assert is_authentic(b"{}", signature("secret", now, b"{}"), "secret")
    assert not is_authentic(b"{} ", signature("secret", now, b"{}"), "secret")
    assert not is_authentic(b"{}", signature("secret", now - 600, b"{}"), "secret")
