"""Payments and bonuses. Triggers make both tables append-only, so every correction is an additional entry.

Rewards are not in these tables, because each credited assignment stores its own reward.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from .annotator import Participation
from .ids import public_id
from .study import Study
from .times import DatabaseTimeField


class Payment(models.Model):
    """A payment that researchers made outside Accord, with its reference and date. The payment's entries contain the
    amounts.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="payments")
    number = models.PositiveIntegerField()
    reference = models.CharField(max_length=200, help_text="Annotators see this reference next to the payment.")
    paid_on = models.DateField(help_text="The date on which you sent the money.")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    recorded_at = DatabaseTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="payment_number")]

    def __str__(self) -> str:
        return f"payment {self.number}"


class PayEntry(models.Model):
    """One annotator's bonus or share of a payment, or a correction of either."""

    class Kind(models.TextChoices):
        BONUS = "bonus"
        PAYMENT = "payment"

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="pay_entries")
    participation = models.ForeignKey(Participation, on_delete=models.PROTECT, related_name="pay_entries")
    kind = models.CharField(max_length=7, choices=Kind)
    amount = models.DecimalField(
        max_digits=12,
        decimal_places=4,
        help_text="The amount of the bonus or payment. A correction contains the difference, which can be negative.",
    )
    payment = models.ForeignKey(Payment, null=True, on_delete=models.PROTECT, related_name="entries")
    corrects = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="corrections")
    reason = models.CharField(
        max_length=500,
        blank=True,
        help_text="The reason for a bonus or correction. Annotators see the reason for a bonus.",
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    recorded_at = DatabaseTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "pay entries"
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="payment", payment__isnull=False) | Q(kind="bonus", payment__isnull=True),
                name="pay_entry_kind",
            ),
            models.CheckConstraint(
                condition=Q(corrects__isnull=True, amount__gt=0) | (Q(corrects__isnull=False) & ~Q(amount=0)),
                name="pay_entry_amount",
            ),
            models.CheckConstraint(
                condition=~Q(reason="") | Q(kind="payment", corrects__isnull=True), name="pay_entry_has_reason"
            ),
            models.UniqueConstraint(
                fields=["payment", "participation"],
                condition=Q(payment__isnull=False, corrects__isnull=True),
                name="pay_entry_once_per_payment",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.amount}"
