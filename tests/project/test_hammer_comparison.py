"""Tests that the comparison at the end of `script/hammer` detects lost and inconsistent data."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection

from annotate.core.services.answer import give_answer, save_draft
from annotate.models import Answer, Assignment, Slot, installed_triggers
from tests.factories import do_hit, gold_in, make_annotator, make_study, raw_answer, take
from tests.hammer.comparison import compare
from tests.hammer.ledger import Ledger

pytestmark = pytest.mark.django_db

VALUE = {"best": 1, "worst": 2}
DRAFT = {"best": 3, "worst": 4}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a correct ledger of one submitted HIT and one draft."""
    ann = make_annotator(make_study())
    done, begun = do_hit(ann).assignment, take(ann)
    save_draft(ann.pk, begun.public_id, 1, DRAFT, 1)
    ledger = Ledger(tmp_path / "ledger", 1)
    ledger.write("answer", done, 1, VALUE)
    ledger.write("receipt", done, True, {str(position): VALUE for position in range(2, 6)})
    ledger.write("draft", begun.public_id, 1, 1, DRAFT)
    ledger.close()
    return tmp_path


def test_everything_is_found(folder: Path) -> None:
    found = compare(folder)
    assert (found["acknowledged"], found["found"], found["lost"], found["inconsistent"]) == (8, 8, [], [])
    assert found["kinds"]["answers"] == (5, 5)


def lose_answer() -> None:
    installed_triggers.drop(connection)
    answer = Answer.objects.filter(given_at__isnull=False).order_by("pk").first()
    assert answer is not None
    answer.value = {"best": answer.value["worst"], "worst": answer.value["best"]}
    answer.save(update_fields=["value"])


def lose_draft() -> None:
    Answer.objects.filter(draft__isnull=False).update(draft=VALUE)


def lose_submission() -> None:
    Assignment.objects.filter(state="done").update(state="lapsed", submitted_at=None)


def lose_credit() -> None:
    Assignment.objects.update(credited=False)


@pytest.mark.parametrize(
    ("lose", "kind"),
    [(lose_answer, "answers"), (lose_draft, "drafts"), (lose_submission, "submissions"), (lose_credit, "credits")],
    ids=["answer", "draft", "submission", "credit"],
)
def test_a_loss_is_found(folder: Path, lose: Callable[[], None], kind: str) -> None:
    lose()
    comparison = compare(folder)
    found, acknowledged = comparison["kinds"][kind]
    assert found == acknowledged - 1
    assert [line for line in comparison["lost"] if line.startswith("lost: ")]


def test_an_answer_that_does_not_exist_is_lost(folder: Path) -> None:
    ledger = Ledger(folder / "ledger", 2)
    ledger.write("answer", "never-claimed", 1, VALUE)
    ledger.close()
    assert compare(folder)["kinds"]["answers"] == (5, 6)


def test_a_slot_that_is_closed_for_nobody_is_inconsistent(folder: Path) -> None:
    Slot.objects.filter(open=1).update(open=0)
    (line,) = compare(folder)["inconsistent"]
    assert line.endswith("2 closed slots that nobody holds")


def test_a_changed_answer_to_a_gold_question_is_found(tmp_path: Path) -> None:
    ann = make_annotator(make_study(items=40, gold=12, gold_block=2))
    assignment = take(ann)
    answer = gold_in(assignment)[0]
    right = raw_answer(answer)
    wrong = {"best": right["worst"], "worst": right["best"]}
    ledger = Ledger(tmp_path / "ledger", 1)
    for kind, value in (("answer", right), ("change", wrong), ("answer", wrong)):
        if kind == "answer":
            give_answer(ann.pk, assignment.public_id, answer.position, value)
        ledger.write(kind, assignment.public_id, answer.position, value)
    ledger.close()
    assert compare(tmp_path)["kinds"]["answers"] == (1, 1)


def test_an_answer_that_had_to_be_given_again_was_lost(folder: Path) -> None:
    ledger = Ledger(folder / "ledger", 2)
    ledger.write("answer", Assignment.objects.get(state="done").public_id, 1, VALUE)
    ledger.close()
    comparison = compare(folder)
    assert comparison["kinds"]["answers"] == (4, 5)
    assert len(comparison["lost"]) == 1
