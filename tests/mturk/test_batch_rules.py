"""Tests of rules about batches: rule 1, which the database keeps, and rule 9, that gold questions look like others."""

import pytest
from django.db import connection

from annotate.mturk.batch import batch_rows
from annotate.mturk.models import HostedAssignment, ResultImport
from annotate.questions.selectors.data import study_data
from tests.factories import make_study
from tests.mturk.turk import unsealed
from tests.rules.conftest import refuses
from tests.rules.test_no_oracle import assert_same_forms, shared_study, study
from tests.rules.test_rule_1_slots import hold

pytestmark = [pytest.mark.rules, pytest.mark.django_db]
__all__ = ["refuses", "shared_study", "study"]


def test_the_database_refuses_an_external_id_twice_in_one_batch(refuses):
    study = make_study()
    taken = [hold(study, slot, source="mturk", external_id="3ABC") for slot in study.slots.all()[:3]]
    batch = ResultImport.objects.create(study=study, filename="batch.csv", size=1)

    def host(assignment, name):
        return HostedAssignment.objects.create(
            assignment=assignment, study=study, result_import=batch, hit=assignment.hit, batch=name, external_id="3ABC"
        )

    host(taken[0], "one")
    host(taken[1], "two")
    with refuses("hosted_assignment_once" if connection.vendor == "postgresql" else "external_id"):
        host(taken[2], "one")


def test_a_batch_shows_gold_and_other_questions_in_the_same_form(study):
    shown = {True: [], False: []}
    for row in batch_rows(study_data(study)):
        for question in unsealed(row):
            assert list(question) == ["question", "items", "shown", "content", "gold", "why"]
            shown[question["gold"] is not None].append(question["content"])
    assert_same_forms(shown[True], shown[False])
