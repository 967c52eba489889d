"""The bodies of the API for pay. The fields of `PayShape` are also the columns of pay.csv."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rest_framework import serializers

from accord_core.exchange.csvtext import write_csv
from annotate.models import Annotator, Participation, Study
from annotate.pay.selectors.balances import PayRow
from annotate.pay.selectors.files import printed
from annotate.pay.services import LONGEST_REASON, LONGEST_REFERENCE

STATES = ("owed", "paid", "overpaid", "nothing")
MONEY: dict[str, Any] = {"max_digits": 20, "decimal_places": 4}


class AmountField(serializers.DecimalField):
    """An amount of money in a request, which the service validates for the study's currency."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_digits=12, decimal_places=4, **kwargs)


class PayShape(serializers.Serializer):
    annotator = serializers.CharField(source="pseudonym")
    platform = serializers.ChoiceField(Annotator.Platform.choices)
    platform_id = serializers.CharField(
        allow_null=True,
        help_text="The value is `null` if your role may not see platform IDs. The value is empty if the annotator has "
        "no platform ID.",
    )
    standing = serializers.ChoiceField(Participation.Standing.choices)
    state = serializers.ChoiceField(STATES)
    hits = serializers.IntegerField(help_text="Number of submitted HITs.")
    credited = serializers.DecimalField(source="balance.credit", **MONEY)
    bonus = serializers.DecimalField(source="balance.bonus", **MONEY)
    paid = serializers.DecimalField(source="balance.paid", **MONEY)
    owed = serializers.DecimalField(
        help_text="The amount that can be paid now. Negative amounts are deducted from later pay.", **MONEY
    )
    currency = serializers.CharField(source="balance.currency")


class StudyPayShape(serializers.Serializer):
    study = serializers.CharField(source="study.public_id")
    title = serializers.CharField(source="study.title")
    state = serializers.ChoiceField(Study.State.choices, source="study.state")
    currency = serializers.CharField(source="study.currency")
    earned = serializers.DecimalField(source="sums.earned", help_text="Credited HITs and bonuses.", **MONEY)
    paid = serializers.DecimalField(source="sums.paid", **MONEY)
    owed = serializers.DecimalField(
        source="sums.owed",
        help_text="If some annotators have been overpaid, the amounts owed to others do not change.",
        **MONEY,
    )
    annotators_owed = serializers.IntegerField(source="sums.annotators_owed")


class SpendShape(serializers.Serializer):
    currency = serializers.CharField()
    credited = serializers.DecimalField(help_text="Rewards for HITs.", **MONEY)
    bonuses = serializers.DecimalField(**MONEY)
    open_hits = serializers.DecimalField(help_text="Rewards for HITs that are currently open.", **MONEY)
    committed = serializers.DecimalField(help_text="The total amount that counts towards the budget cap.", **MONEY)
    budget_cap = serializers.DecimalField(allow_null=True, **MONEY)
    left = serializers.DecimalField(allow_null=True, help_text="The amount left in the budget.", **MONEY)
    paid = serializers.DecimalField(**MONEY)
    median_seconds = serializers.FloatField(allow_null=True, help_text="Median time per submitted HIT.")
    actual_hourly_wage = serializers.DecimalField(
        allow_null=True, help_text="The hourly reward, based on the median time per HIT.", **MONEY
    )
    planned_hourly_wage = serializers.DecimalField(allow_null=True, **MONEY)
    minimum_hourly_wage = serializers.DecimalField(allow_null=True, **MONEY)


class CorrectionRow(serializers.Serializer):
    amount = serializers.DecimalField(help_text="The difference, which can be negative.", **MONEY)
    reason = serializers.CharField()
    recorded_at = serializers.DateTimeField()


class EntryShape(serializers.Serializer):
    id = serializers.CharField(source="entry.public_id", help_text="ID for corrections.")
    annotator = serializers.CharField(source="entry.participation.pseudonym")
    amount = serializers.DecimalField(source="present", help_text="The amount after all corrections.", **MONEY)
    recorded_amount = serializers.DecimalField(source="entry.amount", **MONEY)
    reason = serializers.CharField(source="entry.reason")
    recorded_at = serializers.DateTimeField(source="entry.recorded_at")
    corrections = CorrectionRow(many=True)


class PaymentRow(serializers.Serializer):
    number = serializers.IntegerField()
    reference = serializers.CharField()
    paid_on = serializers.DateField()
    recorded_at = serializers.DateTimeField()
    recorded_by = serializers.CharField(source="user.email", default=None, allow_null=True)
    annotators = serializers.IntegerField()
    amount = serializers.DecimalField(source="total", help_text="The amount after all corrections.", **MONEY)


class PaymentShape(PaymentRow):
    entries = EntryShape(many=True, source="listed")


class DueShape(serializers.Serializer):
    annotator = serializers.CharField(max_length=60)
    amount = AmountField()
    paid = AmountField(
        help_text="The value of `paid` when you read the balance. If another payment has been recorded since then, the "
        "request is rejected, so that no annotator is paid twice."
    )


class PaymentDraft(serializers.Serializer):
    reference = serializers.CharField(max_length=LONGEST_REFERENCE)
    paid_on = serializers.DateField()
    annotators = DueShape(many=True)


class BonusDraft(serializers.Serializer):
    annotator = serializers.CharField(max_length=60)
    amount = AmountField()
    reason = serializers.CharField(max_length=LONGEST_REASON, help_text="The annotator sees this reason.")


class CorrectionDraft(serializers.Serializer):
    amount = AmountField(help_text="The correct amount. Send 0 if the bonus or payment was never made.")
    reason = serializers.CharField(max_length=LONGEST_REASON)


def pay_csv(rows: Iterable[PayRow]) -> Iterator[str]:
    """Yield pay.csv."""
    columns = PayShape().fields
    values = ((row, (field.get_attribute(row) for field in columns.values())) for row in rows)
    return write_csv(([printed(value, row.balance.currency) for value in own] for row, own in values), list(columns))
