"""A study that is archived, or a draft that loses its items, while other writes are in progress."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from annotate.core.services.answer import save_draft
from annotate.core.services.submit import submit
from annotate.core.services.writing import write
from annotate.data.services.removal import remove_import
from annotate.data.services.uploads import receive
from annotate.gold.services import judge_candidate
from annotate.models import Study
from annotate.recruiting.services.join import issue_resume_code, join
from annotate.server.refusals import Refused
from annotate.studies.services.study import archive_study, close_study, open_study
from tests.factories import UserFactory, add_questions, answers_to, make_annotator, make_study, take

pytestmark = [pytest.mark.rules, pytest.mark.django_db(transaction=True)]
WAIT = 0.4  # seconds after which the other thread must be waiting


class Closed:
    """A closed study with an open HIT and a gold candidate."""

    def __init__(self) -> None:
        self.owner = UserFactory()
        self.study = make_study(items=10, gold=3, user=self.owner)
        self.annotator = make_annotator(self.study)
        self.assignment = take(self.annotator)
        self.candidate = add_questions(self.study, "candidate", 1)[0]
        close_study(self.study.pk, user=self.owner)
        self.study.refresh_from_db()

    def archive(self) -> None:
        archive_study(self.study.pk, user=self.owner)


WRITES: dict[str, Callable[[Closed], Any]] = {
    "draft": lambda c: save_draft(c.annotator.pk, c.assignment.public_id, 1, {}, 1),
    "submission": lambda c: submit(c.annotator.pk, c.assignment.public_id, answers_to(c.assignment)),
    "resume code": lambda c: issue_resume_code(c.annotator.pk),
    "candidate": lambda c: judge_candidate(c.candidate.pk, {"best": 1, "worst": 2}, user=c.owner),
    "upload": lambda c: receive(c.study, purpose="gold", filename="g.csv", data=b"id\n", user=c.owner),
    "trial": lambda c: join(c.study, platform="try"),
}


@pytest.fixture
def in_a_transaction() -> Any:
    """Run one callable, and run another callable in a second thread before the first transaction ends."""

    def run(first: Callable[[], Any], second: Callable[[], Any]) -> tuple[bool, Any]:
        """Return whether the second callable waited for the first, and the outcome of the second."""
        begun = threading.Event()

        def outcome() -> Any:
            begun.set()
            try:
                return second()
            except Refused as refused:
                return refused.code
            finally:
                connections.close_all()

        with ThreadPoolExecutor(1) as pool:
            with write():
                first()
                future = pool.submit(outcome)
                begun.wait(10)
                threading.Event().wait(WAIT)
                waited = not future.done()
            return waited, future.result(30)

    return run


@pytest.mark.nightly
@pytest.mark.parametrize("name", WRITES)
def test_archiving_waits_for_writes_that_have_begun(name: str, in_a_transaction: Any) -> None:
    closed = Closed()
    waited, _ = in_a_transaction(lambda: WRITES[name](closed), closed.archive)
    assert waited
    assert Study.objects.get(pk=closed.study.pk).state == "archived"


@pytest.mark.parametrize("name", WRITES)
def test_writes_that_begin_while_a_study_is_archived_are_refused(name: str, in_a_transaction: Any) -> None:
    closed = Closed()
    waited, outcome = in_a_transaction(closed.archive, lambda: WRITES[name](closed))
    assert (waited, outcome) == (True, "archived")


def test_a_draft_does_not_open_while_its_items_are_removed(in_a_transaction: Any) -> None:
    owner = UserFactory()
    study = make_study(items=8, user=owner, state="draft")
    upload = study.uploads.get()
    waited, outcome = in_a_transaction(
        lambda: remove_import(upload.pk, user=owner), lambda: open_study(study.pk, user=owner)
    )
    assert (waited, outcome) == (True, "not-ready")
    assert not study.items.exists()


def test_items_stay_if_their_draft_is_opened_first(in_a_transaction: Any) -> None:
    owner = UserFactory()
    study = make_study(items=8, user=owner, state="draft")
    upload = study.uploads.get()
    waited, outcome = in_a_transaction(
        lambda: open_study(study.pk, user=owner), lambda: remove_import(upload.pk, user=owner)
    )
    assert (waited, outcome) == (True, "locked")
    assert study.items.count() == 8
    assert study.slots.filter(open=1).exists()
