"""Tests of figures in the number formats of papers."""

from decimal import Decimal

import pytest
from django.utils import translation

from accord_core.numerics.printed import amount
from annotate.templatetags.figures import bracket, coefficient, count, mean, money, p_value, percent, seconds, size


@pytest.mark.parametrize(
    ("value", "text"), [(0.8312, ".831"), (1, "1.000"), (-0.25, "−.250"), (0, ".000"), (-0.0001, ".000"), (None, "–")]
)
def test_coefficients_have_no_leading_zero(value: float | None, text: str) -> None:
    assert coefficient(value) == text


def test_two_figures_bracket_a_third() -> None:
    assert bracket(0.786, 0.831) == ".786–.831"
    assert bracket(0.83101, 0.83099) == ".831"
    assert bracket(None, 0.5) == ".500"
    assert bracket(None, None) == "–"


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [
        ("1207.5", "USD", "$1,207.50"),
        ("0.0125", "USD", "$0.0125"),
        ("12.3000", "EUR", "€12.30"),
        ("900", "JPY", "¥900"),
        ("100", "CHF", "CHF\N{NO-BREAK SPACE}100.00"),
        ("0", "USD", "$0.00"),
    ],
)
def test_money_is_in_cents_unless_it_is_finer(amount: str, currency: str, text: str) -> None:
    assert money(Decimal(amount), currency) == text


AMOUNTS = (("1207.5", "EUR"), ("0.0125", "CHF"), ("900", "JPY"))


@pytest.mark.parametrize(
    ("language", "amounts"),
    [
        ("de", ["1.207,50_€", "0,0125_CHF", "900_¥"]),
        ("es", ["1.207,50_€", "0,0125_CHF", "900_¥"]),
        ("ar", ["<1,207.50_€", "<0.0125_CHF", "<900_¥"]),
    ],
)
def test_money_follows_the_language_of_the_page(language: str, amounts: list[str]) -> None:
    with translation.override(language):
        shown = [money(Decimal(text), currency) for text, currency in AMOUNTS]
    marks = str.maketrans({"\N{NO-BREAK SPACE}": "_", "\N{RIGHT-TO-LEFT MARK}": "<"})
    assert [text.translate(marks) for text in shown] == amounts


def test_files_have_amounts_without_separators() -> None:
    assert [amount(Decimal(text), "USD") for text in ("1207.5", "0.0125", "0.5000")] == ["1207.50", "0.0125", "0.50"]


def test_the_rest() -> None:
    assert (percent(0.8839, 1), count(8710), seconds(23.6)) == ("88.4%", "8,710", "24 s")
    assert (p_value(0.0421), p_value(0.00001)) == ("p = .042", "p < .001")
    assert (size(84_100), size(1_940_000), size(12)) == ("84 kB", "1.9 MB", "12 B")
    assert (size(536_870_912), size(16 << 20)) == ("512 MiB", "16 MiB")
    assert [mean(value) for value in (0, 0.004, 0.12, 3.0, None)] == ["0", "fewer than 0.1", "0.1", "3", "–"]


def test_a_key_that_a_template_does_not_find_is_a_dash() -> None:
    assert [figure("") for figure in (coefficient, percent, count, seconds, p_value, size)] == ["–"] * 6
