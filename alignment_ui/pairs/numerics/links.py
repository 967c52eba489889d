"""Sure and possible word links, and the measures that compare two alignments of a sentence pair (Och and Ney 2003)."""

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
    """The sure and possible links of one sentence pair. Each link is either sure or possible. `possible` contains only
    links that are not sure.

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
        """Return either the sure links (S in the papers) or all links (P in the papers)."""
        return self.sure if kind == "sure" else self.links


def identical_links(source: Sequence[str], target: Sequence[str]) -> frozenset[Link]:
    """Return all links between equal words, ignoring case."""
    places: dict[str, list[int]] = {}
    for j, word in enumerate(target):
        places.setdefault(word.casefold(), []).append(j)
    return frozenset((i, j) for i, word in enumerate(source) for j in places.get(word.casefold(), ()))


def without(alignment: Alignment, links: frozenset[Link]) -> Alignment:
    """Return the alignment without the specified links, which can be sure or possible."""
    return Alignment(alignment.sure - links, alignment.possible - links)


def edits(before: frozenset[Link], after: frozenset[Link]) -> int:
    """Return the number of cells in the alignment matrix that are linked in only one of the two alignments. Changing a
    sure link to a possible link does not change any matrix cell.
    """
    return len(before ^ after)


class LinkCounts(NamedTuple):
    """The counts from which all link measures are calculated. A contains the links of the system or of one annotator,
    and B contains the gold links or the links of another annotator.

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
    """Return the counts of links for one sentence pair. Swapping the arguments `a` and `b` swaps the counts."""
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
    """Scores of a system's links, compared with gold links, as in the shared tasks on word alignment.

    Each figure is None where it would divide by nothing, and so is an F1 one of whose parts is.
    """

    counts: LinkCounts

    @property
    def sure(self) -> Figures:
        """|A_S ∩ B_S| over |A_S| and over |B_S|."""
        return precision_recall_f1(self.counts.ss, self.counts.sure_a, self.counts.ss, self.counts.sure_b)

    @property
    def possible(self) -> Figures:
        """Return precision, recall and F1 of all links: |A_P ∩ B_P| / |A_P| and |A_P ∩ B_P| / |B_P|."""
        return precision_recall_f1(self.counts.pp, self.counts.all_a, self.counts.pp, self.counts.all_b)

    @property
    def crossed(self) -> Figures:
        """|A_S ∩ B_P| / |A_S| and |A_P ∩ B_S| / |B_S|: no sure link is one too many that the other finds possible."""
        return precision_recall_f1(self.counts.sp, self.counts.sure_a, self.counts.ps, self.counts.sure_b)

    @property
    def aer(self) -> float:
        """Return the alignment error rate 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|). A contains all links of the system.

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
    """Return the scores of (gold, system) alignments from counts that are summed over all sentence pairs.

    Sources: Mihalcea and Pedersen (2003) for sure and possible, Och and Ney (2003) for the crossed figures and AER.
    """
    counts = [link_counts(system, gold) for gold, system in pairs]
    return WordScores(LinkCounts(*map(sum, zip(*counts, strict=True))) if counts else LinkCounts(*[0] * 8))


def paper_scores(pairs: Iterable[tuple[Alignment, Alignment]]) -> Figures:
    """The precision, recall and F1 of (reference, judged) alignments, as in Cohn, Callison-Burch and Lapata (2008),
    equation 2.

    They are crossed: the judged one's sure links against all of the reference's, and the other way round. The paper
    leaves links between identical words out beforehand (`identical_links`, `without`).
    """
    return word_scores(pairs).crossed


def pair_f1(one: Alignment, other: Alignment, ignored: frozenset[Link] = frozenset()) -> float:
    """Return the F1 between two annotators' alignments of a sentence pair, which does not depend on the order of the
    annotators.

    Sure links of one are compared with all links of the other. Links in `ignored` are removed from both. Without any
    links left, F1 is 1. If only one of them has sure links, F1 is 0.
    """
    one, other = without(one, ignored), without(other, ignored)
    f1 = paper_scores([(one, other)])["f1"]
    return float(one == other) if f1 is None else f1


def link_f1(gold: Alignment, given: Alignment) -> float:
    """Return the F1 of an answer, compared with the expected alignment, from |A ∩ P| / |A| and |A ∩ S| / |S|. A
    contains all links of the answer.

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
    """Return two proportions and their harmonic mean. The mean of two zeros is 0, and an undefined value is None."""
    precision = found_a / a if a else None
    recall = found_b / b if b else None
    f1 = None
    if precision is not None and recall is not None:
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return {"precision": precision, "recall": recall, "f1": f1}
