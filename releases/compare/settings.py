"""The settings in which runs of a study differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from releases.compare.runs import Run

Json = Any
# Facts that describe a run itself, or its answers, instead of a setting that a repeat should keep.
OWN = frozenset(
    {"public_id", "title", "state", "seed", "repeats_questions", "simulated_annotators", "survey", "earlier_guidelines"}
)


def differences(runs: Sequence[Run]) -> list[dict[str, Json]]:
    """Return the settings that are not equal in all runs, with the value of each run. A run without the setting has
    None.
    """
    flat = [_flat(run.data.facts) for run in runs]
    names = dict.fromkeys(name for settings in flat for name in settings)
    rows = [{"setting": name, "values": [settings.get(name) for settings in flat]} for name in names]
    return [row for row in rows if any(value != row["values"][0] for value in row["values"])]


def _flat(facts: Mapping[str, Json]) -> dict[str, Json]:
    options = {f"options.{name}": value for name, value in facts["options"].items()}
    return {name: value for name, value in facts.items() if name not in OWN and name != "options"} | options
