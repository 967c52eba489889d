"""The named queries for judgements, visible items and locked participations."""

from pathlib import Path

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotate.core.permissions import SYSTEM
from annotate.core.services.standing import stop
from annotate.models import Answer, Item, Participation, Question, Upload
from tests.factories import do_hit, make_annotator, make_study, take
from tests.rooms import rows

pytestmark = pytest.mark.django_db


def test_an_answer_counts_in_a_done_assignment_and_only_once():
    study = make_study(questions_per_hit=5, gold=4)
    person = make_annotator(study)
    do_hit(person)
    gold = Answer.objects.filter(question__kind=Question.Kind.GOLD).count()
    assert gold
    assert Answer.objects.counting().count() == 5
    assert Answer.objects.counting(with_gold=True).count() == 5 + gold
    Answer.objects.filter(pk=Answer.objects.counting().first().pk).update(repeat=True)
    assert Answer.objects.counting().count() == 4
    take(person)
    assert Answer.objects.counting().count() == 4, "answers of an open HIT do not count"
    stop(person.pk, reason="careless", user=SYSTEM)
    assert not Answer.objects.counting(with_gold=True).exists()


def test_answers_to_practice_and_in_a_tryout_do_not_count():
    study = make_study(practice=2)
    do_hit(make_annotator(study))
    do_hit(make_annotator(study, platform="try"))
    assert Answer.objects.filter(given_at__isnull=False).exists()
    assert not Answer.objects.counting(with_gold=True).exists()


def test_items_are_visible_once_their_upload_is_imported():
    study = make_study()
    count = study.items.count()
    upload = Upload.objects.create(study=study, purpose="items", filename="more.csv", content=b"", size=0, sha256="")
    Item.objects.create(study=study, upload=upload, key="hidden", content={"text": "Hidden"})
    assert (study.items.count(), study.items.visible().count()) == (count + 1, count)
    assert upload not in study.uploads.imported()
    Upload.objects.filter(pk=upload.pk).update(revealed_at=timezone.now())
    assert study.items.visible().count() == count + 1
    assert upload in study.uploads.imported()


def test_a_locked_participation_comes_with_its_study_and_annotator():
    person = make_annotator(make_study())
    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        locked = Participation.objects.locked().get(pk=person.pk)
        assert (locked.study, locked.annotator) == (person.study, person.annotator)
    selects = [query["sql"] for query in queries if query["sql"].startswith("SELECT")]
    assert len(selects) == 1
    if connection.vendor == "postgresql":
        assert selects[0].endswith('FOR NO KEY UPDATE OF "annotate_participation"')


def test_no_other_module_spells_these_conditions_out():
    conditions = ("upload__revealed_at__isnull", "repeat=False", "Participation.objects.select_for_update")
    spelled = [
        (str(path), condition)
        for path in Path("annotate").rglob("*.py")
        if path.parts[1] not in ("models", "migrations")
        for condition in conditions
        if condition in path.read_text(encoding="utf-8")
    ]
    # Questions are asked again because of answers that do not count.
    # A new expected answer waits for annotators who have a question that they have not answered yet.
    # Integrity indicators use the answers in all assignments, including those of stopped annotators.
    # The room `programs` compares the answers of programs, which are not judgements, with the answers of people.
    allowed = {
        ("annotate/core/services/asked_again.py", "repeat=False"),
        ("annotate/core/services/regrading.py", "repeat=False"),
        ("annotate/integrity/services.py", "repeat=False"),
        *rows("SPELLED"),
    }
    assert set(spelled) == allowed
