"""The design report that the console shows before a study opens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from annotate.tasktypes import ItemDraft

MANY = 30
MOST_BARS = 12


def design_report(items: Sequence[ItemDraft]) -> dict[str, Any]:
    """Return the checks (with the state ok or advice), the figures, and the data of two charts: sentences and
    candidates.
    """
    domains = Counter(item.metadata.get("domain", "") for item in items)
    sizes = [len(item.content["paraphrases"]) for item in items]
    in_both, pairs = _shared_pairs(items)
    return {
        "checks": [
            {
                "name": "Every candidate judged by the same people", "value": f"{sum(sizes):,}",
                "detail": f"candidates of {len(items):,} phrases in their sentences, each list whole in one question",
                "state": "ok",
            },
            _domains_check(domains, in_both, pairs),
            {
                "name": "Length of the lists", "value": f"{min(sizes)}–{max(sizes)}",
                "detail": f"candidates; {sum(size > MANY for size in sizes):,} lists have over {MANY}, which tire",
                "state": "advice" if max(sizes) > MANY else "ok",
            },
        ],
        "figures": {"candidates": sum(sizes), "domains": dict(domains.most_common()), "pairs": pairs,
                    "pairs_in_several_domains": in_both},
        "charts": {
            "sentences of a domain": {
                "columns": ["domain", "sentences"],
                "rows": [[name, count] for name, count in domains.most_common(MOST_BARS)],
            },
            "candidates of a phrase": {
                "columns": ["candidates", "phrases"],
                "rows": [[size, count] for size, count in sorted(Counter(sizes).items())],
            },
        },
    }  # fmt: skip


def _shared_pairs(items: Sequence[ItemDraft]) -> tuple[int, int]:
    """Return the number of pairs of phrase and paraphrase in at least two domains, and the number of all pairs."""
    domains_of: dict[tuple[str, str], set[str]] = {}
    for item in items:
        phrase = item.content["phrase"].casefold()
        for text in item.content["paraphrases"]:
            domains_of.setdefault((phrase, text.casefold()), set()).add(item.metadata.get("domain", ""))
    return sum(len(domains) > 1 for domains in domains_of.values()), len(domains_of)


def _domains_check(domains: Mapping[str, int], in_both: int, pairs: int) -> dict[str, str]:
    several = len(domains) > 1
    detail = (
        f"of {pairs:,} pairs are asked about in two domains or more, and can be told apart by them"
        if several
        else "all items are of one domain, so there is nothing to compare"
    )
    comparable = several and in_both > 0
    return {
        "name": "Comparable between domains", "value": f"{in_both:,}", "detail": detail,
        "state": "ok" if comparable or not several else "advice",
    }  # fmt: skip
