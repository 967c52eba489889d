"""The design of a chunk alignment study: all sentence pairs in random order, with each dataset spread evenly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.numerics.draws import draw
from alignment_ui.chunks.design_report import design_report
from annotate.tasktypes import CannotBuild, Design, ItemDraft, QuestionDraft


def build(items: Sequence[ItemDraft], options: Mapping[str, Any], seed: int) -> Design:
    """Return one question per pair. Raises `CannotBuild` if there are no pairs."""
    if not items:
        raise CannotBuild("Import sentence pairs before you build the design.")
    datasets: dict[str, list[ItemDraft]] = defaultdict(list)
    for item in items:
        datasets[dataset_of(item, options)].append(item)
    places: dict[str, float] = {}
    for members in datasets.values():
        shuffled = sorted(members, key=lambda item: draw(seed, "order", item.key))
        for rank, item in enumerate(shuffled):
            places[item.key] = (rank + draw(seed, "place", item.key)) / len(shuffled)
    ordered = sorted(items, key=lambda item: places[item.key])
    return Design([QuestionDraft(item.key, payload_of(item)) for item in ordered], design_report(datasets, options))


def payload_of(item: ItemDraft) -> dict[str, Any]:
    """Return a question payload. The payload repeats the item's words and initial annotation, which are needed to check
    answers.
    """
    content = item.content
    start = {name: content.get(name) for name in ("chunks", "links", "left")}
    return {"item": item.key, "source": content["source"], "target": content["target"], **start}


def dataset_of(item: ItemDraft, options: Mapping[str, Any]) -> str:
    return item.metadata.get(options["dataset"], "")
