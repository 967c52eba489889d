"""Checks for `.wa` files: the rules of the official checker and, optionally, the rules of the guidelines."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

from alignment_ui.chunks.formats.ists import ParsedWa, parse_wa
from alignment_ui.chunks.formats.ists_guidelines import guideline_faults
from alignment_ui.chunks.formats.ists_links import NIL, BrokenRule, score_name
from alignment_ui.chunks.numerics.chunks import FLAGS, TYPES, IstsPair


@dataclass(frozen=True, slots=True)
class WaStatistics:
    """Statistics about a file: the numbers of sentence pairs, linked pairs and lines, and the counts of types and
    scores.

    `types` and `flags` have every name, `scores` those that occur, from 0 to 5 and NIL at the end.
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
    """`malformed` contains the faults that the official checker reports, and `against_guidelines` the additional faults
    of `--strict`, both in the order of the lines.

    `statistics` are None for a file that is not well-formed: whatever they count would be too little.
    """

    malformed: list[BrokenRule]
    against_guidelines: list[BrokenRule]
    statistics: WaStatistics | None

    @property
    def faults(self) -> list[BrokenRule]:
        return _in_order([*self.malformed, *self.against_guidelines])


def well_formed(text: str) -> list[BrokenRule]:
    """Return all rules of the file format that a text breaks, sorted by line. The list is empty if the official checker
    accepts the text.

    | rule | what it asks for |
    |---|---|
    | `no sentence` | a line `<sentence id="…" status="">` somewhere |
    | `sentence tag` | an id in each of these lines, followed by a blank |
    | `sentence id` | such a line before any link |
    | `parts` | tokens, type and score, with `//` between them |
    | `tokens` | two lists of tokens with `<==>` between them, none empty |
    | `token` | a number from 0 |
    | `type` | no names but those of types and flags, joined by `_` |
    | `main type` | exactly one type |
    | `flags` | at most two flags |
    | `score` | a number or NIL |
    | `score range` | a number from 0 to 5 |
    | `NIL` | NIL only with NOALI or ALIC |

    The checker of 2016 differs in what can hardly be meant: it passes a file without sentences, takes a tag without an
    id for no tag, reads two lists of three, and lets NaN be a score.
    """
    return _in_order(parse_wa(text).malformed)


def check_wa(text: str, *, strict: bool = False, many_to_many: bool | None = None) -> WaCheck:
    """Check a text. With `strict`, the rules of the guidelines are checked too. `many_to_many` has the same meaning as
    in `guideline_faults`.
    """
    parsed = parse_wa(text)
    against = _in_order(_against_guidelines(parsed, many_to_many)) if strict else []
    statistics = None if parsed.malformed else wa_statistics(parsed.pairs)
    return WaCheck(_in_order(parsed.malformed), against, statistics)


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


def _against_guidelines(parsed: ParsedWa, many_to_many: bool | None) -> Iterator[BrokenRule]:
    yield from parsed.without_tokens
    broken_pairs = _pairs_of([*parsed.malformed, *parsed.without_tokens], parsed.pairs)
    first_line: dict[str, int | None] = {}
    for number, (pair, sentences) in enumerate(zip(parsed.pairs, parsed.sentences, strict=True)):
        if pair.id in first_line:
            message = f"sentence id {pair.id} stands in line {first_line[pair.id]} already; scorers take the two as one"
            yield BrokenRule(pair.line, "same-id", message)
        first_line.setdefault(pair.id, pair.line)
        if number not in broken_pairs and sentences and sentences != (pair.source, pair.target):
            message = f"the numbered tokens of sentence pair {pair.id} are not those of the two lines with //"
            yield BrokenRule(pair.line, "two-tokenisations", message)
        for fault in guideline_faults(pair, many_to_many=many_to_many):
            # Words that seem to be missing may be in a line that cannot be read.
            if fault.code != "not-covered" or number not in broken_pairs:
                line = pair.line if fault.link is None else pair.links[fault.link].line
                yield BrokenRule(line, fault.code, f"sentence pair {pair.id}: {fault.message.rstrip('.')}")


def _pairs_of(broken: Iterable[BrokenRule], pairs: list[IstsPair]) -> set[int]:
    """Return the positions of the pairs that contain faults."""
    tags = [pair.line or 0 for pair in pairs]
    return {bisect_right(tags, each.line or 0) - 1 for each in broken}


def _in_order(broken: Iterable[BrokenRule]) -> list[BrokenRule]:
    return sorted(broken, key=lambda each: each.line or 0)
