"""Answers: what browsers send, what Accord stores, and how two answers compare.

A rating is `{"ratings": [[one number per scale] per item]}`, and an order is `{"ranks": [a rank per item]}` in which
tied items share a rank and no rank is missing, such as 1, 2, 2, 3. Browsers send items in screen order. Accord stores
them in the order of the payload. Expected answers can contain None, which expects nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from accord_rating.options import RANKING, scales_of
from annotate.tasktypes import Grade, InvalidAnswer

Options = Mapping[str, Any]
CLEAR = 0.15  # simulated annotators: the standard deviation of a judgement, as a share of the scale


def count_of(payload: Any) -> int:
    """Return the number of items in a question."""
    return len(payload["texts"] if "texts" in payload else payload["items"])


def to_screen(values: Sequence[Any], shown: Sequence[int]) -> list[Any]:
    """Return values in the order of the payload in screen order. An empty `shown` means the order of the payload."""
    return [values[place] for place in shown] if shown else list(values)


def from_screen(values: Sequence[Any], shown: Sequence[int]) -> list[Any]:
    """Return values in screen order in the order of the payload."""
    return [values[shown.index(place)] for place in range(len(values))] if shown else list(values)


def clean_answer(payload: Any, shown: Sequence[int], raw: Any, options: Options) -> dict[str, Any]:
    """Return the stored form of an answer from a browser. Raises `InvalidAnswer`."""
    name = "ranks" if options["mode"] == RANKING else "ratings"
    values = raw.get(name) if isinstance(raw, Mapping) else None
    if not isinstance(values, list) or len(values) != count_of(payload):
        raise InvalidAnswer(name, f"`{name}` must be a list with one entry for each of {count_of(payload)} items.")
    if name == "ranks":
        return {name: from_screen(_clean_ranks(values, options), shown)}
    return {name: from_screen([_clean_ratings(each, options) for each in values], shown)}


def _clean_ranks(ranks: list[Any], options: Options) -> list[int]:
    if any(rank is None for rank in ranks):
        raise InvalidAnswer("ranks", _("Rank every text."))
    if not all(isinstance(rank, int) and not isinstance(rank, bool) for rank in ranks):
        raise InvalidAnswer("ranks", "Each rank must be a whole number.")
    if sorted(set(ranks)) != list(range(1, len(set(ranks)) + 1)):
        raise InvalidAnswer("ranks", "The ranks must be 1, 2, 3 and so on, without a gap.")
    if not options["ties"] and len(set(ranks)) < len(ranks):
        raise InvalidAnswer("ranks", _("Give each text its own rank."))
    return ranks


def _clean_ratings(ratings: Any, options: Options) -> list[int]:
    scales = scales_of(options)
    if not isinstance(ratings, list) or len(ratings) != len(scales):
        raise InvalidAnswer("ratings", f"Each item needs {len(scales)} ratings, one per scale.")
    for scale, rating in zip(scales, ratings, strict=True):
        if rating is None:
            raise InvalidAnswer("ratings", _("Move every slider to a position."))
        whole = isinstance(rating, int) and not isinstance(rating, bool)
        if not whole or not scale.low <= rating <= scale.high:
            raise InvalidAnswer(
                "ratings", f"{scale.name}: {rating!r} is no whole number from {scale.low} to {scale.high}."
            )
    return ratings


def reveal_answer(shown: Sequence[int], value: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored value or an expected answer in screen order."""
    return {name: to_screen(values, shown) for name, values in value.items()}


def grade(gold: Mapping[str, Any], value: Mapping[str, Any], options: Options) -> Grade:
    """Compare a value with the expected one.

    The tally `parts` counts the expected ratings, or the pairs of items with different expected ranks. `near` counts
    those within the tolerance, or in the expected order. The answer passes if all parts are.
    """
    if "ranks" in gold:
        pairs = _expected_pairs(gold["ranks"])
        right = [_order(value["ranks"], i, j) == _order(gold["ranks"], i, j) for i, j in pairs]
    else:
        right = [
            abs(value["ratings"][item][place] - expected) <= options["tolerance"] / 100 * (scale.high - scale.low)
            for item, row in enumerate(gold["ratings"])
            for place, (scale, expected) in enumerate(zip(scales_of(options), row, strict=True))
            if expected is not None
        ]
    return Grade.of(all(right), near=sum(right), parts=len(right))


