"""Hands that draw a word alignment in the editor: by pointer, by letters, and by offered matches and letters."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from playwright.sync_api import Locator

from bench._editor_plans import Block, Links, Pair, blocks, cells_of, changes, keys_of, labels
from bench._hands import Hand, centre
from tests.aligning import value_of, word

# Near the edge of the window, a drag scrolls the page.
IS_SEEN = """(element, margin) => {
  const {x, y, width, height} = element.getBoundingClientRect();
  const {scrollPaddingTop, scrollPaddingBottom} = getComputedStyle(document.documentElement);
  const [first, last] = [parseFloat(scrollPaddingTop) || 0, innerHeight - (parseFloat(scrollPaddingBottom) || 0)];
  const middle = y + height / 2;
  const top = document.elementFromPoint(x + width / 2, middle);
  return Boolean(middle > first + margin && middle < last - margin && top && element.contains(top));
}"""
EDGE = 56
IN_DOUBT = 0.1  # as in `visits.js`

Node = tuple[int, int]


@dataclass
class WordHand(Hand):
    """A hand with the links so far, the kind of new links, and the aligner's probabilities of likely links."""

    texts: Sequence[Sequence[str]]
    links: dict[Pair, str]
    kind: str = "sure"
    likely: Mapping[Pair, float] = field(default_factory=dict)

    @abstractmethod
    def work(self, wanted: Links) -> None:
        """Draw the wanted links."""

    def has(self, block: Block) -> bool:
        return all(self.links.get(pair) == block.kind for pair in block.pairs)

    def apply(self, pairs: frozenset[Pair], kind: str) -> None:
        """Do what the editor does: linking pairs that are all linked in this way removes the links."""
        if all(self.links.get(pair) == kind for pair in pairs):
            for pair in pairs:
                del self.links[pair]
        else:
            self.links |= dict.fromkeys(pairs, kind)

    def is_seen(self, node: Node, margin: int = EDGE) -> bool:
        seen: bool = word(self.page, *node).evaluate(IS_SEEN, margin)
        return seen

    def see(self, node: Node, margin: int = EDGE) -> tuple[float, float]:
        """Return the centre of a word, after a turn of the wheel or a key if the word is not on the screen."""
        if not self.is_seen(node, margin):
            word(self.page, *node).evaluate("element => element.scrollIntoView({block: 'center', behavior: 'instant'})")
            self.count()
        return centre(word(self.page, *node))


class Pointer(WordHand):
    """Drags and presses of a mouse."""

    def work(self, wanted: Links) -> None:
        for block in blocks(dict(self.links), wanted):
            self.decide()
            if block.kind != self.kind:
                self.click(self.page.get_by_role("radio", name="Possible"))
                self.kind = block.kind
            self.join(block)

    def join(self, block: Block) -> None:
        sides = [(0, block.first), (1, block.second)]
        several = [(side, run) for side, run in sides if len(run) > 1]
        removes = self.has(block)
        for side, run in several:
            if side and len(several) == 2 and not all(self.is_seen((1, end)) for end in (run[0], run[-1])):
                # The second run cannot be selected in one movement.
                for j in block.second:
                    part = Block(block.kind, block.first, range(j, j + 1))
                    if j == block.second[0]:
                        self.click(self.see((1, j)))
                        self.apply(part.pairs, block.kind)
                    elif removes or not self.has(part):
                        self.join(part)
                return
            if side or len(several) == 1:
                self.sweep((side, run), (1 - side, sides[1 - side][1][0]))
                break
            self.connect((side, run[0]), (side, run[-1]))
        else:
            self.connect((0, block.first[0]), (1, block.second[0]))
        self.apply(block.pairs, block.kind)

    def sweep(self, several: tuple[int, range], end: Node) -> None:
        """Drag along words and on to a word of the other side or, if they are not on the screen together, select the
        words and press the other.
        """
        side, run = several
        begin = self.see((side, run[0]))
        if all(self.is_seen(node) for node in ((side, run[0]), (side, run[-1]), end)):
            self.drag(begin, centre(word(self.page, side, run[-1])), centre(word(self.page, *end)))
        else:
            self.connect((side, run[0]), (side, run[-1]))
            self.click(self.see(end))

    def connect(self, start: Node, end: Node) -> None:
        """Drag from one word to another or, if they are not on the screen together, press both."""
        begin = self.see(start)
        if self.is_seen(end) and self.is_seen(start):
            self.drag(begin, centre(word(self.page, *end)))
            return
        self.click(begin)
        if start[0] == end[0]:
            self.page.keyboard.down("Shift")
            self.count()
        self.click(self.see(end))
        self.page.keyboard.up("Shift")


