"""Forms on the *Pay* page: a payment to several annotators, and amounts with a reason."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms

from annotate.exchange.numbers import read_decimal
from annotate.pay.services import Due
from annotate.server.refusals import Refused
from annotate.web.forms import ConsoleForm


class PaymentForm(ConsoleForm):
    reference = forms.CharField(
        max_length=200,
        label="Payment reference",
        help_text="Annotators see this reference, such as the number of a bank transfer.",
    )
    paid_on = forms.DateField(label="Payment date", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))


class AmountForm(ConsoleForm):
    """The form for an amount with a reason. The service checks whether the amount can be paid in the study's
    currency.
    """

    amount = forms.DecimalField(
        max_digits=12,
        decimal_places=4,
        error_messages={"required": "Enter an amount, such as 1.50.", "invalid": "Enter an amount, such as 1.50."},
    )
    reason = forms.CharField(
        max_length=500, error_messages={"required": "Enter a reason. The history shows this reason with your name."}
    )

    def refuse_errors(self) -> None:
        """Raise `Refused` (`invalid`) with the form's errors."""
        if not self.is_valid():
            errors = {name: [str(error) for error in of_field] for name, of_field in self.errors.items()}
            message = " ".join(each for of_field in errors.values() for each in of_field)
            raise Refused("invalid", message, status=400, fields=errors)


class BonusForm(AmountForm):
    """The form for a bonus. It contains the sum of the annotator's bonuses on the page, so that a form sent twice gives
    only one bonus.
    """

    seen = forms.DecimalField(
        error_messages=dict.fromkeys(("required", "invalid"), "Reload the page, then give the bonus again.")
    )


def written(due: Due) -> str:
    """Return an annotator's share of a payment as a checkbox value, such as `quiet-heron 3.00 13.00`."""
    return f"{due.pseudonym} {due.amount} {due.paid}"


def read_dues(values: Iterable[str]) -> list[Due]:
    """Return the shares of a payment that the checkbox values represent. Raises `Refused` (`invalid`)."""
    dues = []
    for value in values:
        try:
            pseudonym, amount, paid = value.replace("\x00", "").rsplit(" ", 2)
            dues.append(Due(pseudonym, read_decimal(amount), read_decimal(paid)))
        except ValueError as error:
            message = "The selection of annotators is invalid. Reload the page, then select the annotators again."
            raise Refused("invalid", message, status=400) from error
    return dues
