"""Sure and possible word links, and measures that compare two alignments of a sentence pair (Och and Ney 2003)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Link = tuple[int, int]
"""A link between a source token and a target token, both numbered from 0."""

Kind = Literal["sure", "possible"]
KINDS: tuple[Kind, ...] = ("sure", "possible")

Figures = dict[str, float | None]
"""Scores by name. An undefined score is None."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """The sure and possible links in one sentence pair. Each link is either sure or possible. `possible` contains only
    links that are not sure.

    In the papers, `links` is called P and includes S.
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
        """Return the sure links (S in the papers) or all links (P in the papers)."""
        return self.sure if kind == "sure" else self.links


def identical_links(source: Sequence[str], target: Sequence[str]) -> frozenset[Link]:
    """Return all links between equal words, ignoring case."""
    places: dict[str, list[int]] = {}
    for j, word in enumerate(target):
        places.setdefault(word.casefold(), []).append(j)
    return frozenset((i, j) for i, word in enumerate(source) for j in places.get(word.casefold(), ()))


def without(alignment: Alignment, links: frozenset[Link]) -> Alignment:
    """Return the alignment without the specified links, whether they are sure or possible."""
    return Alignment(alignment.sure - links, alignment.possible - links)


def edits(before: frozenset[Link], after: frozenset[Link]) -> int:
    """Return the number of cells in the alignment matrix that are linked in only one of two alignments. Changing a sure
    link to a possible link does not change any matrix cell.
    """
    return len(before ^ after)


class LinkCounts(NamedTuple):
    """The counts needed for all link measures. A contains the links of the system or of one annotator, and B contains
    the gold links or the links of another annotator.

    The letters stand for the kinds of links, with A first: s for sure links and p for all links. `sp` is |A_S ∩ B_P|.
    The counts of several sentence pairs can be added.
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
    """Return the link counts for one sentence pair. Swapping the arguments `a` and `b` also swaps the counts."""
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
    """A system's scores against gold links, as in the word-alignment shared tasks.

    Each figure is None if its denominator is 0. F1 is also None if precision or recall is None.
    """

    counts: LinkCounts

    @property
    def sure(self) -> Figures:
        """Return precision, recall and F1 of sure links: |A_S ∩ B_S| / |A_S| and |A_S ∩ B_S| / |B_S|."""
        return precision_recall_f1(self.counts.ss, self.counts.sure_a, self.counts.ss, self.counts.sure_b)

    @property
    def possible(self) -> Figures:
        """Return precision, recall and F1 of all links: |A_P ∩ B_P| / |A_P| and |A_P ∩ B_P| / |B_P|."""
        return precision_recall_f1(self.counts.pp, self.counts.all_a, self.counts.pp, self.counts.all_b)

    @property
    def crossed(self) -> Figures:
        """Return precision, recall and F1 from |A_S ∩ B_P| / |A_S| and |A_P ∩ B_S| / |B_S|. A sure link counts as
        correct if it is a possible link in the other alignment.
        """
        return precision_recall_f1(self.counts.sp, self.counts.sure_a, self.counts.ps, self.counts.sure_b)

    @property
    def aer(self) -> float:
        """Return the alignment error rate 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|). A is the set of all links from the
        system.

        If both alignments are empty, the error rate is 0.
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
    """Return the scores of (gold, system) alignments, calculated from counts over all sentence pairs.

    Sources: Mihalcea and Pedersen (2003) for sure and possible, Och and Ney (2003) for the crossed figures and AER.
    """
    counts = [link_counts(system, gold) for gold, system in pairs]
    return WordScores(LinkCounts(*map(sum, zip(*counts, strict=True))) if counts else LinkCounts(*[0] * 8))


def paper_scores(pairs: Iterable[tuple[Alignment, Alignment]]) -> Figures:
    """Precision, recall and F1 of (reference, judged) alignments, as in Cohn, Callison-Burch and Lapata (2008),
    equation 2.

    The measures are crossed: precision compares the sure links of the judged alignment with all links of the reference,
    and recall compares the sure links of the reference with all links of the judged alignment. The paper first excludes
    links between identical words (`identical_links`, `without`).
    """
    return word_scores(pairs).crossed


def pair_f1(one: Alignment, other: Alignment, ignored: frozenset[Link] = frozenset()) -> float:
    """Return the symmetric F1 between two annotators' alignments of a sentence pair.

    The sure links of each alignment are compared with all links of the other. Links in `ignored` are removed from both
    alignments. F1 is 1 if no links remain, and 0 if only one of the alignments has sure links.
    """
    one, other = without(one, ignored), without(other, ignored)
    f1 = paper_scores([(one, other)])["f1"]
    return float(one == other) if f1 is None else f1


def link_f1(gold: Alignment, given: Alignment) -> float:
    """Return the F1 of an answer against the expected alignment, calculated from |A ∩ P| / |A| and |A ∩ S| / |S|. A is
    the set of all links in the answer.

    These are the crossed precision and recall of Och and Ney (2003), who do not distinguish kinds of links in A. If
    only the sure links of an answer were compared with P, an annotator who marks every pair of words as possible would
    always be correct. A ratio of 0 to 0 counts as 1, because the answer contains no error. Two empty alignments
    therefore result in 1. If only one alignment is empty, the result is 0, unless all gold links are possible links,
    which are not required.
    """
    counts = link_counts(given, gold)
    precision = counts.pp / counts.all_a if counts.all_a else 1.0
    recall = counts.ps / counts.sure_b if counts.sure_b else 1.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def precision_recall_f1(found_a: int, a: int, found_b: int, b: int) -> Figures:
    """Return two proportions and their harmonic mean. The harmonic mean of two zeros is 0. A figure is None if it is
    undefined.
    """
    precision = found_a / a if a else None
    recall = found_b / b if b else None
    f1 = None
    if precision is not None and recall is not None:
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return {"precision": precision, "recall": recall, "f1": f1}