class Table(WordHand):
    """Drags over cells of the table, with Alt for its diagonals."""

    def work(self, wanted: Links) -> None:
        self.click(self.page.get_by_role("button", name="Table"))
        for block in blocks(dict(self.links), wanted, cells_of, diagonals=True):
            self.decide()
            if block.kind != self.kind:
                self.click(self.page.get_by_role("radio", name="Possible"))
                self.kind = block.kind
            self.paint(block)

    def paint(self, block: Block) -> None:
        """Drag over the cells, in parts if they are not on the screen together."""
        first, last = self.cell(block.first[0], block.second[0]), self.cell(block.first[-1], block.second[-1])
        if not first.evaluate(IS_SEEN, 0):
            first.evaluate("element => element.scrollIntoView({block: 'center', behavior: 'instant'})")
            self.count()
        if not last.evaluate(IS_SEEN, 0):
            for part in parts(block):
                self.paint(part)
            return
        if block.is_diagonal:
            self.page.keyboard.down("Alt")
            self.count()
        if len(block.pairs) > 1:
            self.drag(centre(first), centre(last))
        else:
            self.click(first)
        self.page.keyboard.up("Alt")
        self.apply(block.pairs, block.kind)

    def cell(self, i: int, j: int) -> Locator:
        return self.page.locator(".matrix tbody tr").nth(i).locator("td").nth(j)


class Letters(WordHand):
    """The comma puts a letter on each word, and two letters link two words. The full stop links the next two."""

    last: tuple[Pair, str, bool] | None = None  # the words that were linked last, and how

    def work(self, wanted: Links) -> None:
        self.key(",")
        self.draw(wanted)

    def draw(self, wanted: Links) -> None:
        """Go through the sentence for the sure links, and again for the possible ones."""
        for kind in ("sure", "possible"):
            while block := self.next(wanted, kind):
                self.join(block, wanted)

    def next(self, wanted: Links, kind: str) -> Block | None:
        plan = [block for block in blocks(dict(self.links), wanted, keys_of) if block.kind == kind]
        return min(plan, key=lambda block: (block.first[0], self.has(block)), default=None)

    def join(self, block: Block, wanted: Links) -> None:
        """Type the words of both sentences, and remove the wrong links of the first words in between."""
        self.decide()
        if block.kind != self.kind:
            self.key(",")
            self.kind = block.kind
        removes = self.has(block)
        if self.goes_on(block, wanted):
            return
        self.last = (min(block.pairs), block.kind, removes) if len(block.pairs) == 1 else None
        self.type(0, block.first)
        own = {pair for pair in self.links if pair[0] in block.first}
        if not removes and own and not own & wanted.keys():
            self.key("Backspace")
            self.links = {pair: kind for pair, kind in self.links.items() if pair not in own}
        # Words that are already linked would lose their links, so another word comes first.
        fresh = next(
            (j for j in block.second if not self.has(Block(block.kind, block.first, range(j, j + 1)))), block.second[0]
        )
        self.type(1, block.second, fresh)
        self.apply(block.pairs, block.kind)

    def goes_on(self, block: Block, wanted: Links) -> bool:
        """Link two words by the full stop if they follow those that were linked last. Return whether they do."""
        i, j = min(block.pairs)
        wrong = {pair for pair in self.links if pair[0] == i} - {(i, j)}
        if self.last != ((i - 1, j - 1), block.kind, self.has(block)) or len(block.pairs) > 1 or wrong - wanted.keys():
            return False
        self.key(".")
        self.last = ((i, j), block.kind, self.has(block))
        self.apply(block.pairs, block.kind)
        return True

    def type(self, side: int, run: range, begin: int | None = None) -> None:
        """Type the letter of a word, and add the others of its run: one by Space, several by Shift and a letter."""
        begin = run[0] if begin is None else begin
        self.see((side, begin), 0)
        names = labels(len(self.texts[side]))
        self.key(*names[begin])
        if begin > run[0]:
            self.key(f"Shift+{names[run[0]][-1].upper()}")
        more = run[-1] - begin
        if more > 2 and len(names[run[-1]]) == 1:
            self.see((side, run[-1]), 0)
            self.key(shifted(names[run[-1]]))
        else:
            self.key(*["Space"] * more)


