"""Tests that submitting a HIT and claiming the next HIT is one transaction with few statements, regardless of the
progress of the study.
"""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.core.permissions import SYSTEM
from annotate.core.services.claim import claim
from annotate.core.services.credentials import participation_token
from annotate.core.services.standing import restore, stop
from annotate.core.services.submit import submit_and_claim
from annotate.models import Assignment
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings, write_consent
from tests.api.conftest import Api
from tests.factories import (
    answers_to,
    assert_slots_add_up,
    let_lapse,
    make_annotator,
    make_study,
    take,
)

MOST = 13  # BEGIN, COMMIT and the search for webhooks included


@pytest.mark.rules
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("right", [True, False])
def test_a_cycle_of_six_answers_with_one_gold_costs_at_most_thirteen_statements(right):
    study = make_study(items=40, gold=20, questions_per_hit=5, gold_block=5)
    ann = make_annotator(study)
    api = Api(f"Participation {participation_token(ann)}")
    mine = api.post("claims").json()["assignment"]
    for _ in range(3):
        sent = [vars(answer) for answer in answers_to(Assignment.objects.get(public_id=mine["id"]), right=right)]
        with CaptureQueriesContext(connection) as queries:
            reply = api.post(f"assignments/{mine['id']}/submission", {"answers": sent, "next": True}).json()
        statements = [query["sql"] for query in queries]
        assert (len(sent), len(reply["next"]["assignment"]["questions"])) == (6, 6)
        assert len(statements) <= MOST + (not right), "\n".join(statements)  # a miss counts what was right before
        assert sum(sql.startswith("BEGIN") for sql in statements) == 1, "one transaction"
        mine = reply["next"]["assignment"]
    assert_slots_add_up(study)


@pytest.mark.rules
@pytest.mark.django_db
class TestWhatTheCycleLeavesToAClaimOfItsOwn:
    def test_leases_of_others_that_are_overdue_lapse_before_the_next_claim(self):
        study = make_study(items=8, order="hits")
        late, ann = make_annotator(study), make_annotator(study)
        lost = take(late)
        mine = take(ann)
        while claim(make_annotator(study).pk).assignment:
            pass
        let_lapse(lost)
        receipt, claimed = submit_and_claim(ann.pk, mine.public_id, answers_to(mine))
        assert receipt.state == "done"
        assert claimed.assignment is not None
        assert claimed.assignment.hit_id == lost.hit_id
        assert_slots_add_up(study)

    def test_a_hit_that_was_restored_is_gone_on_with(self):
        study = make_study()
        ann = make_annotator(study)
        begun = take(ann)
        stop(ann.pk, reason="by mistake", user=SYSTEM)
        restore(ann.pk, reason="by mistake", user=SYSTEM)
        Assignment.objects.filter(pk=begun.pk).update(source="api")  # so that a second one can be in hand
        mine = take(ann)
        Assignment.objects.filter(pk=begun.pk).update(source="web")
        _, claimed = submit_and_claim(ann.pk, mine.public_id, answers_to(mine))
        assert (claimed.assignment, claimed.resumed) == (begun, True)

    def test_a_new_consent_text_does_not_cost_the_receipt(self):
        study = make_study(consent="I take part.")
        ann = make_annotator(study)
        mine = take(ann)
        write_consent(study.pk, "I take part, gladly.", user=study.members.get())
        receipt, claimed = submit_and_claim(ann.pk, mine.public_id, answers_to(mine))
        assert (receipt.state, claimed.assignment, claimed.why) == ("done", None, "consent")
        mine.refresh_from_db()
        assert mine.state == "done"


@pytest.mark.rules
@pytest.mark.django_db
def test_sending_the_cycle_twice_brings_the_same_receipt_and_the_same_next_hit():
    study = make_study()
    ann = make_annotator(study)
    mine = take(ann)
    first, second = (submit_and_claim(ann.pk, mine.public_id, answers_to(mine)) for _ in range(2))
    assert first[0] == second[0]
    assert (first[1].assignment, second[1].resumed) == (second[1].assignment, True)
    assert_slots_add_up(study)


@pytest.mark.rules
@pytest.mark.django_db
def test_a_submission_that_is_refused_claims_nothing():
    study = make_study()
    ann = make_annotator(study)
    mine = take(ann)
    with pytest.raises(Refused, match="Answer question"):
        submit_and_claim(ann.pk, mine.public_id, answers_to(mine, but=[1]))
    assert list(ann.assignments.values_list("state", flat=True)) == ["leased"]


@pytest.mark.rules
@pytest.mark.django_db
def test_settings_that_change_between_two_cycles_hold_for_the_second():
    study = make_study()
    ann = make_annotator(study)
    mine = take(ann)
    change_settings(study.pk, user=study.members.get(), hits_per_annotator=1)
    assert submit_and_claim(ann.pk, mine.public_id, answers_to(mine))[1].why == "limit"
