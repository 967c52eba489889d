"""Tests that numbers with underscores or with the digits of other scripts are refused."""

import pytest
from django import forms
from rest_framework.serializers import ValidationError

from annotate.api.pay_shapes import AmountField
from annotate.forms.looks import ConsoleForm
from annotate.forms.pay import AmountForm

UNUSUAL = ["１２", "1_0", "١٢"]


class Numbers(ConsoleForm):
    whole = forms.IntegerField()
    decimal = forms.DecimalField()
    fraction = forms.FloatField()


@pytest.mark.parametrize("text", UNUSUAL)
def test_every_number_in_a_form_is_plain(text):
    assert set(Numbers(dict.fromkeys(("whole", "decimal", "fraction"), text)).errors) == {
        "whole",
        "decimal",
        "fraction",
    }
    assert set(AmountForm({"amount": text, "reason": "why"}).errors) == {"amount"}
    assert not Numbers({"whole": "12", "decimal": "-1.50", "fraction": "1e-3"}).errors


@pytest.mark.parametrize("text", UNUSUAL)
def test_every_amount_in_the_api_is_plain(text):
    with pytest.raises(ValidationError):
        AmountField().run_validation(text)
    assert str(AmountField().run_validation("1.50")) == "1.5000"
