"""Hands that answer a best–worst question of four items, and a paraphrase question of nine candidates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser

from bench._hands import Cost, Hand
from tests.aligning import editor_strings, open_editor, site

ITEMS = [{"sentences": [f"The first text of pair {n}.", f"The second text of pair {n}."]} for n in range(1, 5)]
ASK = {"noun": "pair", "most": "most related", "least": "least related"}
CANDIDATES = [f"candidate {n}" for n in range(1, 10)]
QUESTIONS: dict[str, tuple[dict[str, Any], list[tuple[str, str]]]] = {
    "bws": ({"items": ITEMS, "ask": ASK}, [("2", "best-2"), ("Shift+Digit4", "worst-4")]),
    "paraphrase": (
        {"before": "They ", "phrase": "cut back", "after": " the vines.", "candidates": CANDIDATES},
        [("n" if n % 2 else "y", f"{'no' if n % 2 else 'yes'}-{n}") for n in range(1, 10)],
    ),
}


def choices(browser: Browser) -> Iterator[tuple[str, Cost]]:
    """Answer each question by keys and by pointer. Yields a name and the cost."""
    for task, (content, decisions) in QUESTIONS.items():
        for way in ("keys", "pointer"):
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            with site(task) as address:
                open_editor(page, address, "", "", content=content, strings=editor_strings(task), direction="ltr")
                hand = Hand(page, cost=Cost(changed=len(decisions)))
                for key, name in decisions:
                    hand.decide()
                    if way == "keys":
                        hand.key(key)
                    else:
                        hand.click(page.locator(f"label[for='{name}']"))
                assert page.evaluate("editor.complete(value)")
            page.close()
            yield f"{task}, {way}", hand.cost
