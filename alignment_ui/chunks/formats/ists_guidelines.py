"""Rules of the guidelines of interpretable STS for the links of a sentence pair, in addition to the file format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from alignment_ui.chunks.numerics.chunks import TOP_SCORE, UNLINKED, ChunkLink, IstsPair


class GuidelineFault(NamedTuple):
    """A broken rule of the guidelines: its name and a message for the annotator.

    `link` is the place in `IstsPair.links` of the link concerned, None where the fault is no single link's; `source`
    and `target` are the tokens concerned, counted from 0.
    """

    code: str
    message: str
    link: int | None = None
    source: tuple[int, ...] = ()
    target: tuple[int, ...] = ()


def guideline_faults(pair: IstsPair, *, many_to_many: bool | None = None) -> list[GuidelineFault]:
    """Return every rule that the links of a pair break. Faults of single links come first, followed by faults of the
    whole pair.

    | code | rule |
    |---|---|
    | `no-tokens` | a link has a token on one side at least |
    | `no-such-token` | tokens are within their sentences |
    | `one-side` | a chunk without a counterpart is NOALI or ALIC |
    | `two-sides` | NOALI and ALIC have no counterpart |
    | `left-over-score` | NOALI and ALIC have no score (NIL) |
    | `no-score` | any other link has a score |
    | `equi-score` | EQUI scores 5 |
    | `score-5` | nothing else scores 5 |
    | `left-over-flag` | NOALI and ALIC have neither FACT nor POL: there is nothing to differ from |
    | `not-covered` | every token of both sentences is in a chunk |
    | `two-links` | one to one (2015): no token is in two links |
    | `no-alic` | many to many (2016): there is no ALIC, since nothing that matches is ever taken |
    | `linked-twice` | many to many: no two chunks are linked twice |
    | `linked-and-left-over` | many to many: what is linked is not left over as well |

    `many_to_many` is the setting of a study; with None its rules, the last four, are passed over.
    """
    faults = [fault for number, link in enumerate(pair.links) for fault in _link_faults(number, link, pair)]
    faults += _uncovered(pair)
    if many_to_many is not None:
        faults += _many_to_many_faults(pair) if many_to_many else _one_to_one_faults(pair)
    return faults


def _link_faults(number: int, link: ChunkLink, pair: IstsPair) -> Iterator[GuidelineFault]:
    words = _in_words(link, pair)

    def fault(code: str, message: str) -> GuidelineFault:
        return GuidelineFault(code, message, number, link.source, link.target)

    for side, tokens, sentence in (("first", link.source, pair.source), ("second", link.target, pair.target)):
        beyond = [token + 1 for token in tokens if token >= len(sentence)]
        if beyond:
            have = f"the {side} sentence has {len(sentence)} tokens"
            yield fault("no-such-token", f"There is no token {_listed(beyond)}: {have}.")
    if not link.source and not link.target:
        yield fault("no-tokens", "This link has no token on either side.")
    if link.type in UNLINKED:
        if link.source and link.target:
            yield fault(
                "two-sides", f"{words} is linked, so that it cannot be {link.type}: give the link another type."
            )
        if link.score is not None:
            yield fault(
                "left-over-score", f"{words} is {link.type} and has nothing to score: leave the score out (NIL)."
            )
        if link.flags:
            flags = " and ".join(sorted(link.flags))
            yield fault("left-over-flag", f"{words} is {link.type} and differs from nothing: take away {flags}.")
        return
    if bool(link.source) != bool(link.target):
        yield fault(
            "one-side", f"{words} is linked with nothing, so that it is {' or '.join(UNLINKED)}, not {link.type}."
        )
    if link.score is None:
        yield fault("no-score", f"{words} needs a score from 0 to {TOP_SCORE}.")
    elif link.type == "EQUI" and link.score != TOP_SCORE:
        yield fault("equi-score", f"{words} is EQUI, which always scores {TOP_SCORE}: change the score or the type.")
    elif link.type != "EQUI" and link.score == TOP_SCORE:
        yield fault("score-5", f"{words} scores {TOP_SCORE}, which only EQUI does: lower the score or make it EQUI.")


def _uncovered(pair: IstsPair) -> Iterator[GuidelineFault]:
    in_source = {token for link in pair.links for token in link.source}
    in_target = {token for link in pair.links for token in link.target}
    source = tuple(token for token in range(len(pair.source)) if token not in in_source)
    target = tuple(token for token in range(len(pair.target)) if token not in in_target)
    advice = "link or leave over every word, full stops and commas too"
    if source:
        message = f"In the first sentence {_quoted(source, pair.source)} is in no chunk: {advice}."
        yield GuidelineFault("not-covered", message, source=source)
    if target:
        message = f"In the second sentence {_quoted(target, pair.target)} is in no chunk: {advice}."
        yield GuidelineFault("not-covered", message, target=target)


def _one_to_one_faults(pair: IstsPair) -> Iterator[GuidelineFault]:
    """Yield a fault for each link that contains tokens of an earlier link."""
    seen_in_source: set[int] = set()
    seen_in_target: set[int] = set()
    for number, link in enumerate(pair.links):
        source = tuple(token for token in link.source if token in seen_in_source)
        target = tuple(token for token in link.target if token in seen_in_target)
        seen_in_source.update(link.source)
        seen_in_target.update(link.target)
        for tokens, sentence in ((source, pair.source), (target, pair.target)):
            if tokens:
                message = f"{_quoted(tokens, sentence)} is linked or left over already: a chunk has one link here."
                places = (tokens, ()) if tokens is source else ((), tokens)
                yield GuidelineFault("two-links", message, number, *places)


def _many_to_many_faults(pair: IstsPair) -> Iterator[GuidelineFault]:
    linked_source = {token for link in pair.links if link.target for token in link.source}
    linked_target = {token for link in pair.links if link.source for token in link.target}
    times: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for number, link in enumerate(pair.links):
        words = _in_words(link, pair)
        place = (number, link.source, link.target)
        times[link.source, link.target] += 1
        if link.type == "ALIC":
            message = f"{words} is ALIC; where a chunk may have several links it is linked with what matches, or NOALI."
            yield GuidelineFault("no-alic", message, *place)
        if times[link.source, link.target] > 1:
            yield GuidelineFault("linked-twice", f"{words} stands here a second time: keep one of the two.", *place)
        left_over = linked_source.intersection(link.source if not link.target else ())
        left_over |= linked_target.intersection(link.target if not link.source else ())
        if left_over:
            message = f"{words} is linked and left over at the same time: keep the link or {link.type}."
            yield GuidelineFault("linked-and-left-over", message, *place)


def _in_words(link: ChunkLink, pair: IstsPair) -> str:
    sides = [_quoted(link.source, pair.source), _quoted(link.target, pair.target)]
    return " – ".join(side for side in sides if side) or "A link"


def _quoted(tokens: Iterable[int], sentence: Sequence[str]) -> str:
    words = " ".join(sentence[token] if token < len(sentence) else f"({token + 1})" for token in tokens)
    return f"“{words}”" if words else ""


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(str(number) for number in numbers)