class Offers(Letters):
    """U visits one word after the other, and a digit chooses an offered match. Letters link the rest."""

    def work(self, wanted: Links) -> None:
        self.visit(wanted)
        if changes(self.links, wanted):
            if self.page.locator("[aria-selected=true]").count():
                self.key("Escape")
            self.key(",")
            self.draw(wanted)

    def visit(self, wanted: Links) -> None:
        """Visit words as long as a word ahead needs a link."""
        visited: set[Node] = set()
        while self.needs_visit(wanted, visited):
            if not self.page.locator(".offers:not([hidden])").count():
                self.key("u")
            node = self.focused()
            if node is None or node in visited:
                return
            visited.add(node)
            self.decide()
            self.choose(node, wanted)

    def choose(self, node: Node, wanted: Links) -> None:
        """Choose the match of the visited word, type its letter if it is not offered, or choose that there is none."""
        side, index = node
        right = {pair for pair in wanted if pair[side] == index}
        offered = {pair: number for number, pair in self.offered(node).items() if pair in right}
        if offered:
            pair = min(offered, key=lambda pair: (wanted[pair] != "sure", offered[pair]))
            self.key(f"Shift+Digit{offered[pair]}" if wanted[pair] != self.kind else str(offered[pair]))
        elif right:
            pair = min(right, key=lambda pair: wanted[pair] != "sure")
            self.last = None
            self.key(",", *([","] if wanted[pair] != self.kind else []))
            self.kind = wanted[pair]
            self.see((1 - side, pair[1 - side]), 0)
            self.key(*labels(len(self.texts[1 - side]))[pair[1 - side]])
        else:
            self.key("0")
        if value := value_of(self.page):
            self.links = {tuple(pair): kind for kind in ("sure", "possible") for pair in value[kind]}

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

    def focused(self) -> Node | None:
        found = self.page.evaluate(
            """() => { const sides = [...document.querySelectorAll("#task .toks")];
                const side = sides.findIndex((each) => each.contains(document.activeElement));
                const words = side < 0 ? [] : [...sides[side].querySelectorAll(".tok")];
                return side < 0 ? null : [side, words.indexOf(document.activeElement)]; }"""
        )
        return tuple(found) if found else None


class DoubtfulFirst(Offers):
    """U visits the words that the aligner is least sure about. Letters do the rest."""

    def visit(self, wanted: Links) -> None:
        if not self.is_any_doubtful():
            return
        self.key("u")
        while (node := self.offered_word()) is not None:
            self.decide()
            self.choose(node, wanted)
            self.links = self.drawn()

    def choose(self, node: Node, wanted: Links) -> None:
        """Correct the link of the visited word, or link it."""
        side, index = node
        own = {pair for pair in self.links if pair[side] == index}
        right = {pair for pair in wanted if pair[side] == index}
        offered = {pair: number for number, pair in self.offered(node).items() if pair in right - own}
        if (not own or (len(own) == 1 and not own & right)) and offered:
            pair = min(offered, key=lambda pair: (wanted[pair] != "sure", offered[pair]))
            self.key(f"Shift+Digit{offered[pair]}" if wanted[pair] != self.kind else str(offered[pair]))
        elif not own or (len(own) == 1 and not own & right):
            self.key("0")
        else:
            if len(own) == 1 and wanted[min(own)] != self.links[min(own)]:
                self.key("t")
            self.key("u")

    def is_any_doubtful(self) -> bool:
        """Return whether the aligner is not sure about a link, or about a word without a link."""
        linked = {(side, pair[side]) for pair in self.links for side in (0, 1)}
        return any(
            chance <= 1 - IN_DOUBT
            if pair in self.links
            else chance >= IN_DOUBT and not {(0, pair[0]), (1, pair[1])} <= linked
            for pair, chance in self.likely.items()
        )

    def offered_word(self) -> Node | None:
        return self.focused() if self.page.locator(".offers:not([hidden])").count() else None

    def drawn(self) -> dict[Pair, str]:
        value = value_of(self.page)
        return {tuple(pair): kind for kind in ("sure", "possible") for pair in value[kind]} if value else self.links


def parts(block: Block) -> list[Block]:
    """Return the halves of a block."""
    halves = []
    middle = len(block.first) // 2 if len(block.first) > 1 else len(block.second) // 2
    for half in (slice(None, middle), slice(middle, None)):
        first = block.first[half] if len(block.first) > 1 else block.first
        second = block.second[half] if block.is_diagonal or len(block.first) == 1 else block.second
        halves.append(Block(block.kind, first, second, block.is_diagonal))
    return halves


def shifted(name: str) -> str:
    return f"Shift+Digit{name}" if name.isdigit() else f"Shift+{name.upper()}"
