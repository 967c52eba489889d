"""Checks for `.wa` files: the rules of the official checker and, optionally, the rules of the guidelines."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass

from accord_core.chunks.formats.ists import ParsedWa, parse_wa
from accord_core.chunks.formats.ists_guidelines import guideline_faults
from accord_core.chunks.formats.ists_links import NIL, BrokenRule, score_name
from accord_core.chunks.numerics.chunks import FLAGS, TYPES, IstsPair


@dataclass(frozen=True, slots=True)
class WaStatistics:
    """Statistics about a file: the numbers of sentence pairs, linked pairs and lines, and how often each type and score
    occurs.

    `types` and `flags` contain every possible name. `scores` contains only the scores that occur, from 0 to 5, followed
    by NIL.
    """

    pairs: int
    pairs_with_links: int
    links: int
    types: dict[str, int]
    flags: dict[str, int]
    scores: dict[str, int]

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class WaCheck:
    """`malformed` contains the official checker's errors, and `against_guidelines` the additional errors from
    `--strict`. Both lists are in line order.

    `statistics` is None if the file is not well-formed, because the counts would be too low. `pairs` does not contain
    links from lines that are not well-formed.
    """

    malformed: list[BrokenRule]
    against_guidelines: list[BrokenRule]
    statistics: WaStatistics | None
    pairs: list[IstsPair]

    @property
    def faults(self) -> list[BrokenRule]:
        return _in_order([*self.malformed, *self.against_guidelines])


def well_formed(text: str) -> list[BrokenRule]:
    """Return all violations of the file format in a text, sorted by line. The list is empty if the official checker
    accepts the text.

    | rule | requirement |
    |---|---|
    | `no sentence` | The file contains a line `<sentence id="…" status="">`. |
    | `sentence tag` | Each of these lines contains an ID, followed by a space. |
    | `sentence id` | Such a line precedes the first link. |
    | `parts` | A link consists of tokens, type and score, separated by `//`. |
    | `tokens` | The tokens are two non-empty lists, separated by `<==>`. |
    | `token` | A token is a number of at least 0. |
    | `type` | The type contains only names of types and flags, joined by `_`. |
    | `main type` | The type contains exactly one type. |
    | `flags` | The type contains at most two flags. |
    | `score` | The score is a number or NIL. |
    | `score range` | The score is a number from 0 to 5. |
    | `NIL` | The score NIL occurs only with NOALI or ALIC. |

    The 2016 checker differs in ways that are probably unintended. This checker accepts a file without sentences,
    ignores a tag without an ID, reads the first two of three lists, and accepts NaN as a score.
    """
    return _in_order(parse_wa(text).malformed)


def check_wa(
    text: str, *, strict: bool = False, many_to_many: bool | None = None, annotated_only: bool = False
) -> WaCheck:
    """Check a text. If `strict` is true, the rules of the guidelines are also checked. `many_to_many` has the same
    meaning as in `guideline_faults`. With `annotated_only`, pairs without any links do not break the guidelines.
    """
    parsed = parse_wa(text)
    against = _in_order(_against_guidelines(parsed, many_to_many, annotated_only)) if strict else []
    statistics = None if parsed.malformed else wa_statistics(parsed.pairs)
    return WaCheck(_in_order(parsed.malformed), against, statistics, parsed.pairs)


def check_pairs(
    pairs: Sequence[IstsPair], *, many_to_many: bool | None = None, annotated_only: bool = False
) -> list[BrokenRule]:
    """Return the violations of the guidelines in pairs from any format, in line order. The parameters have the same
    meanings as in `check_wa`.
    """
    parsed = ParsedWa([*pairs], sentences=[()] * len(pairs))
    return _in_order(_against_guidelines(parsed, many_to_many, annotated_only))


def wa_statistics(pairs: Iterable[IstsPair]) -> WaStatistics:
    """Return statistics about the sentence pairs. Pairs with the same ID are counted only once."""
    pairs = list(pairs)
    links = [link for pair in pairs for link in pair.links]
    types = Counter(link.type for link in links)
    flags = Counter(flag for link in links for flag in link.flags)
    scores = Counter(score_name(link.score) for link in links)
    return WaStatistics(
        len({pair.id for pair in pairs}),
        len({pair.id for pair in pairs if pair.links}),
        len(links),
        {name: types[name] for name in TYPES},
        {name: flags[name] for name in FLAGS},
        {name: scores[name] for name in sorted(scores, key=lambda name: (name == NIL, name))},
    )


def _against_guidelines(parsed: ParsedWa, many_to_many: bool | None, annotated_only: bool) -> Iterator[BrokenRule]:
    yield from parsed.without_tokens
    broken_pairs = _pairs_of([*parsed.malformed, *parsed.without_tokens], parsed.pairs)
    first_line: dict[str, int | None] = {}
    for number, (pair, sentences) in enumerate(zip(parsed.pairs, parsed.sentences, strict=True)):
        if pair.id in first_line:
            message = (
                f"sentence pair {pair.id} is already on line {first_line[pair.id]}. Scorers treat the two pairs as one"
            )
            yield BrokenRule(pair.line, "same-id", message)
        first_line.setdefault(pair.id, pair.line)
        if number not in broken_pairs and sentences and sentences != (pair.source, pair.target):
            message = f"the numbered tokens of sentence pair {pair.id} differ from the tokens in the two lines with //"
            yield BrokenRule(pair.line, "two-tokenisations", message)
        if annotated_only and not pair.links:
            continue
        for fault in guideline_faults(pair, many_to_many=many_to_many):
            # Words that seem to be missing may be on an unreadable line.
            if fault.code != "not-covered" or number not in broken_pairs:
                line = pair.line if fault.link is None else pair.links[fault.link].line
                yield BrokenRule(line, fault.code, f"sentence pair {pair.id}: {fault.message.rstrip('.')}")


def _pairs_of(broken: Iterable[BrokenRule], pairs: list[IstsPair]) -> set[int]:
    """Return the positions of the pairs that contain errors."""
    tags = [pair.line or 0 for pair in pairs]
    return {bisect_right(tags, each.line or 0) - 1 for each in broken}


def _in_order(broken: Iterable[BrokenRule]) -> list[BrokenRule]:
    return sorted(broken, key=lambda each: each.line or 0)
