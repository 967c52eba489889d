"""The budget cap and the rewards: claims stop at the cap, late work is paid, and simulated annotators earn nothing."""

from decimal import Decimal

import pytest

from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.participations import own_part
from annotate.core.selectors.spend import spend_of
from annotate.core.services.claim import claim, reap
from annotate.core.services.submit import submit
from annotate.models import Participation
from annotate.pay.selectors.balances import balances, pay_rows
from annotate.pay.services import correct_entry, give_bonus
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings
from tests.factories import answers_to, do_hit, let_lapse, make_annotator, make_study, take

pytestmark = [pytest.mark.rules]


@pytest.mark.django_db
class TestBudgetCap:
    def test_claims_stop_at_the_cap_and_go_on_when_it_is_raised(self):
        study = make_study(items=20, budget_cap="1.10")
        ann = make_annotator(study)
        do_hit(ann), do_hit(ann)
        assert claim(ann.pk).why == own_part(Participation.objects.get(pk=ann.pk)).why == "nothing"
        change_settings(study.pk, budget_cap=Decimal("1.50"), user=SYSTEM)
        assert own_part(Participation.objects.get(pk=ann.pk)).why == ""
        do_hit(ann)
        assert claim(ann.pk).why == "nothing"
        change_settings(study.pk, budget_cap=None, user=SYSTEM)
        assert claim(ann.pk).assignment

    def test_an_open_hit_counts_against_the_cap_until_it_is_returned(self):
        study = make_study(items=20, budget_cap="0.50")
        first, second = make_annotator(study), make_annotator(study)
        open_hit = take(first)
        assert claim(second.pk).why == "nothing"
        let_lapse(open_hit)
        assert claim(second.pk).assignment, "the overdue HIT no longer counts against the cap"

    def test_a_lapsed_hit_is_not_leased_again_above_the_cap(self):
        study = make_study(items=20, budget_cap="0.50")
        late, ann = make_annotator(study), make_annotator(study)
        assignment = take(late)
        let_lapse(assignment)
        reap(study.pk)
        take(ann)
        assert claim(late.pk).assignment is None
        assert spend_of(study).left == 0
        change_settings(study.pk, budget_cap=None, user=SYSTEM)
        assert claim(late.pk).assignment

    def test_late_work_is_paid_although_the_cap_is_spent(self):
        study = make_study(items=20, budget_cap="0.50")
        late, ann = make_annotator(study), make_annotator(study)
        assignment = take(late)
        sent = answers_to(assignment)
        let_lapse(assignment)
        reap(study.pk)
        do_hit(ann)
        assert submit(late.pk, assignment.public_id, sent).credited
        assert spend_of(study).left == Decimal("-0.50")
        assert claim(late.pk).why == "nothing"

    def test_a_bonus_above_the_cap_is_refused_with_the_way_out(self):
        study = make_study(items=20, budget_cap="1.00")
        ann = make_annotator(study)
        do_hit(ann)
        with pytest.raises(Refused, match=r"\$0.50 of \$1.00 is left. Give a smaller bonus, or raise the budget cap"):
            give_bonus(study.pk, ann.pseudonym, amount=Decimal("0.51"), reason="Thanks.", user=SYSTEM)
        bonus = give_bonus(study.pk, ann.pseudonym, amount=Decimal("0.50"), reason="Thanks.", user=SYSTEM)
        with pytest.raises(Refused, match="exceeds the budget cap"):
            correct_entry(study.pk, bonus.public_id, amount=Decimal("0.60"), reason="More.", user=SYSTEM)

    def test_the_reward_of_a_hit_is_the_reward_at_its_start(self):
        study = make_study(items=20, budget_cap="1.00")
        ann = make_annotator(study)
        before = take(ann)
        change_settings(study.pk, reward=Decimal("0.60"), user=SYSTEM)
        submit(ann.pk, before.public_id, answers_to(before))
        assert balances(study, [ann.pk])[ann.pk].owed == Decimal("0.50")
        assert claim(ann.pk).why == "nothing", "a HIT at the new reward no longer fits"

    def test_the_currency_is_locked_after_opening(self):
        with pytest.raises(Refused, match="currency"):
            change_settings(make_study().pk, currency="EUR", user=SYSTEM)


@pytest.mark.django_db
def test_simulated_annotators_earn_nothing_and_use_up_no_budget():
    study = make_study(budget_cap="1.00")
    simulate(study, user=SYSTEM, annotators=2)
    assert study.assignments.filter(state="done").count() == study.hits.count()
    assert (pay_rows(study), spend_of(study).committed) == ([], 0)
    examples = make_study()
    simulate(examples, user=SYSTEM, annotators=2, as_people=True)
    assert sum(row.owed for row in pay_rows(examples)) == examples.hits.count() * Decimal("0.50")
