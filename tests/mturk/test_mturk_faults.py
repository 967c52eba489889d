"""Tests of faults in the results of a Mechanical Turk batch, and of the command that imports results."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from click.testing import CliRunner

from accord_core.exchange.mturk_results import write_results
from annotate.commands.study import group
from annotate.core.permissions import SYSTEM
from annotate.models import Annotator, Answer
from annotate.mturk.services.batches import import_results
from annotate.server.refusals import Refused
from tests.factories import make_study
from tests.mturk.turk import altered, bring_in, result

pytestmark = pytest.mark.django_db


def first_answer(**change: Any) -> Any:
    def apply(answers: list[dict[str, Any]]) -> None:
        answers[0] |= change

    return apply


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda answers: "nonsense", "not the JSON list"),
        (lambda answers: [1], "not the JSON list"),
        (lambda answers: answers[1:], "no answer to question"),
        (lambda answers: [*answers, answers[0]], "answered twice"),
        (first_answer(question="tuple-99"), "answer 1: the HIT has no question 'tuple-99'"),
        (first_answer(shown=[0, 1, 2, 2]), r"answer 1: \[0, 1, 2, 2\] is not an order"),
        (first_answer(shown=None), "answer 1: None is not an order"),
        (first_answer(value={"best": 1, "worst": 1}), "answer 1, worst: You chose the same answer"),
        (first_answer(value={"best": 5, "worst": 1}), "answer 1, best: `best` must be a position from 1 to 4, not 5"),
        (first_answer(value=None), "answer 1, value: The answer must be an object"),
    ],
)
def test_a_fault_is_named_by_line_and_nothing_is_half_imported(change: Any, message: str) -> None:
    study = make_study(items=10, gold=4)
    wrong = altered(result(study, 2, "W2"), change)
    with pytest.raises(Refused, match=message) as refused:
        bring_in(study, result(study, 1, "W1"), wrong)
    assert list(refused.value.fields) == ["line 3, column Answer.answers"]
    assert refused.value.message.startswith("Nothing was imported. Batch_1.csv, line 3")
    assert not study.assignments.exists()
    assert not Annotator.objects.exists()


def test_results_of_another_study_or_an_unknown_hit_are_refused() -> None:
    study, other = make_study(items=10, gold=4), make_study(items=10, gold=4)
    with pytest.raises(Refused, match=f"this study is {study.public_id}"):
        bring_in(study, result(other, 1, "W1"))
    row = dict(result(study, 1, "W1").input) | {"hit": "99"}
    with pytest.raises(Refused, match="the study has no HIT 99"):
        bring_in(study, replace(result(study, 1, "W1"), input=row))
    with pytest.raises(Refused, match="Choose the results file of a batch"):
        import_results(study.pk, b"id,text\n1,a\n", "items.csv", user=SYSTEM)


def test_a_note_that_cannot_be_stored_does_not_keep_work_out() -> None:
    study = make_study(items=10, gold=4)
    bring_in(study, altered(result(study, 1, "W1"), first_answer(feedback="disputed", note="a\x00b\ud83dc")))
    assert Answer.objects.get(position=1).dispute_note == "a\ufffdb\ufffdc"


def test_a_forged_time_does_not_keep_work_out() -> None:
    study = make_study(items=10, gold=4)
    forged = altered(result(study, 1, "W1"), first_answer(seconds=10**400))
    bring_in(study, forged, altered(result(study, 2, "W2"), first_answer(seconds=1e308)))
    assert list(Answer.objects.filter(position=1).values_list("seconds", flat=True)) == [None, None]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"worker_id": "W" * 300}, "column WorkerId: the ID has 300 characters"),
        ({"worker_id": "W\0"}, r"column WorkerId: the ID 'W\\x00' contains"),
        ({"assignment_id": "A\n"}, r"column AssignmentId: the ID 'A\\n' contains"),
        ({"submit_time": datetime(2100, 1, 1, tzinfo=UTC)}, "column SubmitTime: .* 2099"),
    ],
)
def test_ids_and_times_that_cannot_be_stored_are_named(fields: dict[str, Any], message: str) -> None:
    study = make_study(items=10, gold=4)
    with pytest.raises(Refused, match=f"line 2, {message}"):
        bring_in(study, result(study, 1, "W1", **{"assignment_id": "A1", **fields}))


def test_one_hostile_worker_does_not_keep_the_others_out() -> None:
    study = make_study(items=10, gold=4)
    hostile = replace(result(study, 1, "W1"), answers={"answers": "not JSON"})
    file = "".join(write_results([hostile, result(study, 1, "W2"), result(study, 2, "W2", number=2)])).encode()
    with pytest.raises(Refused, match=r"line 2, column Answer\.answers"):
        import_results(study.pk, file, "Batch_1.csv", user=SYSTEM)
    done = import_results(study.pk, file, "Batch_1.csv", user=SYSTEM, skip_faulty=True)
    assert (done.assignments, done.faulty) == (2, 1)
    entry = study.events.get(verb="skipped a Mechanical Turk assignment")
    assert entry.reason.startswith(
        f"Assignment {hostile.assignment_id}: line 2, column Answer.answers: the cell is not the JSON"
    )
    assert not Annotator.objects.filter(external_id="W1").exists()
    once_more = import_results(study.pk, file, "Batch_1.csv", user=SYSTEM, skip_faulty=True)
    assert (once_more.assignments, once_more.known, once_more.faulty) == (0, 2, 1)


def test_what_no_worker_can_change_is_never_skipped() -> None:
    study = make_study(items=10, gold=4)
    row = dict(result(study, 1, "W1").input) | {"hit": "99"}
    file = "".join(write_results([replace(result(study, 1, "W1"), input=row), result(study, 1, "W2")])).encode()
    with pytest.raises(Refused, match="the study has no HIT 99"):
        import_results(study.pk, file, "Batch_1.csv", user=SYSTEM, skip_faulty=True)


def test_the_command_leaves_faulty_assignments_out(tmp_path: Any) -> None:
    study = make_study(items=10, gold=4)
    file = tmp_path / "Batch_1.csv"
    hostile = replace(result(study, 2, "W2"), answers={"answers": "[]"})
    file.write_text("".join(write_results([result(study, 1, "W1"), hostile])))
    command = ["import-results", study.public_id, str(file)]
    assert CliRunner().invoke(group, command).exit_code == 1
    ran = CliRunner().invoke(group, [*command, "--skip-faulty"])
    assert (ran.exit_code, "1 unreadable" in ran.output) == (0, True), ran.output
    assert "lists the unreadable assignments" in ran.output


def test_the_command_brings_results_in(tmp_path: Any) -> None:
    study = make_study(items=10, gold=4)
    file = tmp_path / "Batch_1.csv"
    file.write_text("".join(write_results([result(study, 1, "W1")])))
    ran = CliRunner().invoke(group, ["import-results", study.public_id, str(file)])
    assert ran.exit_code == 0, ran.output
    assert ran.output.startswith("Imported 1 assignment with 6 answers.\n")
    file.write_text("HITId\n")
    ran = CliRunner().invoke(group, ["import-results", study.public_id, str(file)])
    assert ran.exit_code == 1
    assert "Nothing was imported" in ran.output
