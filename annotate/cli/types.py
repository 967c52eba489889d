"""Types of command-line options."""

from typing import Any

import click

from accord_core.exchange.numbers import is_plain_number, is_whole_number


class NumberRange(click.FloatRange):
    """A number within a range, in the notation of `accord_core.exchange.numbers`. Click also accepts `1_0`, `nan` and,
    in open ranges, `inf`.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, str) and not is_plain_number(value):
            self.fail(f"{value} is not a number.", param, ctx)
        number: float = super().convert(value, param, ctx)
        if abs(number) == float("inf"):
            self.fail(f"{value} is too large.", param, ctx)
        return number


class WholeRange(click.IntRange):
    """A whole number within a range, in the notation of `accord_core.exchange.numbers`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, str) and not is_whole_number(value):
            self.fail(f"{value} is not a whole number.", param, ctx)
        number: int = super().convert(value, param, ctx)
        return number
