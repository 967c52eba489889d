"""The part of a report with figures by group of annotators, calculated from whole batches
(`accord_core/numerics/batches.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from accord_core.exchange.arrays import Columns, read_json_array
from accord_core.numerics.batches import published_agreement
from accord_core.numerics.labels import Labels

Json = Any
BATCHES = "batches"  # the column with the groups and their batches, in the input of reports


@dataclass(frozen=True, eq=False)
class LabelSet:
    """Labels for which the report contains the agreement by group, such as a field of a form. The annotators are
    numbered as in the column `names`. `values` contains the numbers of numeric labels.
    """

    name: str
    labels: Labels
    values: Sequence[float] | None = None


def figures_by_group(sets: Sequence[LabelSet], columns: Columns, seed: int) -> dict[str, Json] | None:
    """Return the agreement by group, or None if no group has a whole batch.

    `groups` contains the name and the population of each group with a batch, and `batches` the public IDs of their
    batches. `sets` contains the figures of each group in the same order, and the `overall` figures if all groups have a
    population.
    """
    groups = [group for group in read_json_array(columns[BATCHES]) if group["batches"]]
    if not groups:
        return None
    names = {name: at for at, name in enumerate(read_json_array(columns["names"]))}
    batches = [batch for group in groups for batch in group["batches"]]
    group_of, batch_of = [-1] * len(names), [-1] * len(names)
    for at, group in enumerate(groups):
        for batch, members in group["batches"].items():
            for name in members:
                group_of[names[name]], batch_of[names[name]] = at, batches.index(batch)
    populations = [group["population"] for group in groups]
    is_weighted = len(groups) > 1 and None not in populations
    weights = populations if is_weighted else [1.0] * len(groups)
    return {
        "groups": [{"name": group["name"], "population": group["population"]} for group in groups],
        "batches": batches,
        "sets": [_figures(each, group_of, batch_of, weights, is_weighted, seed) for each in sets],
    }


def _figures(
    labelled: LabelSet,
    group: Sequence[int],
    batch: Sequence[int],
    weights: Sequence[float],
    is_weighted: bool,
    seed: int,
) -> dict[str, Json]:
    found = published_agreement(
        labelled.labels,
        group,
        batch,
        weights,
        level="nominal" if labelled.values is None else "interval",
        values=labelled.values,
        seed=seed,
    )
    overall = {name: each.as_figure() for name, each in found.overall.items()}
    return {
        "name": labelled.name,
        "groups": [
            {"annotators": number, **{name: each.as_figure() for name, each in within.items()}}
            for number, within in zip(found.annotators, found.within, strict=True)
        ],
        **({"overall": overall} if is_weighted else {}),
    }
