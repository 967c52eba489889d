"""How many actions an alignment costs in the real editor: people's alignments, repeated by the cheapest simple plan.

    CORPORA=folder python -m bench.editor_actions [--pairs 100]

CORPORA contains `edinburgh/gold.train.sure.json` and `gold.train.sure+poss.json`. Of the pairs in
bench/edinburgh_held_out.txt, the benchmark takes the longest tenth, and others at equal distances. It draws each
alignment in Chromium, from nothing and from the suggestions of the built-in aligner, by keys and by pointer, and
compares the result with the corpus. A changed link is a pair of words whose link is added, removed or changed in kind.

The time is that of the keystroke-level model (Card, Moran and Newell 1980): K .28 s for a key or a press, P 1.1 s for
pointing, M 1.35 s for each decision, which is one link or block. A drag is 2 P + K. Reading is not included.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import django
from playwright.sync_api import Page, sync_playwright

from alignment_ui.pairs.numerics.links import Alignment
from alignment_ui.pairs.numerics.prealign import prealign
from bench._editor_plans import Block, Links, Pair, blocks, changes
from bench.prealign import HELD_OUT, read_corpus
from tests import servers
from tests.aligning import open_editor, site, value_of, word

K, P, M = 0.28, 1.1, 1.35  # seconds
MIDDLE = (22, 28)  # words per sentence of a pair of about 25 words
# Near the edge of the window, a drag scrolls the page.
IS_SEEN = """element => {
  const {x, y, width, height} = element.getBoundingClientRect();
  const {scrollPaddingTop, scrollPaddingBottom} = getComputedStyle(document.documentElement);
  const [first, last] = [parseFloat(scrollPaddingTop) || 0, innerHeight - (parseFloat(scrollPaddingBottom) || 0)];
  const middle = y + height / 2;
  const top = document.elementFromPoint(x + width / 2, middle);
  return Boolean(middle > first + 56 && middle < last - 56 && top && element.contains(top));
}"""
COLUMNS = {"changed": 9, "actions": 9, "a link": 8, "a pair": 8, "s/pair": 8, "px/link": 9}

Node = tuple[int, int]


@dataclass
class Cost:
    """What one alignment has cost."""

    changed: int = 0
    actions: int = 0
    decisions: int = 0
    seconds: float = 0.0
    travel: float = 0.0
    words: float = 0.0


@dataclass
class Hand(ABC):
    """What both ways of working have in common: the page, the links so far, and the cost."""

    page: Page
    texts: Sequence[Sequence[str]]
    links: dict[Pair, str]
    cost: Cost = field(default_factory=Cost)
    kind: str = "sure"

    @abstractmethod
    def work(self, wanted: Links) -> None:
        """Draw the wanted links."""

    def decide(self) -> None:
        self.cost.decisions += 1
        self.cost.seconds += M

    def has(self, block: Block) -> bool:
        return all(self.links.get(pair) == block.kind for pair in block.pairs)

    def apply(self, pairs: frozenset[Pair], kind: str) -> None:
        """Do what the editor does: linking pairs that are all linked in this way removes the links."""
        if all(self.links.get(pair) == kind for pair in pairs):
            for pair in pairs:
                del self.links[pair]
        else:
            self.links |= dict.fromkeys(pairs, kind)


class Pointer(Hand):
    """Drags and presses of a mouse."""

    at: tuple[float, float] = (640.0, 400.0)

    def work(self, wanted: Links) -> None:
        for block in blocks(dict(self.links), wanted):
            self.decide()
            if block.kind != self.kind:
                self.press(self._centre_of(self.page.get_by_role("radio", name="Possible")))
                self.kind = block.kind
            self.join(block)

    def join(self, block: Block) -> None:
        sides = [(0, block.first), (1, block.second)]
        several = [(side, run) for side, run in sides if len(run) > 1]
        removes = self.has(block)
        for side, run in several:
            if side and len(several) == 2 and not all(self._is_seen((1, end)) for end in (run[0], run[-1])):
                # The second run cannot be selected in one movement.
                for j in block.second:
                    part = Block(block.kind, block.first, range(j, j + 1))
                    if j == block.second[0]:
                        self.press(self.see((1, j)))
                        self.apply(part.pairs, block.kind)
                    elif removes or not self.has(part):
                        self.join(part)
                return
            self.connect((side, run[0]), (side, run[-1]))
        if len(several) == 2:  # both sides are selected, and a press on one of them links them
            self.press(self.see((1, block.second[0])))
        elif several:
            single = next((side, run[0]) for side, run in sides if len(run) == 1)
            self.press(self.see(single))
        else:
            self.connect((0, block.first[0]), (1, block.second[0]))
        self.apply(block.pairs, block.kind)

    def connect(self, start: Node, end: Node) -> None:
        """Drag from one word to another or, if they are not on the screen together, press both."""
        begin = self.see(start)
        if self._is_seen(end) and self._is_seen(start):
            finish = self._centre_of(word(self.page, *end))
            self._move(begin)
            self.page.mouse.down()
            self._move(finish)
            self.page.mouse.up()
            self.cost.actions += 1
            self.cost.seconds += 2 * P + K
            return
        self.press(begin)
        if start[0] == end[0]:
            self.page.keyboard.down("Shift")
            self._count()
        self.press(self.see(end))
        self.page.keyboard.up("Shift")

    def press(self, point: tuple[float, float]) -> None:
        self._move(point)
        self.page.mouse.down()
        self.page.mouse.up()
        self.cost.actions += 1
        self.cost.seconds += P + K

    def see(self, node: Node) -> tuple[float, float]:
        """Return the centre of a word, after a turn of the wheel if the word is not on the screen."""
        if not self._is_seen(node):
            word(self.page, *node).evaluate("element => element.scrollIntoView({block: 'center', behavior: 'instant'})")
            self._count()
        return self._centre_of(word(self.page, *node))

    def _count(self) -> None:
        self.cost.actions += 1
        self.cost.seconds += K

    def _is_seen(self, node: Node) -> bool:
        seen: bool = word(self.page, *node).evaluate(IS_SEEN)
        return seen

    def _centre_of(self, element: Any) -> tuple[float, float]:
        box = element.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def _move(self, point: tuple[float, float]) -> None:
        self.cost.travel += sum((a - b) ** 2 for a, b in zip(self.at, point, strict=True)) ** 0.5
        self.page.mouse.move(*point, steps=3)
        self.at = point


class Keys(Hand):
    """Single keys: U visits one word after the other and a digit chooses an offered match; the rest goes by blocks."""

    def work(self, wanted: Links) -> None:
        self.visit(wanted)
        for block in blocks(dict(self.links), wanted):
            if self.has(block):
                self.remove(block)
            elif block.pairs & {pair for pair, kind in wanted.items() if kind != self.links.get(pair)}:
                self.join(block)

    def visit(self, wanted: Links) -> None:
        """Visit words as long as a word ahead needs a link."""
        visited: set[Node] = set()
        while self.needs_visit(wanted, visited):
            if not self.page.locator(".offers:not([hidden])").count():
                self.press("u")
            node = self.focused()
            if node is None or node in visited:
                return
            visited.add(node)
            self.decide()
            self.choose(node, wanted)

    def choose(self, node: Node, wanted: Links) -> None:
        """Choose the match of the visited word, keep its doubtful link if it is right, or choose that there is none."""
        side, index = node
        own = {pair for pair in self.links if pair[side] == index}
        right = {pair for pair in wanted if pair[side] == index}
        offered = {pair: number for number, pair in self.offered(node).items() if pair in right - own}
        if own and self.doubtful(node, own) in right:
            self.press("u")
        elif offered:
            pair = min(offered, key=lambda pair: (wanted[pair] != "sure", offered[pair]))
            if wanted[pair] == "sure":
                self.choose_kind("sure")
            with_shift = wanted[pair] != self.kind
            self.press(f"Shift+Digit{offered[pair]}" if with_shift else str(offered[pair]), 1 + with_shift)
        elif right and not own:
            pair = min(right, key=lambda pair: wanted[pair] != "sure")
            self.choose_kind(wanted[pair])
            self.find(1 - side, pair[1 - side])
        else:
            self.press("0")
        if value := value_of(self.page):
            self.links = {tuple(pair): kind for kind in ("sure", "possible") for pair in value[kind]}

    def doubtful(self, node: Node, own: set[Pair]) -> Pair | None:
        """Return the initial link in doubt, whose other word the page names."""
        mate = self.page.locator(".offers > span bdi").nth(1).inner_text()
        side = 1 - node[0]
        return next((pair for pair in sorted(own) if self.texts[side][pair[side]] == mate), None)

    def offered(self, node: Node) -> dict[int, Pair]:
        numbers = (
            self.page.locator("#task .toks")
            .nth(1 - node[0])
            .locator(".tok")
            .evaluate_all("words => words.map(word => Number(word.dataset.n ?? 0))")
        )
        return {n: (node[1], at) if node[0] == 0 else (at, node[1]) for at, n in enumerate(numbers) if n}

    def needs_visit(self, wanted: Links, visited: set[Node]) -> bool:
        """Return whether a word ahead, without a link, still needs one."""
        linked = {(side, pair[side]) for pair in self.links for side in (0, 1)}
        needy = {(side, pair[side]) for pair in wanted for side in (0, 1)} - linked - visited
        here = max(visited, default=(0, -1))
        return any(node > here for node in needy)

    def join(self, block: Block) -> None:
        """Select the words of both sentences, and press Enter, with Shift for possible links."""
        self.decide()
        self.leave_selection()
        self.choose_kind(block.kind)
        if len(block.pairs) == 1:
            self.join_two((0, block.first[0]), (1, block.second[0]))
            self.apply(block.pairs, block.kind)
            return
        for side, run in ((0, block.first), (1, block.second)):
            self.go((side, run[0]))
            if len(run) == 1 and side == 0:
                self.press("Space")
            elif len(run) > 1:
                self.extend(len(run) - 1)
        # A single word is linked when it is selected, and several when Enter is pressed.
        self.press("Space" if len(block.second) == 1 else "Enter")
        self.apply(block.pairs, block.kind)

    def join_two(self, *nodes: Node) -> None:
        """Select the nearer word, and type the other."""
        here = self.focused() or (0, 0)
        one = min(nodes, key=lambda node: (node[0] != here[0]) + abs(node[1] - here[1]))
        self.go(one)
        self.press("Space")
        self.find(1 - one[0], next(index for side, index in nodes if side != one[0]))

    def choose_kind(self, kind: str) -> None:
        if self.kind != kind:
            self.press("s" if kind == "sure" else "d")
            self.kind = kind

    def leave_selection(self) -> None:
        if self.page.locator("[aria-selected=true]").count():
            self.press("Escape")

    def extend(self, steps: int) -> None:
        """Extend the selection along the sentence. The key Shift counts once."""
        for step in range(steps):
            self.press(f"Shift+{self.onwards()}", 1 + (step == 0))

    def remove(self, block: Block) -> None:
        """Remove links, with one key for a word of which all links go."""
        self.leave_selection()
        for side in (0, 1):
            run = (block.first, block.second)[side]
            for index in run:
                own = {pair for pair in self.links if pair[side] == index}
                mates = {pair for pair in self.links if any(pair[1 - side] == one[1 - side] for one in own)}
                if own and own | mates <= block.pairs:
                    self.decide()
                    self.go((side, index))
                    self.press("Backspace")
                    for pair in own:
                        del self.links[pair]
        for pair in sorted(block.pairs & {pair for pair, kind in self.links.items() if kind == block.kind}):
            self.join(Block(block.kind, range(pair[0], pair[0] + 1), range(pair[1], pair[1] + 1)))

    def find(self, side: int, index: int) -> None:
        self.press("/")
        for key in self.typed(side, index):
            self.press(key)
        if self.page.locator(".finder:not([hidden])").count():
            self.press("Enter")

    def typed(self, side: int, index: int) -> list[str]:
        """Return the number of a word, or fewer first letters and Enter."""
        number, count = str(index + 1), len(self.texts[side])
        by_number = [*number, *(["Enter"] if 10 * (index + 1) <= count else [])]
        words = [plain(text) for text in self.texts[side]]
        for length in range(1, len(by_number) - 1):
            prefix = words[index][:length]
            if len(prefix) == length and sum(text.startswith(prefix) for text in words) == 1:
                return [*prefix, "Enter"]
        return by_number

    def go(self, node: Node) -> None:
        """Move the focus to a word by arrow keys, Home and End."""
        for _ in range(20):
            if self.focused() is not None:
                break
            self.press("Tab")
        here = self.focused()
        assert here, "Tab does not reach the words"
        if here[0] != node[0]:
            self.press(("ArrowDown", "ArrowUp")[here[0]] if self.is_rows() else ("ArrowRight", "ArrowLeft")[here[0]])
            here = self.focused()
            assert here
            assert here[0] == node[0]
        last = len(self.texts[node[0]]) - 1
        by = {"": abs(node[1] - here[1]), "Home": node[1] + 1, "End": last - node[1] + 1}
        jump = min(by, key=lambda name: by[name])
        if jump:
            self.press(jump)
            here = (node[0], 0 if jump == "Home" else last)
        for _ in range(abs(node[1] - here[1])):
            self.press(self.onwards() if node[1] > here[1] else self.backwards())

    def is_rows(self) -> bool:
        return self.page.locator(".board.rows").count() > 0

    def onwards(self) -> str:
        return "ArrowRight" if self.is_rows() else "ArrowDown"

    def backwards(self) -> str:
        return "ArrowLeft" if self.is_rows() else "ArrowUp"

    def focused(self) -> Node | None:
        found = self.page.evaluate(
            """() => { const sides = [...document.querySelectorAll("#task .toks")];
                const side = sides.findIndex((each) => each.contains(document.activeElement));
                const words = side < 0 ? [] : [...sides[side].querySelectorAll(".tok")];
                return side < 0 ? null : [side, words.indexOf(document.activeElement)]; }"""
        )
        return tuple(found) if found else None

    def press(self, key: str, keys: int = 1) -> None:
        self.page.keyboard.press(key)
        self.cost.actions += keys
        self.cost.seconds += K * keys


def plain(text: str) -> str:
    """Return the letters and digits that the search compares."""
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKD", text).lower())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=100)
    count = parser.parse_args().pairs
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotate.settings")
    django.setup()
    pairs, gold = read_corpus(Path(os.environ["CORPORA"]) / "edinburgh")
    suggested = dict(zip(pairs, prealign(list(pairs.values())), strict=True))
    chosen = sample([key for key in held_out() if key in pairs], pairs, count)
    with site() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=servers.chromium_program(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        print(f"{f'{len(chosen)} pairs':<31}" + "".join(f"{name:>{width}}" for name, width in COLUMNS.items()))
        for start in ("nothing", "suggestions"):
            for way in (Keys, Pointer):
                costs = []
                for key in chosen:
                    links = dict.fromkeys(suggested[key], "sure") if start == "suggestions" else {}
                    costs.append(draw(page, address, way, pairs[key], links, gold[key]))
                report(f"from {start}, {way.__name__.lower()}", costs)
        browser.close()
    for name, cost in (("LDC Word Aligner", ldc), ("Line-a-line", line_a_line)):
        report(f"from nothing, {name}", [cost(gold[key].links) for key in chosen])


def held_out() -> list[str]:
    return [line for line in HELD_OUT.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def sample(keys: Sequence[str], pairs: Mapping[str, Any], count: int) -> list[str]:
    """Return the longest pairs and others at equal distances."""
    by_length = sorted(keys, key=lambda key: -sum(map(len, pairs[key])))
    tenth = count // 10
    longest, rest = by_length[:tenth], by_length[tenth:]
    step = max(1, len(rest) // max(1, count - tenth))
    return [*longest, *rest[::step]][:count]


def draw(page: Page, address: str, way: type[Hand], texts: Any, start: dict[Pair, str], gold: Alignment) -> Cost:
    """Draw an alignment in the editor. Raises AssertionError if the editor's answer is not the wanted alignment."""
    wanted = dict.fromkeys(gold.sure, "sure") | dict.fromkeys(gold.possible, "possible")
    prealignment = {"sure": [list(pair) for pair in sorted(start)], "possible": []} if start else None
    open_editor(page, address, " ".join(texts[0]), " ".join(texts[1]), prealignment=prealignment)
    hand = way(page, texts, dict(start))
    hand.cost.changed = len(changes(start, wanted))
    hand.cost.words = statistics.mean(map(len, texts))
    hand.work(wanted)
    if hand.cost.changed:
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


def report(name: str, costs: Sequence[Cost]) -> None:
    changed, actions = (sum(getattr(cost, figure) for cost in costs) for figure in ("changed", "actions"))
    seconds, travel = (statistics.mean(getattr(cost, figure) for cost in costs) for figure in ("seconds", "travel"))
    per = [changed, actions, f"{actions / changed:.2f}", f"{actions / len(costs):.1f}", f"{seconds:.1f}"]
    per.append(f"{travel * len(costs) / changed:.0f}" if travel else "–")
    print(f"{name:<31}" + "".join(f"{value:>{width}}" for value, width in zip(per, COLUMNS.values(), strict=True)))
    if middle := [cost.seconds for cost in costs if MIDDLE[0] <= cost.words <= MIDDLE[1]]:
        print(f"    {len(middle)} pairs of {MIDDLE[0]} to {MIDDLE[1]} words: {statistics.mean(middle):.1f} s")


if __name__ == "__main__":
    main()
