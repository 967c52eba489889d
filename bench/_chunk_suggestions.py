"""How often the suggested types and scores of chunk links are right, and how they influence simulated annotators.

An annotator takes over a wrong suggestion with the probability with which simulated annotators of word alignment
overlook a wrong initial link. Otherwise, annotators make the usual errors of the simulation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from playwright.sync_api import Page

from accord_core.chunks.numerics.chunks import IstsPair
from accord_core.chunks.numerics.simulation import ErrorRates, draw_links
from accord_core.words.numerics.simulation import ErrorRates as WordErrorRates

OVERLOOKED = WordErrorRates().overlooked
DRAWS = 200
SUGGEST = """async (chunks) => {
  const { likelyJudgement } = await import("/static/chunks/overlap.js");
  return chunks.map((pair) => likelyJudgement(pair, "en"));
}"""


def print_suggestions(page: Page, pairs: Sequence[IstsPair]) -> None:
    links = [(pair, link) for pair in pairs for link in pair.links if link.source and link.target]
    words = [[[pair.source[n] for n in link.source], [pair.target[n] for n in link.target]] for pair, link in links]
    suggested: list[dict[str, Any] | None] = page.evaluate(SUGGEST, words)
    wanted = [{"type": link.type, "score": link.score} for _, link in links]
    offered = [(one, gold) for one, gold in zip(suggested, wanted, strict=True) if one]
    types = sum(one["type"] == gold["type"] for one, gold in offered)
    both = sum(one == gold for one, gold in offered)
    print(f"suggestions for {len(offered)} of {len(links)} links: type right {types}, type and score right {both}")
    for overlooked in (0.0, OVERLOOKED):
        right, alike = simulated(suggested, wanted, overlooked)
        print(
            f"  {overlooked:.0%} of wrong suggestions taken: types right {right:.1%}, "
            f"types of two annotators equal {alike:.1%}"
        )


def simulated(
    suggested: Sequence[dict[str, Any] | None], wanted: Sequence[dict[str, Any]], overlooked: float
) -> tuple[float, float]:
    """Return the share of right types, and the share of links to which two annotators give the same type."""
    generator = np.random.default_rng(1)
    rates = ErrorRates(missed=0)
    links = [{"source": n, "target": n, "flags": [], **gold} for n, gold in enumerate(wanted)]
    right, alike = [], []
    for _ in range(DRAWS):
        both = []
        for _annotator in range(2):
            types = [link["type"] for link in draw_links(links, (len(links), len(links)), False, rates, generator)]
            for n, (one, gold) in enumerate(zip(suggested, wanted, strict=True)):
                if one and one["type"] != gold["type"] and generator.random() < overlooked:
                    types[n] = one["type"]
            right.append(np.mean([kind == gold["type"] for kind, gold in zip(types, wanted, strict=True)]))
            both.append(types)
        alike.append(np.mean([one == other for one, other in zip(*both, strict=True)]))
    return float(np.mean(right)), float(np.mean(alike))
