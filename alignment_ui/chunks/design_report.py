"""The design report for a chunk alignment study, which describes the pairs, the rules for links, and the initial
annotations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from annotate.tasktypes import Check, DesignReport, ItemDraft

STARTS = {"words": "words only", "chunks": "chunks", "links": "chunks and links"}
WITHOUT_CHUNKS = "without chunks, which annotators make first"


def design_report(datasets: Mapping[str, Sequence[ItemDraft]], options: Mapping[str, Any]) -> DesignReport:
    """Return the design checks, which are calculated for each dataset."""
    items = [item for members in datasets.values() for item in members]
    lengths = [len(item.content[side]) for item in items for side in ("source", "target")]
    begun = Counter(_start(item) for item in items)
    repeated = len(items) - len({(tuple(i.content["source"]), tuple(i.content["target"])) for i in items})
    several = "as in the 2016 task: a chunk without a link is NOALI"
    single = "as in the 2015 task: annotators mark each unlinked chunk as NOALI or ALIC"
    checks = [
        Check(
            "Pairs", f"{len(items):,}", _listed({name or "without a dataset": len(m) for name, m in datasets.items()})
        ),
        Check("Links per chunk", "several" if options["many"] else "one", several if options["many"] else single),
        Check.of("Initial annotation", STARTS[options["begin"]], _listed(begun), len(begun) == 1),
        Check("Sentence length in tokens", f"{min(lengths)}–{max(lengths)}", f"median {median(lengths):g}"),
        Check.of("Repeated sentence pairs", f"{repeated:,}", "pairs with the same words as another pair", not repeated),
    ]
    return DesignReport(checks)


def _start(item: ItemDraft) -> str:
    """Return the initial annotation of an item. Unlinked chunks count as links, because not every sentence pair has
    matching chunks.
    """
    linked = item.content.get("links") or item.content.get("left")
    return "with chunks and links" if linked else "with chunks" if item.content.get("chunks") else WITHOUT_CHUNKS


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())
