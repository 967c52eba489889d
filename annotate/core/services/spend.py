"""The budget cap of a study. Claims and bonuses are rejected when the cap is reached, but work that arrives late is
still paid.

In a study with a cap, claims and bonuses lock the study's row before they read the sums. Concurrent claims and bonuses
therefore never exceed the cap together. Studies without a cap need no lock.
"""

from __future__ import annotations

from decimal import Decimal

from accord_core.numerics.printed import money
from annotate.core.selectors.spend import Spend, spend_of
from annotate.models import Study
from annotate.server.refusals import Refused


def fits_budget(study: Study, amount: Decimal) -> bool:
    """Return whether the study can spend this amount without exceeding its budget cap. If the study has a cap, lock the
    study until the transaction ends.

    A claim locks the study before its slot. The claim skips slots that other transactions have locked, so two
    transactions never wait for each other.
    """
    if study.budget_cap is None:
        return True
    left = _locked_spend(study.pk).left
    return left is None or amount <= left


def refuse_above_cap(study_id: int, amount: Decimal) -> None:
    """Lock the study, and raise `Refused` (`budget`) if this amount would exceed its budget cap."""
    spend = _locked_spend(study_id)
    if spend.left is not None and amount > spend.left:
        currency = Study.objects.values_list("currency", flat=True).get(pk=study_id)
        left = money(max(spend.left, Decimal(0)), currency)
        raise Refused(
            "budget",
            f"The bonus of {money(amount, currency)} exceeds the budget cap: {left} of {money(spend.cap, currency)} is "
            "left. Give a smaller bonus, or raise the budget cap on the Settings page.",
            fields={"amount": ["exceeds the budget cap"]},
        )


def _locked_spend(study_id: int) -> Spend:
    return spend_of(Study.objects.select_for_update(no_key=True).only("pk").get(pk=study_id))
