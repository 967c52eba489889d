"""Payments through Prolific at the same time: each amount is in one list, and each file is imported once."""

import pytest

from annotate.core.permissions import SYSTEM
from annotate.models import BonusShare
from annotate.pay.selectors.balances import balances
from annotate.prolific.services.bonuses import cancel_bonus_list, confirm_bonus_list, create_bonus_list
from annotate.prolific.services.imports import import_file
from annotate.server.refusals import Refused
from tests.prolific.test_prolific_submissions import export, make

pytestmark = [pytest.mark.rules, pytest.mark.django_db(transaction=True)]


@pytest.mark.nightly
def test_imports_and_bonus_lists_at_once_double_nothing(at_once):
    shared = make()
    study, ben = shared.study, shared.ben
    data = export(ann="AWAITING REVIEW/C1", ben="RETURNED", cy="RETURNED")

    def attempt(action, *arguments):
        try:
            return action(study.pk, *arguments, user=SYSTEM)
        except Refused as refusal:
            return refusal.code

    at_once([lambda: attempt(import_file, data, "export.csv")] * 6)
    assert study.reported_submissions.count() == 3
    assert study.submission_imports.count() == 1
    lists = at_once([lambda: attempt(create_bonus_list)] * 6)
    assert sorted(str(each) for each in lists) == ["bonus list 1", *["nothing-due"] * 5]
    assert BonusShare.objects.get().amount == 3
    ends = at_once([*[lambda: attempt(confirm_bonus_list, 1)] * 4, *[lambda: attempt(cancel_bonus_list, 1)] * 2])
    assert ends.count("state") == 5
    paid = study.bonus_lists.get().state == "paid"
    assert (study.payments.count(), balances(study)[ben.pk].owed) == ((1, 0) if paid else (0, 3))
