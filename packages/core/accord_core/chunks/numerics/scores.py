"""The four official measures of interpretable STS, which are F1 values over token links as in Melamed (1998).

A link between two chunks represents links between all their tokens. Punctuation does not count. The weight of a token
link is 1 / max(fan-out of its two tokens), so that long chunks do not dominate short chunks. Precision uses the weights
of the system and recall uses the weights of the gold links, both summed over all sentence pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from accord_core.chunks.numerics.chunks import TOP_SCORE, ChunkLink, IstsPair

Measure = Literal["f1_ali", "f1_type", "f1_score", "f1_typ_sco"]
Version = Literal[2015, 2016]

MEASURES: tuple[Measure, ...] = ("f1_ali", "f1_type", "f1_score", "f1_typ_sco")
VERSIONS: tuple[Version, ...] = (2015, 2016)
PUNCTUATION = frozenset(".,:'`?;\"-")

_SPECIFIC_OR_SIMILAR = frozenset(["simi", "spe1", "spe2"])
_NEAR = _SPECIFIC_OR_SIMILAR | {"rel"}


class TokenLink(NamedTuple):
    """The type, the flags and the score of a link between two tokens. `types` contains a link's type and flags in lower
    case. A score of NIL counts as 0.
    """

    type: str
    types: frozenset[str]
    score: float
    weight: float


TokenLinks = Mapping[tuple[int, int], TokenLink]


@dataclass(frozen=True, slots=True)
class Figures:
    """Precision, recall and F1. All figures are 0 if there are no links."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True, slots=True)
class Overlap:
    """The overlap between a system's links and the gold links. The overlaps of several sentence pairs can be added.

    `system` and `gold` are the total weights of all token links. For each measure, `found` contains the weight of the
    system's links that the gold links confirm, and the weight of the gold links that the system confirms.
    """

    system: float
    gold: float
    found: Mapping[Measure, tuple[float, float]]

    def figures(self, measure: Measure) -> Figures:
        by_system, by_gold = self.found[measure]
        return Figures(by_system / self.system if self.system else 0.0, by_gold / self.gold if self.gold else 0.0)

    def as_dict(self) -> dict[str, float]:
        """Return each measure's F1 value."""
        return {measure: self.figures(measure).f1 for measure in MEASURES}

    def all_figures(self) -> dict[str, float]:
        """Return each measure's F1, precision and recall, with keys such as `f1_ali` and `precision_ali`."""
        figures = {measure: self.figures(measure) for measure in MEASURES}
        return {
            **self.as_dict(),
            **{measure.replace("f1", "precision"): each.precision for measure, each in figures.items()},
            **{measure.replace("f1", "recall"): each.recall for measure, each in figures.items()},
        }


@dataclass(frozen=True, slots=True)
class IstsScores:
    """A system's scores against the gold links. `pairs` maps the ID of each sentence pair to its overlap. The pairs of
    the gold file come first, in file order, followed by the other pairs.
    """

    version: Version
    total: Overlap
    pairs: Mapping[str, Overlap]

    def as_dict(self, *, by_pair: bool = False) -> dict[str, object]:
        """Return F1 by measure. If `by_pair` is true, the result also contains the F1 values and the `id` of each
        sentence pair.
        """
        scores: dict[str, object] = {**self.total.as_dict()}
        if by_pair:
            scores["by_pair"] = [{"id": name, **overlap.as_dict()} for name, overlap in self.pairs.items()]
        return scores

    def all_figures(self, *, by_pair: bool = False) -> dict[str, object]:
        """Return F1, precision and recall by measure. If `by_pair` is true, the result also contains these figures and
        the `id` of each sentence pair.
        """
        scores: dict[str, object] = {**self.total.all_figures()}
        if by_pair:
            scores["by_pair"] = [{"id": name, **overlap.all_figures()} for name, overlap in self.pairs.items()]
        return scores


def ists_scores(gold: Iterable[IstsPair], system: Iterable[IstsPair], *, version: Version = 2016) -> IstsScores:
    """Return the four F1 scores of `system` against `gold` (Agirre et al., 2015, §3.3), as printed by the official
    scorers.

    A token link in both annotations counts as 1 for `f1_ali`, as the Jaccard coefficient of the two sets of types for
    `f1_type`, as 1 − |difference of scores| / 5 for `f1_score`, and as the product of both for `f1_typ_sco`. In
    `f1_typ_sco`, the 2015 scorer does not penalise similar types (`near_types`), but the 2016 scorer does.

    The gold tokens determine which tokens are punctuation. Pairs are matched by ID, and pairs with the same ID count as
    one pair. If there are two links between the same tokens, the later link counts. A pair that occurs in only one file
    lowers the scores. Raises ValueError for an unknown version.
    """
    if version not in VERSIONS:
        raise ValueError(f"the version must be 2015 or 2016, not {version}")
    pairs = {name: overlap(*both, version) for name, both in token_links_by_pair(gold, system).items()}
    return IstsScores(version, added(pairs.values()), pairs)


