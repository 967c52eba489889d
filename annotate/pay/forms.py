"""The form for a payment to several annotators, and the values that the dialogs of the *Pay* page send."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from django import forms

from accord_core.exchange.numbers import read_decimal
from annotate.pay.services import LONGEST_REFERENCE, Due
from annotate.server.refusals import Refused
from annotate.web.forms import ConsoleForm


class PaymentForm(ConsoleForm):
    reference = forms.CharField(
        max_length=LONGEST_REFERENCE,
        label="Payment reference",
        help_text="Annotators see it.",
    )
    paid_on = forms.DateField(label="Payment date", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))


def read_amount(text: str, advice: str = "Enter an amount, such as 1.50.") -> Decimal:
    """Return an amount from a dialog. Raises `Refused` (`invalid`) with the advice if the text is not a number."""
    try:
        return read_decimal(text)
    except ValueError as error:
        raise Refused("invalid", advice, status=400) from error


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
