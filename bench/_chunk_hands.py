"""Hands that link the given chunks of two sentences in the editor, with a type and a score for each link."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from playwright.sync_api import Page

from accord_core.chunks.numerics.chunks import ChunkLink, IstsPair
from bench._hands import Cost, Hand
from tests.aligning import editor_strings, open_editor
from tests.chunking import OFFERS, at, chunk, complete, links

KEYS = {"EQUI": "e", "OPPO": "o", "SPE1": "d", "SPE2": "k", "SIMI": "s", "REL": "r"}


@dataclass
class ChunkHand(Hand):
    pair: IstsPair

    def work(self) -> None:
        for link in related(self.pair):
            self.decide()
            self.join(self.pair.source_chunks.index(link.source), self.pair.target_chunks.index(link.target))
            self.decide()
            self.judge(link)
        if not complete(self.page):
            self.decide()
            self.leave()

    @abstractmethod
    def join(self, i: int, j: int) -> None:
        """Link two chunks."""

    @abstractmethod
    def judge(self, link: ChunkLink) -> None:
        """Choose the type and, except for EQUI, the score of the new link."""

    @abstractmethod
    def leave(self) -> None:
        """Mark all chunks without a link."""


@dataclass
class ChunkKeys(ChunkHand):
    """U visits the chunks without a link, and the number of the offered match links the chunk. Without an offer, the
    slash and the number of the match do.
    """

    takes: ClassVar[bool] = False  # the suggested type and score, if they are right

    def join(self, i: int, j: int) -> None:
        while not chunk(self.page, 0, i).evaluate("chunk => chunk === document.activeElement"):
            self.key("u")
        if offer := chunk(self.page, 1, j).get_attribute("data-n"):
            self.key(offer)
            return
        self.key("/", *str(j + 1))
        if self.page.locator(".finder:not([hidden]) #find-said").inner_text():
            self.key("Enter")  # another number begins with this one

    def judge(self, link: ChunkLink) -> None:
        offer = self.page.locator(".offer:visible span")
        if self.takes and offer.count() and offer.inner_text() == f"Suggestion: {link.type}, score {link.score:.0f}":
            self.key("v")
        else:
            self.key(KEYS[link.type], *([] if link.type == "EQUI" else [f"{link.score:.0f}"]))

    def leave(self) -> None:
        self.key("t")


class ChunkOffers(ChunkKeys):
    takes: ClassVar[bool] = True


class ChunkPointer(ChunkHand):
    def join(self, i: int, j: int) -> None:
        self.drag(at(chunk(self.page, 0, i)), at(chunk(self.page, 1, j)))

    def judge(self, link: ChunkLink) -> None:
        self.click(self.page.locator(f"label[for='type-{link.type}']"))
        if link.type != "EQUI":
            self.click(self.page.locator(f"label[for='score-{link.score:.0f}']"))

    def leave(self) -> None:
        self.click(self.page.get_by_role("button", name="no match"))


def related(pair: IstsPair) -> list[ChunkLink]:
    return [link for link in sorted(pair.links, key=lambda link: link.source) if link.source and link.target]


def is_plain(pair: IstsPair) -> bool:
    """Return whether the editor accepts the pair's links: one per chunk, no flags, and the scores of the guidelines."""
    wanted = related(pair)
    single = all(len({getattr(link, side) for link in wanted}) == len(wanted) for side in ("source", "target"))
    scored = all((link.score == 5) == (link.type == "EQUI") and not link.flags and link.score for link in wanted)
    whole = all(
        sorted(token for chunk in chunks for token in chunk) == list(range(len(words)))
        for chunks, words in ((pair.source_chunks, pair.source), (pair.target_chunks, pair.target))
    )
    return bool(wanted) and single and scored and whole and all(link.type != "ALIC" for link in pair.links)


def link_chunks(page: Page, address: str, way: type[ChunkHand], pair: IstsPair) -> Cost:
    """Link a pair in the editor. Raises AssertionError if the editor's answer is not the wanted one."""
    chunks = {"source": [*map(list, pair.source_chunks)], "target": [*map(list, pair.target_chunks)]}
    content: dict[str, Any] = {"source": pair.source, "target": pair.target, "chunks": chunks, "links": None}
    content |= {"many": False, "f1": 0.7, "offers": OFFERS}
    open_editor(page, address, "", "", content=content, strings=editor_strings("chunks"))
    hand = way(page, pair)
    wanted = related(pair)
    hand.cost.changed = len(wanted)
    hand.work()
    drawn = [
        (pair.source_chunks.index(link.source), pair.target_chunks.index(link.target), link.type, link.score)
        for link in wanted
    ]
    assert sorted(links(page)) == sorted(drawn), (pair, links(page))
    assert complete(page)
    return hand.cost
