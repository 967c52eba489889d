"""Number formats for papers, such as `.831`, `88.4%`, `8,710` and `p = .042`, and for amounts, such as `$0.50`."""

from __future__ import annotations

from decimal import Decimal
from math import isfinite

from .money import WITHOUT_CENTS

NONE = "–"
_NO_BREAK = "\N{NO-BREAK SPACE}"
_RIGHT_TO_LEFT = "\N{RIGHT-TO-LEFT MARK}"
_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}


def coefficient(value: float | None, places: int = 3) -> str:
    """Return a figure without its leading zero, such as .831, −.250 or 1.000."""
    if value is None or not isfinite(value):
        return NONE
    text = f"{abs(value):.{places}f}"
    sign = "−" if value < 0 and float(text) else ""
    return sign + (text[1:] if text.startswith("0.") else text)


def places_of(value: float, fewest: int = 2) -> int:
    """Return how many decimal places a stated value needs to stay exact, such as three for a target of .999."""
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return max(fewest, -int(exponent))


def percent(value: float | None, places: int = 0) -> str:
    """Return a share as a percentage, such as 88% for .884, or 88.4% with one decimal place."""
    return NONE if value is None else f"{100 * value:.{places}f}%"


FEWEST_FOR_PERCENT = 10


def share_of(part: int, whole: int, share: float | None = None) -> str:
    """Return a share as a percentage or, of fewer than ten, as counts, such as “2 of 3”. `share` replaces part/whole if
    the share is measured differently. Counts would not match that share, so the result is then always a percentage,
    rounded down as in `percent_reached`.
    """
    if not whole:
        return NONE
    if share is not None and abs(share - part / whole) > 1e-9:
        return f"{percent_reached(share)}%"
    if whole < FEWEST_FOR_PERCENT:
        return f"{part} of {whole}"
    return percent(part / whole)


def percent_reached(share: float) -> int:
    """Return a share as a whole percentage, rounded down so that a share just below a pass mark does not seem to reach
    the pass mark.
    """
    return int(share * 100 + 1e-9)


def count(value: int | None) -> str:
    """Return a whole number with thousands separators, such as 8,710."""
    return NONE if value is None else f"{value:,}"


def with_noun(value: int | None, noun: str) -> str:
    """Return a number with its noun, such as “1 HIT” or “12 HITs”. `noun` can contain both forms, such as
    “entry,entries”.
    """
    one, _, many = noun.partition(",")
    return f"{count(value)} {one if value == 1 else many or f'{one}s'}"


def annotators(number: int | None, simulated: int = 0) -> str:
    """Return the number of annotators as text, such as “12 annotators, including 2 simulated annotators”."""
    if number and simulated >= number:
        return with_noun(number, "simulated annotator")
    text = with_noun(number, "annotator")
    return f"{text}, including {annotators(simulated, simulated)}" if simulated else text


def p_value(value: float | None) -> str:
    """Return a formatted p-value, such as p = .042 or p < .001."""
    if value is None:
        return NONE
    return "p < .001" if value < 0.001 else f"p = {coefficient(value)}"


def interval(low: float | None, high: float | None, places: int = 3) -> str:
    """Return a confidence interval such as .786–.831 or −.250 to .831, or only one end if the other is missing."""
    if low is None or high is None:
        return coefficient(high if low is None else low, places)
    first, last = coefficient(low, places), coefficient(high, places)
    between = " to " if "−" in first + last else "–"
    return first if first == last else f"{first}{between}{last}"


def amount(value: Decimal, currency: str) -> str:
    """Return an amount of money as digits in the format used in files, such as 1207.50. Fractions of a cent are shown
    if there are any.
    """
    exponent = value.normalize().as_tuple().exponent
    cents = 0 if currency in WITHOUT_CENTS else 2
    return f"{value:.{max(cents, -exponent if isinstance(exponent, int) else 0)}f}"


def money(value: Decimal | None, currency: str, language: str = "en") -> str:
    """Return an amount of money with its currency, such as $1,207.50 or CHF 100.00 in English, and 1.207,50 $ or 100,00
    CHF in most other languages. Arabic has 1,207.50 $, preceded by a direction mark.

    The space is a no-break space, so the amount and its currency stay on one line.
    """
    if value is None:
        return NONE
    minus = "−" if value < 0 else ""
    whole, point, cents = amount(abs(value), currency).partition(".")
    whole, sign = f"{int(whole):,}", _SIGNS.get(currency)
    if language.startswith("en"):
        return minus + (sign or currency + _NO_BREAK) + whole + point + cents
    if language.startswith("ar"):
        return _RIGHT_TO_LEFT + minus + whole + point + cents + _NO_BREAK + (sign or currency)
    return minus + whole.replace(",", ".") + point.replace(".", ",") + cents + _NO_BREAK + (sign or currency)
