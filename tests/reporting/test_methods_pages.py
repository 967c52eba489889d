"""Tests that the page *Report it*, the API and the commands give the same methods section, and draw the figures."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from django.test import Client

from annotate.commands.study import group
from annotate.core.permissions import SYSTEM
from reporting.services.answers import save_answers
from tests.factories import make_study, member_of
from tests.reporting.test_answers import content_of, judged_study

pytestmark = pytest.mark.django_db


def test_page_api_and_command_write_the_same_section(tmp_path: Path) -> None:
    study = judged_study()
    save_answers(study.pk, {"recruitment": "Students of <b>two</b> courses"}, user=SYSTEM)
    client = Client()
    client.force_login(member_of(study))
    outcome = CliRunner().invoke(group, ["methods", study.public_id, "-o", str(tmp_path / "out")])
    assert outcome.exit_code == 0, outcome.output
    assert "Still to state: where the texts come from" in outcome.stdout
    assert "how annotators heard" not in outcome.stdout
    written = {file.name: file.read_text(encoding="utf-8") for file in (tmp_path / "out").iterdir()}
    assert set(written) == {"methods.tex", "numbers.tex", "methods.bib", "methods.md", "methods.html"}
    answer = client.get(f"/api/v1/studies/{study.public_id}/methods").json()
    assert answer["files"] == written
    assert len(answer["open"]) == outcome.stdout.count("Still to state")
    archive = zipfile.ZipFile(io.BytesIO(content_of(client.get(f"/console/{study.public_id}/x/reporting/methods.zip"))))
    assert {name: archive.read(f"methods/{name}").decode() for name in written} == written
    page = client.get(f"/console/{study.public_id}/x/reporting/").content.decode()
    assert "Students of &lt;b&gt;two&lt;/b&gt; courses." in page
    assert "<b>two" not in page
    assert "You still have to state 4 things." in " ".join(page.split())


def test_without_results_there_is_no_section(tmp_path: Path) -> None:
    study = make_study()
    client = Client()
    client.force_login(member_of(study))
    assert "Methods section" not in client.get(f"/console/{study.public_id}/x/reporting/").content.decode()
    assert client.get(f"/console/{study.public_id}/x/reporting/methods.zip").status_code == 404
    assert client.get(f"/api/v1/studies/{study.public_id}/methods").json()["code"] == "no-report"
    for command in ("methods", "figures"):
        outcome = CliRunner().invoke(group, [command, study.public_id, "-o", str(tmp_path / command)])
        assert outcome.exit_code == 1
        assert "Calculate the results first" in outcome.output + str(outcome.exception)
        assert not (tmp_path / command).exists()


def test_the_command_draws_figures_in_the_width_of_a_page(tmp_path: Path) -> None:
    study = judged_study()
    arguments = ["figures", study.public_id, "-o", str(tmp_path), "--width", "page", "--grey"]
    assert CliRunner().invoke(group, [*arguments, "--svg"]).exit_code == 0
    assert 'width="160.0mm"' in (tmp_path / "scores.svg").read_text(encoding="utf-8")
    assert not (tmp_path / "scores.pdf").exists()
    outcome = CliRunner().invoke(group, [*arguments, "--font", __file__])
    assert outcome.exit_code == 1
    assert "with --font, or use --svg" in outcome.output
    assert "\\begin{figure*}" in (tmp_path / "figures.tex").read_text(encoding="utf-8")