def token_links_by_pair(
    gold: Iterable[IstsPair], system: Iterable[IstsPair]
) -> dict[str, tuple[TokenLinks, TokenLinks]]:
    """Return the system's token links and the gold token links for each sentence pair, by ID.

    The pairs of the gold file come first, in file order, followed by the other pairs. Pairs with the same ID count as
    one pair, and the gold tokens determine which tokens are punctuation.
    """
    gold, system = list(gold), list(system)
    words = {pair.id: (pair.source, pair.target) for pair in gold}
    links_of_gold, links_of_system = _links_by_pair(gold, words), _links_by_pair(system, words)
    return {
        name: (links_of_system.get(name, {}), links_of_gold.get(name, {}))
        for name in {**links_of_gold, **links_of_system}
    }


def token_links(
    links: Iterable[ChunkLink], source: Sequence[str], target: Sequence[str]
) -> dict[tuple[int, int], TokenLink]:
    """Return the token links that follow from chunk links. Punctuation is excluded."""
    said: dict[tuple[int, int], tuple[str, frozenset[str], float]] = {}
    for link in links:
        types = frozenset(name.lower() for name in (link.type, *link.flags))
        for i in words_among(link.source, source):
            for j in words_among(link.target, target):
                said[i, j] = (link.type, types, link.score or 0.0)
    partners_of_source, partners_of_target = Counter(i for i, _ in said), Counter(j for _, j in said)
    return {
        (i, j): TokenLink(*what, 1 / max(partners_of_source[i], partners_of_target[j])) for (i, j), what in said.items()
    }


def words_among(tokens: Iterable[int], sentence: Sequence[str]) -> list[int]:
    """Return the tokens that are not punctuation. Tokens beyond the end of the sentence count as words."""
    return [token for token in tokens if token >= len(sentence) or sentence[token] not in PUNCTUATION]


def overlap(system: TokenLinks, gold: TokenLinks, version: Version) -> Overlap:
    """Return the overlap between the system's links and the gold links in one sentence pair."""
    found = {measure: [0.0, 0.0] for measure in MEASURES}
    for tokens, ours in system.items():
        theirs = gold.get(tokens)
        if theirs is None:
            continue
        for measure, share in zip(MEASURES, shares(ours, theirs, version), strict=True):
            found[measure][0] += share * ours.weight
            found[measure][1] += share * theirs.weight
    return Overlap(
        sum(link.weight for link in system.values()),
        sum(link.weight for link in gold.values()),
        {measure: (by_system, by_gold) for measure, (by_system, by_gold) in found.items()},
    )


def added(overlaps: Iterable[Overlap]) -> Overlap:
    """Return the summed overlaps of several sentence pairs."""
    overlaps = list(overlaps)
    return Overlap(
        sum(each.system for each in overlaps),
        sum(each.gold for each in overlaps),
        {
            measure: (
                sum(each.found[measure][0] for each in overlaps),
                sum(each.found[measure][1] for each in overlaps),
            )
            for measure in MEASURES
        },
    )


def near_types(ours: TokenLink, theirs: TokenLink) -> bool:
    """Return whether the official 2015 scorer treats two different types as equal.

    EQUI is similar to SIMI, SPE1 and SPE2 if the other type has a score of 4 or more. SIMI, SPE1, SPE2 and REL are
    similar to each other if both scores are below 3.
    """
    for one, other in ((ours, theirs), (theirs, ours)):
        if "equi" in one.types and other.types & _SPECIFIC_OR_SIMILAR and other.score >= 4:
            return True
    both_near = ours.types & _NEAR and theirs.types & _NEAR
    return bool(both_near) and not ours.types & theirs.types & _NEAR and ours.score < 3 and theirs.score < 3


def _links_by_pair(
    pairs: Iterable[IstsPair], words: Mapping[str, tuple[Sequence[str], Sequence[str]]]
) -> dict[str, dict[tuple[int, int], TokenLink]]:
    links: dict[str, list[ChunkLink]] = {}
    for pair in pairs:
        links.setdefault(pair.id, []).extend(pair.links)
    return {name: token_links(each, *words.get(name, ((), ()))) for name, each in links.items()}


def shares(ours: TokenLink, theirs: TokenLink, version: Version) -> tuple[float, float, float, float]:
    """Return the share of a link's weight that counts if both annotations contain the link, in the order of
    `MEASURES`.
    """
    by_score = 1 - abs(ours.score - theirs.score) / TOP_SCORE
    by_both = by_score * type_match(ours, theirs, lenient=version == 2015)
    return 1.0, type_match(ours, theirs), by_score, by_both


def type_match(ours: TokenLink, theirs: TokenLink, *, lenient: bool = False) -> float:
    """Return the Jaccard coefficient of the types and flags of two links. If `lenient` is true, similar types
    (`near_types`) count as equal.
    """
    common, all_types = len(ours.types & theirs.types), len(ours.types | theirs.types)
    return (1 + common) / (all_types - 1) if lenient and near_types(ours, theirs) else common / all_types
