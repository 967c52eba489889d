"""The design report, which the console shows before a study opens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from accord_core.numerics.printed import with_noun
from annotate.tasktypes import Bars, Check, DesignReport, ItemDraft

MANY = 30
MOST_BARS = 12


def design_report(items: Sequence[ItemDraft]) -> DesignReport:
    """Return the checks, the figures, and charts of sentences per domain and candidates per phrase, if they vary."""
    domains = Counter(item.metadata.get("domain", "") for item in items)
    sizes = [len(item.content["paraphrases"]) for item in items]
    in_both, pairs = _shared_pairs(items)
    charts = {
        "sentences of a domain": Bars("domain", "sentences", domains.most_common(MOST_BARS)),
        "candidates of a phrase": Bars("candidates", "phrases", sorted(Counter(sizes).items())),
    }
    return DesignReport(
        [
            Check(
                "Every candidate judged by the same people",
                f"{sum(sizes):,}",
                f"candidates of {with_noun(len(items), 'phrase')}, with each whole list in one question",
            ),
            *([_domains_check(in_both, pairs)] if len(domains) > 1 else []),
            Check.of(
                "Length of the lists",
                f"{min(sizes)}–{max(sizes)}" if min(sizes) < max(sizes) else f"{max(sizes)}",
                f"candidates. Lists with more than {MANY}, which tire annotators: "
                f"{sum(size > MANY for size in sizes):,}",
                max(sizes) <= MANY,
            ),
        ],
        {name: bars for name, bars in charts.items() if len(bars.rows) > 1},
        {
            "figures": {
                "candidates": sum(sizes),
                "domains": dict(domains.most_common()),
                "pairs": pairs,
                "pairs_in_several_domains": in_both,
            }
        },
    )


def _shared_pairs(items: Sequence[ItemDraft]) -> tuple[int, int]:
    """Return the number of phrase–paraphrase pairs that occur in at least two domains, and the total number of
    pairs.
    """
    domains_of: dict[tuple[str, str], set[str]] = {}
    for item in items:
        phrase = item.content["phrase"].casefold()
        for text in item.content["paraphrases"]:
            domains_of.setdefault((phrase, text.casefold()), set()).add(item.metadata.get("domain", ""))
    return sum(len(domains) > 1 for domains in domains_of.values()), len(domains_of)


def _domains_check(in_both: int, pairs: int) -> Check:
    can = "can" if in_both else "cannot"
    detail = f"of {pairs:,} pairs are in at least two domains, so the domains {can} be compared"
    return Check.of("Comparable between domains", f"{in_both:,}", detail, in_both > 0)
