"""Tests that `accord study` reports wrong arguments on one line."""

import tomllib
from decimal import Decimal
from pathlib import Path

import pytest
from click import ClickException
from click.testing import CliRunner

from accord_core.exchange.faults import TableError
from annotate import tasktypes
from annotate.commands.study import group
from annotate.commands.study_judgements import true_values
from annotate.core.permissions import SYSTEM
from annotate.models import Report, Study
from annotate.studies.services.study import open_study
from tests.factories import make_study

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.django_db


def failure(*arguments: str) -> str:
    outcome = CliRunner().invoke(group, list(arguments))
    assert outcome.exit_code != 0
    assert "Traceback" not in outcome.output
    return outcome.output.rstrip().splitlines()[-1]


def test_true_values_must_cover_every_item_of_the_questions(tmp_path: Path) -> None:
    study = make_study()
    file = tmp_path / "truth.csv"
    keys = list(study.items.values_list("key", flat=True))
    file.write_text("id,value\n" + "".join(f"{key},0.5\n" for key in keys[1:]), encoding="utf-8")
    line = failure("simulate", study.public_id, "--annotators", "1", "--truth", str(file))
    assert line == f"Error: {file} has no value for 1 item of the study, such as {keys[0]}"
    assert not study.participations.exists()
    file.write_text(f"id,value\n{keys[0]}\n", encoding="utf-8")
    line = failure("simulate", study.public_id, "--annotators", "1", "--truth", str(file))
    assert line == f"Error: {file}, line 2: the row needs an item ID and a number"


def test_true_values_of_alignments_can_be_links(tmp_path: Path) -> None:
    values = true_values(tasktypes.get("chunks"), str(ROOT / "examples" / "chunks" / "truth.csv"), {})
    assert str(values["pr-02"]).startswith("2 <==> 3 // SPE1 // 4;;")
    file = tmp_path / "truth.csv"
    file.write_text("id,truth\na,0.5\nb,0-0 1-2\n", encoding="utf-8")
    assert true_values(tasktypes.get("words"), str(file), {}) == {"a": 0.5, "b": "0-0 1-2"}
    with pytest.raises(ClickException, match="line 3: the row needs an item ID and a number"):
        true_values(tasktypes.get("bws"), str(file), {})


def test_true_values_can_come_from_alignment_files(tmp_path: Path) -> None:
    gold = ROOT / "examples" / "papers" / "chunks.wa"
    values = true_values(tasktypes.get("chunks"), str(gold), {})
    assert len(values) == gold.read_text(encoding="utf-8").count("<sentence id=")
    assert all("<==>" in str(value) for value in values.values())

    words, items = tasktypes.get("words"), {key: {"source": ["a", "b"], "target": ["a", "c"]} for key in ("p", "q")}
    file = tmp_path / "gold.wa"
    file.write_text("0001 1 1 S\n0001 2 2 P\n", encoding="utf-8")  # a pair without links has no line
    assert true_values(words, str(file), items) == {"p": "0-0 1?1", "q": ""}
    file.write_text("0-0\n1-0\n", encoding="utf-8")
    assert true_values(words, str(file), items) == {"p": "0-0", "q": "1-0"}
    file.write_text('[{"id": "q", "source": "a , b", "target": "a c", "sureAlign": "2-1", "possibleAlign": ""}]')
    assert true_values(words, str(file), items) == {"q": "2-1"}
    file.write_text("0001 3 1 S\n", encoding="utf-8")
    with pytest.raises(TableError, match="outside the sentences"):
        true_values(words, str(file), items)
    file.write_text("0-0\n0-0\n0-0\n", encoding="utf-8")
    with pytest.raises(TableError, match="3 pairs, but the study has 2"):
        true_values(words, str(file), items)


