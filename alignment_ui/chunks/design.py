"""The design of a chunk-alignment study: all sentence pairs in random order, with each dataset distributed evenly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from annotate.numerics.draws import draw
from annotate.tasktypes import CannotBuild, Check, Design, DesignReport, ItemDraft, QuestionDraft

STARTS = {"words": "words only", "chunks": "chunks", "links": "chunks and links"}


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
    return Design([QuestionDraft(item.key, payload_of(item)) for item in ordered], _report(datasets, options))


def payload_of(item: ItemDraft) -> dict[str, Any]:
    """Return a question payload. The payload repeats the words and the initial annotation of the item, which are needed
    to check answers.
    """
    content = item.content
    start = {name: content.get(name) for name in ("chunks", "links", "left")}
    return {"item": item.key, "source": content["source"], "target": content["target"], **start}


def dataset_of(item: ItemDraft, options: Mapping[str, Any]) -> str:
    return item.metadata.get(options["dataset"], "")


def _report(datasets: Mapping[str, Sequence[ItemDraft]], options: Mapping[str, Any]) -> DesignReport:
    items = [item for members in datasets.values() for item in members]
    lengths = [len(item.content[side]) for item in items for side in ("source", "target")]
    begun = Counter(_start(item) for item in items)
    repeated = len(items) - len({(tuple(i.content["source"]), tuple(i.content["target"])) for i in items})
    several = "many to many (2016): a chunk can have several links, and a chunk without a link is NOALI"
    single = "one to one (2015): annotators mark each unlinked chunk as NOALI or ALIC"
    checks = [
        Check("Pairs", f"{len(items):,}", _listed({name or "without a name": len(m) for name, m in datasets.items()})),
        Check("Links", "2016" if options["many"] else "2015", several if options["many"] else single),
        Check.of("Initial annotation", STARTS[options["begin"]], _listed(begun), len(begun) == 1),
        Check("Sentence length in tokens", f"{min(lengths)}–{max(lengths)}", f"median {median(lengths):g}"),
        Check.of("Repeated sentence pairs", f"{repeated:,}", "pairs with the same words as another pair", not repeated),
    ]
    return DesignReport(checks)


def _start(item: ItemDraft) -> str:
    """Return the initial annotation of an item. Unlinked chunks count as links, because some sentence pairs have no
    matching chunks.
    """
    linked = item.content.get("links") or item.content.get("left")
    return STARTS["links" if linked else "chunks" if item.content.get("chunks") else "words"]


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())
