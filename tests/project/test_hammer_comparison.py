"""Tests that the comparison at the end of `script/hammer` detects lost and inconsistent data."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection

from annotate.models import Answer, Assignment, Slot, triggers
from annotate.services.answer import save_draft
from tests.factories import do_hit, make_annotator, make_study, take
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
    triggers.drop(connection)
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
