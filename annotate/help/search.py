"""Full-text search of the guides, with SQLite's FTS5 in memory."""

from __future__ import annotations

import re
import sqlite3
import threading
from dataclasses import dataclass
from functools import cache

from .guides import FIRST_STEPS, Guide, Section, all_guides, for_researchers

WORDS = 40  # of an excerpt
MOST = 30
IN_GUIDE, IN_TITLE = 10, 20  # how much more a word counts in the title of the guide or in a heading than in the text
FOR_OTHERS = 0.4  # the weight of reference guides and of guides for developers beside those for researchers
_one_search = threading.Lock()  # without it, two first searches at once would build two indexes


@dataclass(frozen=True)
class Hit:
    """A section that contains all search terms, with an excerpt divided into parts.

    Each part contains a text, and whether the text is one of the search terms.
    """

    guide: Guide
    section: Section
    excerpt: tuple[tuple[str, bool], ...]


def search(query: str) -> list[Hit]:
    """Return the sections that contain all search terms in the guide's title, the heading or the text, best first.

    A word also matches the start of a longer word. At least one word must be in the heading or the text.
    """
    words = [f'"{word}"*' for word in re.findall(r"\w+", query)[:8]]
    if not words:
        return []
    with _one_search:
        rows: list[tuple[int, str]] = (
            _index()
            .execute(
                "SELECT rowid, snippet(sections, 2, char(2), char(3), ' … ', ?) FROM sections WHERE sections MATCH ? "
                "ORDER BY bm25(sections, ?, ?) * weight, rowid LIMIT ?",
                [WORDS, f"{' '.join(words)} AND {{title text}}: ({' OR '.join(words)})", IN_GUIDE, IN_TITLE, MOST],
            )
            .fetchall()
        )
    return [Hit(*_sections()[row], _parts(excerpt)) for row, excerpt in rows]


@cache
def _sections() -> list[tuple[Guide, Section]]:
    return [(guide, section) for guide in all_guides() for section in guide.sections]


@cache
def _index() -> sqlite3.Connection:
    index = sqlite3.connect(":memory:", check_same_thread=False)
    index.execute("CREATE VIRTUAL TABLE sections USING fts5(guide, title, text, weight UNINDEXED)")
    first = FIRST_STEPS + for_researchers()
    texts = (
        (
            row,
            guide.title,
            section.title,
            section.text,
            1 if guide.slug in first else FOR_OTHERS,
        )
        for row, (guide, section) in enumerate(_sections())
    )
    index.executemany("INSERT INTO sections (rowid, guide, title, text, weight) VALUES (?, ?, ?, ?, ?)", texts)
    return index


def _parts(excerpt: str) -> tuple[tuple[str, bool], ...]:
    return tuple((text, place % 2 == 1) for place, text in enumerate(re.split("[\x02\x03]", excerpt)))