def missed(gold: Mapping[str, Any]) -> Grade:
    """Return the grade of an unanswered question, with the same tallies."""
    if "ranks" in gold:
        return Grade.of(passed=False, near=0, parts=len(_expected_pairs(gold["ranks"])))
    return Grade.of(passed=False, near=0, parts=sum(cell is not None for row in gold["ratings"] for cell in row))


def _expected_pairs(ranks: Sequence[int | None]) -> list[tuple[int, int]]:
    """Return the pairs of items that have different expected ranks."""
    known = [place for place, rank in enumerate(ranks) if rank is not None]
    return [(i, j) for i, j in combinations(known, 2) if ranks[i] != ranks[j]]


def _order(ranks: Sequence[float], i: int, j: int) -> int:
    return int(np.sign(ranks[i] - ranks[j]))


def alike(one: Mapping[str, Any], other: Mapping[str, Any], options: Options) -> float:
    """Return 1 minus the mean difference of ratings as a share of the scale, or the share of pairs of items in the same
    order. A tie in one order only counts as half.
    """
    if "ranks" in one:
        pairs = list(combinations(range(len(one["ranks"])), 2))
        apart = [abs(_order(one["ranks"], i, j) - _order(other["ranks"], i, j)) / 2 for i, j in pairs]
    else:
        widths = [scale.high - scale.low for scale in scales_of(options)]
        apart = [
            abs(a - b) / width
            for mine, theirs in zip(one["ratings"], other["ratings"], strict=True)
            for a, b, width in zip(mine, theirs, widths, strict=True)
        ]
    return 1 - sum(apart) / len(apart) if apart else 1.0


def in_words(value: Mapping[str, Any], options: Options) -> str:
    """Describe an answer, with items in the order of the payload, such as “text 1: Quality 70; text 2: Quality 20”."""
    if "ranks" in value:
        parts = ["–" if rank is None else f"rank {rank}" for rank in value["ranks"]]
    else:
        names = [scale.name for scale in scales_of(options)]
        parts = [
            ", ".join(f"{name} {'–' if cell is None else f'{cell:g}'}" for name, cell in zip(names, row, strict=True))
            for row in value["ratings"]
        ]
    return "; ".join(f"text {number}: {part}" for number, part in enumerate(parts, start=1))


def simulate_answer(
    payload: Any,
    shown: Sequence[int],
    truth: Mapping[str, Any],
    options: Options,
    careless: bool,
    generator: np.random.Generator,
) -> dict[str, Any]:
    """Return a simulated answer in screen order: the true values with noise, or random positions."""
    qualities = _qualities(payload, truth, options)
    noise = generator.normal(0, CLEAR, len(qualities))
    judged = generator.random(len(qualities)) if careless else np.clip(qualities + noise, 0, 1)
    if options["mode"] == RANKING:
        levels = np.round(-judged, 1 if options["ties"] else 15)
        ranks = np.unique(levels, return_inverse=True)[1] + 1
        if not options["ties"]:
            ranks = np.argsort(np.argsort(-judged, kind="stable"), kind="stable") + 1
        return {"ranks": to_screen(ranks.tolist(), shown)}
    ratings = [
        [round(scale.low + (scale.high - scale.low) * float(share)) for scale in scales_of(options)] for share in judged
    ]
    return {"ratings": to_screen(ratings, shown)}


def _qualities(payload: Any, truth: Mapping[str, Any], options: Options) -> np.ndarray:
    """Return the true quality of each item in [0, 1]. Gold questions from a file take it from the expected answer."""
    if "items" in payload:
        return np.array([float(truth.get(key, 0.5)) for key in payload["items"]])
    expected = truth.get("")
    if not expected:
        return np.full(count_of(payload), 0.5)
    if "ranks" in expected:
        most = max(rank for rank in expected["ranks"] if rank is not None)
        return np.array([0.5 if rank is None else 1 - (rank - 1) / max(1, most - 1) for rank in expected["ranks"]])
    scales = scales_of(options)
    shares = [
        [
            (cell - scale.low) / (scale.high - scale.low)
            for scale, cell in zip(scales, row, strict=True)
            if cell is not None
        ]
        for row in expected["ratings"]
    ]
    return np.array([sum(row) / len(row) if row else 0.5 for row in shares])
