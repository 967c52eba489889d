"""How many actions a question costs in the real editors: people's answers, repeated by the cheapest simple plan.

    CORPORA=folder python -m bench.editor_actions [--pairs 100]

CORPORA contains `edinburgh/gold.train.sure.json` and `gold.train.sure+poss.json`, and `ists/images.gold.wa`. Of the
pairs in bench/edinburgh_held_out.txt, the benchmark takes the longest tenth, and others at equal distances. It draws
each alignment in Chromium, from nothing and from the suggestions of the built-in aligner, by keys and by pointer, and
compares the result with the corpus. A changed link is a pair of words whose link is added, removed or changed in kind.
"""

from __future__ import annotations

import argparse
import os
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import django
from playwright.sync_api import Browser, Page, sync_playwright

from accord_core.chunks.formats.ists import read_wa
from accord_core.pairs.numerics.links import Alignment
from accord_core.pairs.numerics.prealign import align
from alignment_ui.words.rounds import Suggestion, as_start
from bench._choice_hands import choices
from bench._chunk_hands import ChunkKeys, ChunkOffers, ChunkPointer, is_plain, link_chunks
from bench._chunk_suggestions import print_suggestions
from bench._doubtful_words import print_doubts
from bench._editor_plans import Pair, changes
from bench._hands import Cost, K, M, P, heading, report
from bench._word_hands import DoubtfulFirst, Letters, Offers, Pointer, Table, WordHand
from bench.prealign import HELD_OUT, read_corpus
from tests import servers
from tests.aligning import open_editor, site, value_of

WAYS: list[tuple[str, list[type[WordHand]]]] = [
    ("nothing", [Letters, Offers, Pointer, Table]),
    ("suggestions", [Letters, DoubtfulFirst, Pointer, Table]),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=100)
    count = parser.parse_args().pairs
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
    django.setup()
    pairs, gold = read_corpus(Path(os.environ["CORPORA"]) / "edinburgh")
    aligned = align(list(pairs.values()))
    suggested = {
        key: Suggestion(links, likely=tuple((*link, chance) for link, chance in likely.items()))
        for key, links, likely in zip(pairs, aligned.links, aligned.likely, strict=True)
    }
    chosen = sample([key for key in held_out() if key in pairs], pairs, count)
    with site() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=servers.chromium_program(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        heading(f"{len(chosen)} word alignments")
        for start, ways in WAYS:
            for way in ways:
                costs = []
                for key in chosen:
                    initial = suggested[key] if start == "suggestions" else None
                    costs.append(draw(page, address, way, pairs[key], initial, gold[key]))
                report(f"from {start}, {way.__name__.lower()}", costs)
        print_doubts(page, [(pairs[key], suggested[key], gold[key]) for key in held_out() if key in pairs])
        page.close()
        chunks(browser, Path(os.environ["CORPORA"]) / "ists" / "images.gold.wa", count)
        heading("questions with choices")
        for question, spent in choices(browser):
            report(question, [spent])
        browser.close()
    for name, cost in (("LDC Word Aligner", ldc), ("Line-a-line", line_a_line)):
        report(f"from nothing, {name}", [cost(gold[key].links) for key in chosen])


def chunks(browser: Browser, path: Path, count: int) -> None:
    """Link pairs of image captions whose chunks are given."""
    pairs = [pair for pair in read_wa(path.read_bytes(), name=path.name) if is_plain(pair)]
    chosen = pairs[:: max(1, len(pairs) // count)][:count]
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    heading(f"{len(chosen)} chunk alignments")
    with site("chunks") as address:
        for name, way in (("keys", ChunkKeys), ("suggestions", ChunkOffers), ("pointer", ChunkPointer)):
            report(f"from chunks, {name}", [link_chunks(page, address, way, pair) for pair in chosen])
        print_suggestions(page, pairs)
    page.close()


def held_out() -> list[str]:
    return [line for line in HELD_OUT.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def sample(keys: Sequence[str], pairs: Mapping[str, Any], count: int) -> list[str]:
    """Return the longest pairs and others at equal distances."""
    by_length = sorted(keys, key=lambda key: -sum(map(len, pairs[key])))
    tenth = count // 10
    longest, rest = by_length[:tenth], by_length[tenth:]
    step = max(1, len(rest) // max(1, count - tenth))
    return [*longest, *rest[::step]][:count]


def draw(
    page: Page, address: str, way: type[WordHand], texts: Any, initial: Suggestion | None, gold: Alignment
) -> Cost:
    """Draw an alignment in the editor. Raises AssertionError if the editor's answer is not the wanted alignment."""
    wanted = dict.fromkeys(gold.sure, "sure") | dict.fromkeys(gold.possible, "possible")
    start: dict[Pair, str] = dict.fromkeys(initial.sure, "sure") if initial else {}
    prealignment = as_start(initial) if initial else None
    open_editor(page, address, " ".join(texts[0]), " ".join(texts[1]), prealignment=prealignment)
    hand = way(page, texts, dict(start), likely={(i, j): chance for i, j, chance in initial.likely} if initial else {})
    hand.cost.changed = len(changes(start, wanted))
    hand.cost.words = statistics.mean(map(len, texts))
    if hand.cost.changed:
        hand.work(wanted)
        value = value_of(page)
        drawn = {kind: {tuple(pair) for pair in value[kind]} for kind in ("sure", "possible")}
        assert drawn == {"sure": set(gold.sure), "possible": set(gold.possible)}, (texts, drawn, gold)
    else:
        page.keyboard.press("a")
        hand.cost.actions, hand.cost.seconds = 1, M + K
    return hand.cost


def ldc(links: frozenset[Pair]) -> Cost:
    """Count for LDC Word Aligner 1.20 by its manual: a click for each word of a link, and a key. All words of a link
    are linked with each other, and a word can belong to one link only. The links have one kind.
    """
    cost, left = Cost(changed=len(links)), set(links)
    while left:
        linked = {left.pop()}
        while more := {pair for pair in left if any(pair[0] == i or pair[1] == j for i, j in linked)}:
            linked |= more
            left -= more
        clicks = sum(len({pair[side] for pair in linked}) for side in (0, 1))
        cost.actions += clicks + 1
        cost.seconds += M + clicks * (P + K) + K
    return cost


def line_a_line(links: frozenset[Pair]) -> Cost:
    """Count for Line-a-line by its paper (Skeppstedt and others 2020): a drag for each pair of words, of one kind."""
    return Cost(changed=len(links), actions=len(links), seconds=len(links) * (M + 2 * P + K))


if __name__ == "__main__":
    main()
