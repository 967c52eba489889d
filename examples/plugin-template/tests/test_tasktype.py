"""Tests of the task type: its files, its pages, and a study from its files to the results."""

from pathlib import Path

import pytest
from accord_yourtype.tasktype import YourType
from django.core.management import call_command

from annotate import tasktypes
from annotate.tasktypes import InvalidAnswer
from annotate.toolkit import testing

HERE = Path(__file__).parent
ITEMS, GOLD = ((HERE / name).read_bytes() for name in ("items.csv", "gold.csv"))
LIMITS = {"rows": 100, "bytes": 10_000, "cell": 2_000}
TRUTH = {"s1": 1.0, "s2": 1.0, "s3": 1.0, "s4": 0.0}


def test_accord_finds_the_task_type() -> None:
    assert isinstance(tasktypes.get("yourtype"), YourType)


def test_errors_in_a_file_have_a_line_and_a_column() -> None:
    file = b"id,statement,gold_only\na,One.,\na,,maybe\n"
    read = YourType().read_items(file, "items.csv", {}, LIMITS)
    assert [str(fault) for fault in read.faults] == [
        "line 3, column id: the ID a is already in line 2; give each item its own ID",
        "line 3, column statement: the cell is empty",
        "line 3, column gold_only: maybe is neither yes nor no",
    ]


def test_only_yes_and_no_are_answers() -> None:
    with pytest.raises(InvalidAnswer):
        YourType().clean({}, [], {"yes": "perhaps"}, {})


def test_an_answer_passes_if_it_is_the_expected_one() -> None:
    assert YourType().grade({}, {"yes": True}, {"yes": True}, {}).passed
    assert not YourType().grade({}, {"yes": True}, {"yes": False}, {}).passed


@pytest.mark.django_db
def test_a_study_from_its_files_to_its_results() -> None:
    study = testing.opened_study("yourtype", ITEMS, GOLD, judgements=3, questions_per_hit=2, gold_block=2)
    assert testing.answer_all(study, TRUTH) == 6
    report = testing.results_of(study)
    assert report.result["headline"]["ends"][0]["value"] == 0.75
    page = testing.console_page(study, f"results/{report.number}/")
    assert "Share of true statements" in page
    assert "Water boils at sea level at 100 °C." in page
    rows = testing.download(study, "labels.csv").decode().splitlines()
    assert rows[0] == "item,statement,yes,judgements"
    assert [row.rpartition(",")[2] for row in rows[1:]] == ["3"] * 4


@pytest.mark.django_db
def test_annotators_read_the_study_in_its_language() -> None:
    study = testing.opened_study("yourtype", ITEMS, language="de")
    assert "Entscheiden Sie" in study.instructions
    page = testing.work_page(testing.claimed(testing.new_annotator(study)))
    assert '<span data-string="yes">Ja</span>' in page


@pytest.mark.django_db
def test_the_help_contains_the_guide(client) -> None:
    assert "Your type" in client.get("/help/yourtype/").content.decode()


def test_each_text_for_annotators_is_translated() -> None:
    call_command("translations", check=True, package=Path(tasktypes.get("yourtype").package_folder()), verbosity=0)
