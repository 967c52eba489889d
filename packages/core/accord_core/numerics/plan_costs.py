"""The cost, working hours and duration in days of a planned study."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

MOST_HITS = 10**9  # far more than any study has, so that products with numbers of HITs are exact as floats


@dataclass(frozen=True)
class Terms:
    """The terms of work in a planned study.

    `price` is the payment for a HIT of `per_hit` questions, and `fee` is the platform's share of the payment. A share
    `gold` of the questions in each HIT are gold questions. Annotators need `seconds` for a question and work
    `hours_per_day`. The quality rule stops the share `caught` of the careless annotators. Raises ValueError for
    impossible terms.
    """

    price: Decimal = Decimal(0)
    per_hit: int = 1
    fee: float = 0.0
    gold: float = 0.0
    seconds: float = 20.0
    hours_per_day: float = 2.0
    annotators: int = 20
    caught: float = 0.0

    def __post_init__(self) -> None:
        if self.price < 0 or self.fee < 0:
            raise ValueError("The price and the fee must not be negative.")
        if not 0 <= self.gold < 1:
            raise ValueError(f"The share of gold questions must be at least 0 and less than 1, not {self.gold:g}.")
        if not 0 <= self.caught <= 1:
            raise ValueError(f"The share of stopped careless annotators must be from 0 to 1, not {self.caught:g}.")
        if min(self.per_hit, self.seconds, self.hours_per_day, self.annotators) <= 0:
            raise ValueError("Questions per HIT, seconds, hours per day and annotators must be greater than 0.")


@dataclass(frozen=True)
class Costs:
    """The costs of a study with `answers` answers to regular questions.

    `cost` includes the fee and the payment for `gold_answers`. `days` is the number of days that the annotators need,
    rounded up.
    """

    answers: int
    gold_answers: int
    hits: int
    cost: Decimal
    hours: float
    days: int


def costs_of(answers: int, terms: Terms) -> Costs:
    """Return the costs of a number of answers to regular questions. The last HIT can have fewer questions, but it is
    paid in full.
    """
    gold_answers = math.ceil(answers * terms.gold / (1 - terms.gold) - 1e-9)
    hits = math.ceil((answers + gold_answers) / terms.per_hit)
    hours = (answers + gold_answers) * terms.seconds / 3600
    days = math.ceil(hours / (terms.annotators * terms.hours_per_day) - 1e-9)
    cost = hits * terms.price * (1 + Decimal(str(terms.fee)))
    return Costs(answers, gold_answers, hits, cost, hours, max(days, min(1, answers)))


def answers_for(budget: Decimal, terms: Terms) -> int | None:
    """Return the largest number of answers to regular questions whose cost is within the budget, or None if answers
    are free. The number covers at most `MOST_HITS` HITs.
    """
    if not terms.price:
        return None
    hits = min(MOST_HITS, int(budget / (terms.price * (1 + Decimal(str(terms.fee))))))
    answers = int(hits * terms.per_hit * (1 - terms.gold) + 1e-9)
    while answers and costs_of(answers, terms).cost > budget:
        answers -= 1
    return answers


def annotators_for(answers: int, days: float, terms: Terms) -> int:
    """Return the number of annotators who can give the answers within this number of days."""
    return max(1, math.ceil(costs_of(answers, terms).hours / (days * terms.hours_per_day) - 1e-9))


def counted_careless(careless: float, caught: float) -> float:
    """Return the share of careless annotators among the annotators whose answers count. The quality rule has stopped
    the share `caught` of the careless annotators, and other annotators have replaced them.

    Each replacement is careless with the same probability and can be stopped too.
    """
    stopped = careless * caught
    return (careless - stopped) / (1 - stopped) if stopped < 1 else 0.0