def test_a_study_needs_a_task_type(tmp_path: Path) -> None:
    items = tmp_path / "items.csv"
    items.write_text("id,text\na,one\n", encoding="utf-8")
    line = failure("create", str(items), "--owner", "ada@example.org")
    assert line.startswith("Error: Specify the task type with --type. Task types: ")
    assert "bws" in line
    settings = tmp_path / "study.toml"
    settings.write_text('task_type = "bws"\n', encoding="utf-8")
    line = failure("create", str(items), "--owner", "ada@example.org", "--settings", str(settings))
    assert "--type" not in line  # the file names the task type, but it contains too few items
    assert not Study.objects.exists()


def test_annotators_of_a_new_study_can_be_named(tmp_path: Path) -> None:
    items = tmp_path / "items.csv"
    items.write_text("id,text\n" + "".join(f"{number},Text {number}\n" for number in range(8)), encoding="utf-8")
    new = ["create", str(items), "--type", "bws", "--owner", "ada@example.org", "--annotators", "Ada, Bea"]
    outcome = CliRunner().invoke(group, new)
    study = Study.objects.get(public_id=outcome.stdout.strip())
    assert "accord account sign-in-link ada@example.org" in outcome.stderr
    assert [named.name for named in study.named_annotators.order_by("pk")] == ["Ada", "Bea"]
    assert open_study(study.pk, user=SYSTEM).is_open


def test_settings_are_printed_and_changed_as_in_a_settings_file(tmp_path: Path) -> None:
    study = make_study(state="draft", budget_cap=None)
    printed = CliRunner().invoke(group, ["settings", study.public_id]).stdout
    settings = tomllib.loads(printed)
    assert settings["task_type"] == "bws"
    assert (settings["title"], settings["questions_per_hit"]) == (study.title, study.questions_per_hit)
    assert settings["options"] == study.options
    assert "budget_cap" not in settings

    file = tmp_path / "study.toml"
    file.write_text(printed.replace(f"questions_per_hit = {study.questions_per_hit}", "questions_per_hit = 7"))
    arguments = ["settings", study.public_id, "--settings", str(file), "--set", "reward=0.75", "--option", "factor=1"]
    changed = CliRunner().invoke(group, arguments)
    assert changed.exit_code == 0, changed.output
    study.refresh_from_db()
    assert (study.questions_per_hit, study.reward, study.options["factor"]) == (7, Decimal("0.75"), 1)
    assert tomllib.loads(changed.stdout)["questions_per_hit"] == 7


def test_settings_are_checked_as_in_the_console() -> None:
    study = make_study()
    assert "questions_per_hit" in failure("settings", study.public_id, "--set", "questions_per_hit=9")
    assert "is not a setting" in failure("settings", study.public_id, "--set", "colour=red")
    assert "does not have the form NAME=VALUE" in failure("settings", study.public_id, "--set", "title")
    study.refresh_from_db()
    assert study.questions_per_hit != 9


@pytest.mark.parametrize("kind", ["nonsense", "round"])  # a round needs the permission to add judgements
def test_an_unknown_kind_of_report_is_one_error_line(kind: str) -> None:
    study = make_study()
    before = Report.objects.count()
    line = failure("report", study.public_id, "--kind", kind)
    assert line.startswith(f"Error: Invalid value for --kind: There is no report of kind “{kind}”. Kinds: ")
    assert Report.objects.count() == before


@pytest.mark.parametrize(("option", "rows", "said"), [((), 5, "data"), (("--first-row", "names"), 4, "")])
def test_the_first_row_is_named_and_can_be_chosen(
    tmp_path: Path, option: tuple[str, ...], rows: int, said: str
) -> None:
    study = make_study(items=0, state="draft")
    file = tmp_path / "words.csv"
    file.write_text("adjective\nhappy\nsad\nglad\nangry\n", encoding="utf-8")
    outcome = CliRunner().invoke(group, ["import", study.public_id, str(file), *option])
    assert f"Imported {rows} items" in outcome.output
    assert ("the first row was read as data. If this is wrong, use --first-row names" in outcome.output) == bool(said)
    assert study.items.count() == rows
