"""Full-text search of the guides, which needs no index because the guides contain fewer than 100,000 words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from .guides import Guide, Section

LENGTH = 220  # characters of an excerpt
MOST = 30
IN_TITLE, IN_GUIDE = 20, 5  # what a word in a heading or in the title of the guide adds to the rank


@dataclass(frozen=True)
class Hit:
    """A section that contains all search terms, with an excerpt divided into parts.

    Each part contains a text, and whether the text is one of the search terms.
    """

    guide: Guide
    section: Section
    excerpt: tuple[tuple[str, bool], ...]


def search(guides: Iterable[Guide], query: str) -> list[Hit]:
    """Return the sections that contain all search terms in the guide's title, the heading or the text.

    A word also matches the start of a longer word. Sections whose heading contains the words come first.
    """
    words = re.findall(r"\w+", query.casefold())[:8]
    if not words:
        return []
    patterns = [re.compile(rf"\b{re.escape(word)}", re.IGNORECASE) for word in words]
    ranked = []
    for order, guide in enumerate(guides):
        for section in guide.sections:
            rank = _rank(guide, section, patterns)
            if rank:
                ranked.append((-rank, order, guide, section))
    ranked.sort(key=lambda entry: entry[:2])
    any_word = re.compile("|".join(pattern.pattern for pattern in patterns), re.IGNORECASE)
    return [Hit(guide, section, _excerpt(section.text, any_word)) for _, _, guide, section in ranked[:MOST]]


def _rank(guide: Guide, section: Section, patterns: list[re.Pattern[str]]) -> int:
    """Return a number that shows how well a section matches the search words. The rank is 0 if a word is missing from
    the section, its heading and the guide's title, or if all words appear only in the title.
    """
    total, own = 0, False
    for pattern in patterns:
        in_text = min(len(pattern.findall(section.text)), 9)
        in_title, in_guide = bool(pattern.search(section.title)), bool(pattern.search(guide.title))
        if not (in_text or in_title or in_guide):
            return 0
        own = own or in_title or bool(in_text)
        total += in_text + IN_TITLE * in_title + IN_GUIDE * in_guide
    return total if own else 0


def _excerpt(text: str, word: re.Pattern[str]) -> tuple[tuple[str, bool], ...]:
    first = word.search(text)
    start = max(0, first.start() - LENGTH // 3) if first else 0
    if start:
        start = text.find(" ", start) + 1
    cut = text[start : start + LENGTH]
    if start + LENGTH < len(text):
        cut = cut.rpartition(" ")[0] + " …"
    parts: list[tuple[str, bool]] = [("… ", False)] if start else []
    place = 0
    for match in word.finditer(cut):
        parts += [(cut[place : match.start()], False), (match[0], True)]
        place = match.end()
    return (*parts, (cut[place:], False))
