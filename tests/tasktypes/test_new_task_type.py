"""Tests of `accord new-tasktype`, and of its package: through the API, and from files to a report."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from click import ClickException

from annotate import tasktypes
from annotate.commands.new_tasktype import refuse_name, write_package
from annotate.models import Answer, Participation
from annotate.results.services import recompute
from annotate.settings import installed as installed_packages
from annotate.settings.environment import SettingError
from annotate.tasktypes import registry
from annotate.toolkit import testing
from tests.api.conftest import Api
from tests.api.conftest import page as api_of  # noqa: F401 - a fixture
from tests.plugins import NAME, ROOT
from tests.plugins import word_order as word_order  # a fixture

TEMPLATE = ROOT / "examples" / "plugin-template"
STATEMENTS = {f"s{n}": f"Statement number {n} is here." for n in range(1, 5)}
ITEMS = "id,statement\n" + "".join(f"{key},{text}\n" for key, text in STATEMENTS.items())
GOLD = "id,statement,expected,explanation\ng1,Sleep ideas green.,no,Words are in the wrong order.\n"
RULE = {"judgements": 2, "questions_per_hit": 2, "gold_block": 2, "rule_threshold": 0}


def test_a_new_package_has_its_own_names_everywhere(tmp_path: Path) -> None:
    write_package(NAME, tmp_path / "package")
    files = {path.relative_to(tmp_path / "package") for path in (tmp_path / "package").rglob("*") if path.is_file()}
    source = Path("src/accord_word_order")
    template = TEMPLATE / "src" / "accord_yourtype"
    assert {file.relative_to(source) for file in files if file.is_relative_to(source)} == {
        Path(str(path.relative_to(template)).replace("yourtype", NAME))
        for path in template.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {Path("pyproject.toml"), Path("README.md"), Path("tests/test_tasktype.py")} <= files
    for file in files:
        contents = (tmp_path / "package" / file).read_bytes()
        assert not re.search(rb"your.?type", contents, re.IGNORECASE), file
        if file.suffix == ".py":
            compile(contents, str(file), "exec")


@pytest.mark.parametrize("name", ["", "Fluency", "2d", "word_order", "word--order", "-a", "a-", "é", "a" * 31])
def test_a_name_that_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(ClickException, match=f"“{name}” cannot be the name of a task type"):
        refuse_name(name)


@pytest.mark.parametrize("name", ["bws", "layout", "console", "results", "pairs", "methods"])
def test_a_name_in_use_is_refused(name: str) -> None:
    with pytest.raises(ClickException, match=f"The name “{name}” is already in use"):
        refuse_name(name)


@pytest.mark.usefixtures("word_order")
def test_an_installed_package_takes_its_name() -> None:
    with pytest.raises(ClickException, match="already in use"):
        refuse_name(NAME)


def test_an_existing_folder_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    with pytest.raises(ClickException, match="already exists"):
        write_package(NAME, tmp_path / "package")
    with pytest.raises(ClickException, match="is not a folder"):
        write_package(NAME, tmp_path / "missing" / "package")
    assert [path.name for path in tmp_path.rglob("*")] == ["package"]


def test_a_fault_while_writing_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(source: Path, target: Path, **options: Any) -> None:
        target.mkdir()
        (target / "README.md").write_text("half")
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(shutil, "copytree", interrupted)
    with pytest.raises(OSError, match="No space left"):
        write_package(NAME, tmp_path / "package")
    assert list(tmp_path.iterdir()) == []


def test_entry_points_name_applications(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def listed(value: str) -> list[EntryPoint]:
        return [EntryPoint("fluency", value, installed_packages.ENTRY_POINTS)]

    monkeypatch.setattr(installed_packages, "entry_points", lambda group: listed("bws.apps:BwsConfig"))
    assert installed_packages.task_type_applications() == ["bws.apps.BwsConfig"]
    for value in ("accord_missing.apps:Config", "bws.missing:Config", "bws.apps"):
        monkeypatch.setattr(installed_packages, "entry_points", lambda group, value=value: listed(value))
        with pytest.raises(SettingError):
            installed_packages.task_type_applications()
        assert f"fluency has no application {value}" in capsys.readouterr().err


@pytest.mark.nightly
@pytest.mark.django_db
@pytest.mark.usefixtures("word_order")
def test_simulated_annotators_a_report_and_its_page() -> None:
    study = testing.opened_study(NAME, ITEMS.encode(), GOLD.encode(), **RULE)
    truth = {key: 1.0 if key < "s4" else 0.0 for key in STATEMENTS}
    assert testing.answer_all(study, truth, seed=3) == 4
    report = testing.results_of(study)
    assert report.result["headline"]["ends"][0]["value"] == 0.75
    assert {row["item"]: row["yes"] for row in report.result["statements"]}["s4"] == 0
    assert recompute(report) == report.result
    page = testing.console_page(study, "results/1/")
    assert "Share of true statements" in page
    assert STATEMENTS["s2"] in page
    assert "Share of true statements" in testing.console_page(study)


@pytest.mark.nightly
@pytest.mark.django_db
@pytest.mark.usefixtures("word_order")
def test_answers_through_the_api(api_of: Callable[[Participation], Api]) -> None:  # noqa: F811 - a fixture
    study = testing.opened_study(NAME, ITEMS.encode(), **RULE | {"gold_block": 0})
    person = testing.new_annotator(study)
    api = api_of(person)
    assignment = api.post("claims").json()["assignment"]
    shown = [question["content"]["statement"] for question in assignment["questions"]]
    assert len(shown) == 2
    assert set(shown) <= set(STATEMENTS.values())
    answers = [{"position": n, "value": {"yes": n == 1}, "seconds": 3.0} for n in (1, 2)]
    sent = api.post(f"assignments/{assignment['id']}/submission", {"answers": answers})
    assert sent.status_code == 200, sent.content
    stored = Answer.objects.filter(participation=person).order_by("position").values_list("value", flat=True)
    assert list(stored) == [{"yes": True}, {"yes": False}]


@pytest.mark.nightly
@pytest.mark.django_db
@pytest.mark.usefixtures("word_order")
def test_texts_and_help_come_from_the_package(client: Any) -> None:
    study = testing.opened_study(NAME, ITEMS.encode(), language="de")
    assert study.instructions.startswith("Lesen Sie jede Aussage.")
    assert 'data-string="yes">Ja</span>' in testing.work_page(testing.claimed(testing.new_annotator(study)))
    assert "Word order" in client.get(f"/help/{NAME}/").content.decode()
    assert f"/help/{NAME}/" in client.get("/help/").content.decode()
    assert f"/help/{NAME}/" in testing.console_page(study, "items/")
    assert NAME in [task.slug for task in tasktypes.installed()]


def test_no_test_leaves_the_task_type_installed() -> None:
    assert NAME not in [task.slug for task in registry.installed()]
