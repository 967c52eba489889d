"""Types of command-line options."""

import math
from typing import Any

import click


class NumberRange(click.FloatRange):
    """A finite number within a range. Click also accepts `nan` and, in open ranges, `inf`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number
