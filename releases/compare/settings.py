"""The settings in which runs of a study differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from releases.compare.runs import Run

Json = Any
# Facts that describe a run, its people or its answers, instead of a setting that a repeat should keep.
OWN = frozenset(
    {
        *("public_id", "title", "state", "seed", "repeats_questions", "simulated_annotators", "survey"),
        *("earlier_guidelines", "protocol_number", "people", "training", "pay", "quality_rule", "members_annotated"),
        *("sealed_gold", "preregistrations"),
    }
)


def differences(runs: Sequence[Run]) -> list[dict[str, Json]]:
    """Return the settings that are not equal in all runs, with the value of each run. Settings that some of the
    releases do not contain are excluded.
    """
    flat = [_flat(run.data.facts) for run in runs]
    names = [name for name in flat[0] if all(name in settings for settings in flat)]
    rows = [{"setting": name, "values": [settings[name] for settings in flat]} for name in names]
    return [row for row in rows if any(value != row["values"][0] for value in row["values"])]


def _flat(facts: Mapping[str, Json]) -> dict[str, Json]:
    options = {f"options.{name}": value for name, value in facts["options"].items()}
    return {name: value for name, value in facts.items() if name not in OWN and name != "options"} | options
