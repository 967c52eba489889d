"""Word links, sure and possible, and how two alignments of a sentence pair compare (Och and Ney 2003)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Link = tuple[int, int]
"""A source token and a target token, both counted from 0."""

Kind = Literal["sure", "possible"]
KINDS: tuple[Kind, ...] = ("sure", "possible")

Figures = dict[str, float | None]
"""Figures by name; None where a figure is undefined."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """The links of one sentence pair. A link is sure or possible, never both: `possible` holds those that are not sure.

    The papers' P, which contains S, is `links`.
    """

    sure: frozenset[Link] = frozenset()
    possible: frozenset[Link] = frozenset()

    def __post_init__(self) -> None:
        if both := self.sure & self.possible:
            raise ValueError(f"link {min(both)} is both sure and possible")

    @classmethod
    def of(cls, sure: Iterable[Link] = (), possible: Iterable[Link] = ()) -> Alignment:
        return cls(frozenset(sure), frozenset(possible))

    @property
    def links(self) -> frozenset[Link]:
        return self.sure | self.possible

    def of_kind(self, kind: Kind) -> frozenset[Link]:
        """The papers' S or P: the sure links, or all of them."""
        return self.sure if kind == "sure" else self.links


def identical_links(source: Sequence[str], target: Sequence[str]) -> frozenset[Link]:
    """Every link between equal words, case aside."""
    places: dict[str, list[int]] = {}
    for j, word in enumerate(target):
        places.setdefault(word.casefold(), []).append(j)
    return frozenset((i, j) for i, word in enumerate(source) for j in places.get(word.casefold(), ()))


def without(alignment: Alignment, links: frozenset[Link]) -> Alignment:
    """The alignment less these links, of whichever kind they are."""
    return Alignment(alignment.sure - links, alignment.possible - links)


def edits(before: frozenset[Link], after: frozenset[Link]) -> int:
    """How many cells of the alignment matrix change between linked and not linked. A change of kind changes no cell."""
    return len(before ^ after)


class LinkCounts(NamedTuple):
    """What every measure of links is made of, for A (the system, or one annotator) and B (the gold, or another one).

    The letters say which links: s sure, p all, A's first. `sp` is |A_S ∩ B_P|. Counts of several sentence pairs add up.
    """

    ss: int
    sp: int
    ps: int
    pp: int
    sure_a: int
    sure_b: int
    all_a: int
    all_b: int


def link_counts(a: Alignment, b: Alignment) -> LinkCounts:
    """The counts of one sentence pair; those of `b` against `a` are the same with the letters turned round."""
    all_a, all_b = a.links, b.links
    return LinkCounts(
        ss=len(a.sure & b.sure),
        sp=len(a.sure & all_b),
        ps=len(all_a & b.sure),
        pp=len(all_a & all_b),
        sure_a=len(a.sure),
        sure_b=len(b.sure),
        all_a=len(all_a),
        all_b=len(all_b),
    )


@dataclass(frozen=True, slots=True)
class WordScores:
    """A system's links against gold links, as the shared tasks on word alignment score them.

    Each figure is None where it would divide by nothing, and so is an F1 one of whose parts is.
    """

    counts: LinkCounts

    @property
    def sure(self) -> Figures:
        """|A_S ∩ B_S| over |A_S| and over |B_S|."""
        return precision_recall_f1(self.counts.ss, self.counts.sure_a, self.counts.ss, self.counts.sure_b)

    @property
    def possible(self) -> Figures:
        """The same of all links, |A_P ∩ B_P| over |A_P| and over |B_P|."""
        return precision_recall_f1(self.counts.pp, self.counts.all_a, self.counts.pp, self.counts.all_b)

    @property
    def crossed(self) -> Figures:
        """|A_S ∩ B_P| / |A_S| and |A_P ∩ B_S| / |B_S|: no sure link is one too many that the other finds possible."""
        return precision_recall_f1(self.counts.sp, self.counts.sure_a, self.counts.ps, self.counts.sure_b)

    @property
    def aer(self) -> float:
        """Alignment error rate 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|), A being all of the system's links.

        With nothing on either side there is no error: 0.
        """
        expected = self.counts.all_a + self.counts.sure_b
        return 1 - (self.counts.ps + self.counts.pp) / expected if expected else 0.0

    def as_dict(self) -> dict[str, Figures]:
        crossed = self.crossed
        return {
            "sure": self.sure,
            "possible": self.possible,
            "och_ney": {"precision": crossed["precision"], "recall": crossed["recall"], "aer": self.aer},
        }


def word_scores(pairs: Iterable[tuple[Alignment, Alignment]]) -> WordScores:
    """Scores of (gold, system) alignments, one of each for a sentence pair, from counts summed over the corpus.

    Sources: Mihalcea and Pedersen (2003) for sure and possible, Och and Ney (2003) for the crossed figures and AER.
    """
    counts = [link_counts(system, gold) for gold, system in pairs]
    return WordScores(LinkCounts(*map(sum, zip(*counts, strict=True))) if counts else LinkCounts(*[0] * 8))


def paper_scores(pairs: Iterable[tuple[Alignment, Alignment]]) -> Figures:
    """Precision, recall and F1 of (reference, judged) alignments as in Cohn, Callison-Burch and Lapata (2008), eq. 2.

    They are crossed: the judged one's sure links against all of the reference's, and the other way round. The paper
    leaves links between identical words out beforehand (`identical_links`, `without`).
    """
    return word_scores(pairs).crossed


def link_f1(gold: Alignment, given: Alignment) -> float:
    """How well an answer meets a known alignment: F1 of |A ∩ P| / |A| and |A ∩ S| / |S|, A being all links given.

    These are the crossed precision and recall of Och and Ney (2003), who give A no kinds. Were only the sure links of
    an answer held against P, somebody who calls every pair of words possible would be right throughout. A ratio of
    nothing to nothing is 1 here: there is nothing wrong. Both empty are thus 1, and one empty is 0, unless the gold's
    links are all merely possible, so that none of them is asked for.
    """
    counts = link_counts(given, gold)
    precision = counts.pp / counts.all_a if counts.all_a else 1.0
    recall = counts.ps / counts.sure_b if counts.sure_b else 1.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def precision_recall_f1(found_a: int, a: int, found_b: int, b: int) -> Figures:
    """Found of a, found of b, and their harmonic mean, which is 0 where both are; None where undefined."""
    precision = found_a / a if a else None
    recall = found_b / b if b else None
    f1 = None
    if precision is not None and recall is not None:
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return {"precision": precision, "recall": recall, "f1": f1}
