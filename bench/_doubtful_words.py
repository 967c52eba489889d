"""Whether the words that the built-in aligner doubts need a correction, and how visits to them influence annotators.

Without visits, simulated annotators overlook wrong initial links at the usual rate. With visits, they see the wrong
links among the visited ones, and instead take a wrong first offer at the same rate. All other errors are the usual
ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from playwright.sync_api import Page

from accord_core.pairs.numerics.links import Alignment, Link
from accord_core.words.numerics.simulation import ErrorRates, draw_careful
from alignment_ui.words.rounds import Suggestion
from bench._word_hands import IN_DOUBT, Node

DRAWS = 20
LIKELY = """async (questions) => {
  const { likely } = await import("/static/words/matches.js");
  return questions.map(({ node: [side, index], links, texts, chances }) =>
    likely({ side, index }, links.map((link) => link.join("-")), texts, new Map(chances)).slice(0, 3));
}"""

Aligned = tuple[Any, Suggestion, Alignment]
"""The words of both sentences, the aligner's links and the gold links."""


def print_doubts(page: Page, pairs: Sequence[Aligned]) -> None:
    visited = [[node for node, doubt in doubts(pair) if doubt >= IN_DOUBT] for pair in pairs]
    for about, side in (("links", True), ("words without a link", False)):
        for name, is_visited in (("doubted", True), ("other", False)):
            wrong = [
                needs_change(pair, node)
                for pair, stops in zip(pairs, visited, strict=True)
                for node, _ in doubts(pair)
                if (node in stops) == is_visited and is_linked(pair, node) == side
            ]
            print(f"{name} {about}: {len(wrong)}, to be corrected {np.mean(wrong):.1%}")
    for name, used in (("with", True), ("without", False)):
        first, offered = offers(page, pairs, used)
        print(f"offers {name} probabilities: the match is first for {first:.1%} and offered for {offered:.1%}")
    for rate in (0.0, ErrorRates().overlooked):
        print(f"  {rate:.0%} of wrong links or first offers taken: {simulated(pairs, None, rate)} without visits")
        print(f"    {simulated(pairs, visited, rate)} with visits")


def nodes(pair: Aligned) -> Iterable[Node]:
    return ((side, index) for side, words in enumerate(pair[0]) for index in range(len(words)))


def is_linked(pair: Aligned, node: Node) -> bool:
    return any(link[node[0]] == node[1] for link in pair[1].links)


def doubts(pair: Aligned) -> list[tuple[Node, float]]:
    """Return the probability, by the aligner, that it is wrong about each word without a link, and about the links of
    each linked word of the first sentence.
    """
    _, suggested, _ = pair
    chances = {(i, j): chance for i, j, chance in suggested.likely}
    found = []
    for node in nodes(pair):
        own = [(link, chances.get(link, 1.0)) for link in suggested.links if link[node[0]] == node[1]]
        others = [chance for link, chance in chances.items() if link[node[0]] == node[1]]
        if not own:
            found.append((node, max(others, default=0.0)))
        elif node[0] == 0:
            found.append((node, 1 - min(chance for _, chance in own)))
    return found


def needs_change(pair: Aligned, node: Node) -> bool:
    """Return whether a link of the word is wrong or, if it has none, whether the word has a match."""
    _, suggested, gold = pair
    own, right = ({link for link in alignment.links if link[node[0]] == node[1]} for alignment in (suggested, gold))
    return bool(own - right) if own else bool(right)


def offers(page: Page, pairs: Sequence[Aligned], used: bool) -> tuple[float, float]:
    """Return for which shares of the words that have a match, but no link, the match is the first offer, and one of
    the offers.
    """
    questions, matches = [], []
    for pair in pairs:
        texts, suggested, gold = pair
        chances = [[f"{i}-{j}", chance] for i, j, chance in suggested.likely] if used else []
        for side, index in nodes(pair):
            match = {link[1 - side] for link in gold.links if link[side] == index}
            if match and not is_linked(pair, (side, index)):
                question = {"node": [side, index], "links": sorted(suggested.links), "texts": texts}
                questions.append(question | {"chances": chances})
                matches.append(match)
    offered: list[list[int]] = page.evaluate(LIKELY, questions)
    first = [match >= set(row[:1]) for row, match in zip(offered, matches, strict=True)]
    among = [bool(match & set(row)) for row, match in zip(offered, matches, strict=True)]
    return float(np.mean(first)), float(np.mean(among))


def simulated(pairs: Sequence[Aligned], visited: Sequence[Sequence[Node]] | None, rate: float) -> str:
    """Describe the F1 of annotators' links with the gold links, and of two annotators."""
    generator = np.random.default_rng(1)
    sums = np.zeros(4)
    for _ in range(DRAWS):
        for row, pair in enumerate(pairs):
            both = [annotated(pair, visited[row] if visited else [], rate, generator) for _ in range(2)]
            gold = pair[2].links
            sums += [
                sum(len(links & gold) for links in both),
                sum(len(links) + len(gold) for links in both) / 2,
                len(both[0] & both[1]),
                sum(map(len, both)) / 2,
            ]
    return f"F1 with gold {sums[0] / sums[1]:.4f}, of two annotators {sums[2] / sums[3]:.4f}"


def annotated(pair: Aligned, visited: Sequence[Node], rate: float, generator: np.random.Generator) -> frozenset[Link]:
    texts, suggested, gold = pair
    chances = {(i, j): chance for i, j, chance in suggested.likely}
    seen = {link for link in suggested.links if (0, link[0]) in visited or (1, link[1]) in visited}
    start = Alignment(suggested.links - (seen - gold.links))
    sizes = (len(texts[0]), len(texts[1]))
    drawn = draw_careful(start, gold, sizes, ErrorRates()._replace(overlooked=rate), generator).links
    for side, index in visited:
        among = [link for link in chances if link[side] == index and link not in suggested.links]
        first = max(among, key=lambda link: chances[link], default=None)
        wrong = needs_change(pair, (side, index)) or not is_linked(pair, (side, index))
        if first and wrong and first not in gold.links and generator.random() < rate:
            own = {link for link in gold.links if link[side] == index}
            drawn = (drawn - own) | {first}
    return drawn
