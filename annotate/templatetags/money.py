"""The template filter `{{ amount|money:currency }}`, which formats 0.5000 as “0.50 USD”, or as “0,50 USD” on German
pages.

Fractions of a cent are shown if there are any.
"""

from __future__ import annotations

from decimal import Decimal

from django import template
from django.utils.formats import number_format

register = template.Library()


@register.filter
def money(amount: Decimal, currency: str) -> str:
    digits = max(2, -int(amount.normalize().as_tuple().exponent)) if amount else 2
    return f"{number_format(amount, digits, force_grouping=True)} {currency}"
