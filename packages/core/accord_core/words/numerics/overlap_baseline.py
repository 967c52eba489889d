"""The word-overlap baseline of word alignment, for `accord annotate --baseline overlap`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from accord_core.numerics.shared_words import share_stem

Link = tuple[int, int]


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """Link equal words as sure, and forms of one word, such as “walks” and “walked”, as possible.

    Each word has at most one link. Of several equal words, the words with the most similar relative positions are
    linked, so the links of repeated words do not cross. Initial links of the question are not used. The question and
    the answer have the formats of the API.
    """
    source, target = question["source"], question["target"]
    sure = _matches(source, target, lambda one, other: one.casefold() == other.casefold(), [])
    possible = _matches(source, target, share_stem, sure)
    if not sure and not possible:
        return {"sure": [], "possible": [], "log": [[0, "confirm", "button", []]]}
    return {"sure": [list(link) for link in sure], "possible": [list(link) for link in possible]}


def _matches(
    source: Sequence[str], target: Sequence[str], match: Callable[[str, str], bool], taken: Sequence[Link]
) -> list[Link]:
    """Return links between matching words that `taken` does not link, starting with the closest relative positions."""
    candidates = [
        (abs(i / len(source) - j / len(target)), i, j)
        for i, word in enumerate(source)
        for j, other in enumerate(target)
        if match(word, other)
    ]
    linked_source, linked_target = {i for i, _ in taken}, {j for _, j in taken}
    links = []
    for _distance, i, j in sorted(candidates):
        if i not in linked_source and j not in linked_target:
            links.append((i, j))
            linked_source.add(i)
            linked_target.add(j)
    return sorted(links)
