"""The figures that STR-2021 (§6, Tables 5 and 6) reports for a system: Spearman's correlation over all items, averaged
over test folds, and for each source.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from accord_core.evaluation.numerics.correlation import (
    Floats,
    Ints,
    checked,
    spearman,
    spearman_estimator,
    why_undefined,
)
from accord_core.evaluation.numerics.folds import hash_order, test_folds
from accord_core.numerics.bootstrap import Coefficient
from accord_core.numerics.draws import generator

BLOCK = 500_000


def relatedness_scores(
    keys: Sequence[str],
    scores: ArrayLike,
    predictions: ArrayLike,
    groups: Sequence[str] | None = None,
    *,
    folds: int = 5,
    seed: int = 1,
    resamples: int = 1000,
) -> dict[str, Any]:
    """Return a system's figures as a JSON object with the keys `items`, `spearman`, `folds` and, if there are groups,
    `groups` and `mean_of_groups`.

    `keys` contains the IDs of the n items, `scores` and `predictions` have the shape (n,), and `groups` contains a name
    for each item. `spearman` is the correlation over all items. `folds` is the mean over the test folds, which
    `test_folds` assigns, with the `items` and the value of `each` fold (Table 5). Each group has its correlation over
    all of its items, and in its own `folds` the mean over the group's items in each test fold (Table 6, CV).
    `mean_of_groups` is the mean of the groups' correlations. If the predictions of each group come from a model that
    was trained without this group, the groups' correlations are those of Table 6 (LOOut).

    Every figure has `value`, `low` and `high` (95%, from items resampled within their fold or group), and a `reason` if
    the figure is undefined. No figure depends on the order of the items. Raises ValueError for lists of different
    lengths, repeated keys, values that are not finite, and fewer than two folds.
    """
    x, y = checked(scores, predictions)
    for name, values in (("keys", keys), ("groups", keys if groups is None else groups)):
        if len(values) != len(x):
            raise ValueError(f"The number of {name} ({len(values)}) must equal the number of items ({len(x)}).")
    # Resamples draw positions, so the items are first sorted in a way that does not depend on the row order.
    order = hash_order(keys, seed)
    fold = test_folds(keys, folds, seed)[order]
    x, y = x[order], y[order]
    parts = {f"test fold {number + 1}": np.flatnonzero(fold == number) for number in range(folds)}
    figures: dict[str, Any] = {
        "items": len(x),
        "spearman": spearman(x, y, resamples=resamples, seed=seed).as_figure(),
        "folds": {
            "folds": folds,
            "seed": seed,
            "items": [len(part) for part in parts.values()],
            **_mean(x, y, parts, seed, resamples),
        },
    }
    if groups is not None:
        names = np.asarray(groups, dtype=object)[order]
        members = {name: np.flatnonzero(names == name) for name in dict.fromkeys(groups)}
        figures["groups"] = {
            name: {
                "items": len(here),
                **spearman(x[here], y[here], resamples=resamples, seed=seed).as_figure(),
                "folds": _mean(
                    x, y, {title: np.intersect1d(part, here) for title, part in parts.items()}, seed, resamples, name
                ),
            }
            for name, here in members.items()
        }
        titles = {f"the group {name or '(empty)'}": here for name, here in members.items()}
        mean = _mean(x, y, titles, seed, resamples)
        figures["mean_of_groups"] = {key: value for key, value in mean.items() if key != "each"}
    return figures


def _mean(
    x: Floats, y: Floats, parts: dict[str, Ints], seed: int, resamples: int, name: str | None = None
) -> dict[str, Any]:
    """Return the mean of the parts' correlations. `parts` maps each part's name to the positions of its items."""
    for title, part in parts.items():
        if reason := why_undefined(x[part], y[part]):
            return {**Coefficient(None, reason=f"in {title}, {reason}").as_figure(), "each": None}
    each = [spearman(x[part], y[part]).value for part in parts.values()]
    mean = Coefficient(float(np.mean(np.array(each, dtype=float))))
    if resamples:
        # Items are resampled within their parts. The parts themselves do not change.
        names = [(title,) if name is None else (title, name) for title in parts]
        resampled = [
            _resampled(x[part], y[part], resamples, generator(seed, "resample", *of_part))
            for of_part, part in zip(names, parts.values(), strict=True)
        ]
        means = np.mean(resampled, axis=0)
        defined = means[~np.isnan(means)]
        if len(defined):
            low, high = np.percentile(defined, [2.5, 97.5])
            mean = Coefficient(mean.value, float(low), float(high), undefined_resamples=resamples - len(defined))
    return {**mean.as_figure(), "each": each}


def _resampled(x: Floats, y: Floats, resamples: int, draws: np.random.Generator) -> Floats:
    estimate = spearman_estimator(x, y)
    size = max(1, BLOCK // len(x))
    blocks = []
    for start in range(0, resamples, size):
        weights = [
            np.bincount(draws.integers(len(x), size=len(x)), minlength=len(x))
            for _ in range(min(size, resamples - start))
        ]
        blocks.append(estimate(np.stack(weights).astype(np.float64))[0])
    return np.concatenate(blocks)
