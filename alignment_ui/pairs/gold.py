"""The rule that determines which sentence pairs can be gold questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotate.tasktypes import ItemDraft


def reason_against_gold(key: str, source: Sequence[str], target: Sequence[str], items: Mapping[str, ItemDraft]) -> str:
    """Return the reason why a pair cannot be a gold question in a study with these items, or an empty string."""
    if f"known-{key}" in items:
        return f"a pair of the study has the ID known-{key}. Give this pair another ID"
    item = items.get(key)
    if item is None:
        return ""
    if not item.held_out:
        return (
            f"annotators align pair {key} in the study. Hold it out with `yes` in the column `gold_only`, or choose "
            "another pair"
        )
    if (list(source), list(target)) != (list(item.content["source"]), list(item.content["target"])):
        return f"the words of pair {key} differ from the study's pair with this ID"
    return ""
