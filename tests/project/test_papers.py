"""Tests of docs/papers.md: each command works in the order of the page, and each page of the console exists."""

import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from annotate import tasktypes
from annotate.commands.main import main
from annotate.models import Membership, Study
from annotate.studies.services.study import create_study
from annotate.web.pages.access import StudyConsole
from tests.factories import UserFactory

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
FIGURES = "Figures of the papers"
STEPS = {title: text for title, text in SECTIONS.items() if title != FIGURES}
COMMAND = re.compile(r"`(accord [^`]+)`")


def last_cells(text: str) -> list[str]:
    """Return the last cell of each row of the table, without the header."""
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    return [row.rstrip("| ").rpartition(" | ")[2] for row in rows[1:]]


@pytest.mark.nightly
@pytest.mark.parametrize("paper", STEPS)
def test_the_commands_of_a_paper_work_in_their_order(
    paper: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    commands = COMMAND.findall(STEPS[paper])
    assert commands
    for command in commands:
        arguments = shlex.split(command)[1:]
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 0, f"{command}\n{result.stderr}"
        written = [Path(after) for option, after in pairwise(arguments) if option == "-o"]
        assert result.stdout or written, command
        assert all(path.stat().st_size for path in written), command


def test_each_step_names_a_command_or_a_page() -> None:
    for paper, text in STEPS.items():
        for cell in last_cells(text):
            assert COMMAND.search(cell) or re.match(r"pages? \*|\*[^*]+\*.* pages?", cell), f"{paper}: {cell}"


@pytest.mark.django_db
def test_each_page_is_in_the_navigation_of_a_study(titles: set[str]) -> None:
    named = {title for text in STEPS.values() for cell in last_cells(text) for title in re.findall(r"\*(.+?)\*", cell)}
    assert named
    assert named <= titles


@pytest.fixture
def titles() -> set[str]:
    """The titles in the navigation of an owner, in studies of all task types."""
    user, found = UserFactory(), set()
    for task in tasktypes.installed():
        study = create_study(user=user, title="A paper", task_type=task.slug)
        study.state = Study.State.OPEN
        study.role = Membership.Role.OWNER  # type: ignore[attr-defined]
        places = StudyConsole(study, "").places
        found |= {place.label for place in places} | {tab.label for place in places for tab in place.tabs}
    return found


def test_each_benchmark_exists() -> None:
    benchmarks = re.findall(r"`script/bench (\w+)`", SECTIONS[FIGURES])
    assert benchmarks
    assert all((ROOT / "bench" / f"{name}.py").is_file() for name in benchmarks)
