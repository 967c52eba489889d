"""Rules from the guidelines of interpretable STS. These rules apply to a sentence pair's links, in addition to the file
format's rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from accord_core.chunks.numerics.chunks import TOP_SCORE, UNLINKED, ChunkLink, IstsPair


class GuidelineFault(NamedTuple):
    """A violation of the guidelines, with the code of the rule and a message.

    `link` is the index of the wrong link in `IstsPair.links`, or None if the error is not in a single link. `source`
    and `target` are the numbers of the tokens concerned, starting at 0.
    """

    code: str
    message: str
    link: int | None = None
    source: tuple[int, ...] = ()
    target: tuple[int, ...] = ()


def guideline_faults(pair: IstsPair, *, many_to_many: bool | None = None) -> list[GuidelineFault]:
    """Return the violations of the guidelines in the links of a pair. Errors in individual links come first, followed
    by errors that concern the whole pair.

    | code | rule |
    |---|---|
    | `no-tokens` | a link must have a token on at least one side |
    | `no-such-token` | tokens must be within their sentences |
    | `one-side` | a chunk without a matching chunk must be NOALI or ALIC |
    | `two-sides` | a NOALI or ALIC chunk must not be linked |
    | `left-over-score` | a NOALI or ALIC chunk must have no score (NIL) |
    | `no-score` | any other link must have a score |
    | `equi-score` | an EQUI link must have the score 5 |
    | `score-5` | no other type can have the score 5 |
    | `left-over-flag` | a NOALI or ALIC chunk cannot have FACT or POL |
    | `not-covered` | every token of both sentences must be in a chunk |
    | `two-chunks` | a token cannot be in two different chunks |
    | `two-links` | one to one (2015): a token cannot be in two links |
    | `no-alic` | many to many (2016): ALIC is not used, because every matching chunk can be linked |
    | `linked-twice` | many to many: two chunks cannot be linked twice |
    | `linked-and-left-over` | many to many: a linked chunk cannot also be NOALI |

    `many_to_many` is the setting of a study. If it is None, the last four rules are not checked. `two-chunks` is not
    checked one to one, because `two-links` includes it.
    """
    faults = [fault for number, link in enumerate(pair.links) for fault in _link_faults(number, link, pair)]
    faults += _uncovered(pair)
    if many_to_many is not False:
        faults += _overlapping(pair)
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
            yield fault("no-such-token", f"Token {_listed(beyond)} does not exist: {have}.")
    if not link.source and not link.target:
        yield fault("no-tokens", "This link contains no tokens.")
    if link.type in UNLINKED:
        if link.source and link.target:
            yield fault(
                "two-sides", f"{words} is linked and cannot be marked as {link.type}. Choose another type for the link."
            )
        if link.score is not None:
            yield fault(
                "left-over-score", f"{words} is marked as {link.type} and cannot have a score. Change the score to NIL."
            )
        if link.flags:
            flags = " and ".join(sorted(link.flags))
            yield fault("left-over-flag", f"{words} is marked as {link.type} and cannot have {flags}. Remove {flags}.")
        return
    if bool(link.source) != bool(link.target):
        yield fault("one-side", f"{words} is not linked, so the type must be {' or '.join(UNLINKED)}, not {link.type}.")
    if link.score is None:
        yield fault("no-score", f"{words} has no score. Add a score from 0 to {TOP_SCORE}.")
    elif link.type == "EQUI" and link.score != TOP_SCORE:
        yield fault(
            "equi-score", f"{words} has the type EQUI, so the score must be {TOP_SCORE}. Change the score or the type."
        )
    elif link.type != "EQUI" and link.score == TOP_SCORE:
        yield fault(
            "score-5",
            f"{words} has a score of {TOP_SCORE}, but only links of type EQUI can have this score. Lower the "
            f"score or change the type to EQUI.",
        )


def _uncovered(pair: IstsPair) -> Iterator[GuidelineFault]:
    in_source = {token for link in pair.links for token in link.source}
    in_target = {token for link in pair.links for token in link.target}
    source = tuple(token for token in range(len(pair.source)) if token not in in_source)
    target = tuple(token for token in range(len(pair.target)) if token not in in_target)
    advice = "Put every word in a chunk, including full stops and commas"
    if source:
        message = f"In the first sentence, {_quoted(source, pair.source)} is not in a chunk. {advice}."
        yield GuidelineFault("not-covered", message, source=source)
    if target:
        message = f"In the second sentence, {_quoted(target, pair.target)} is not in a chunk. {advice}."
        yield GuidelineFault("not-covered", message, target=target)


def _overlapping(pair: IstsPair) -> Iterator[GuidelineFault]:
    """Yield an error for each link whose chunk shares a token with a different chunk of an earlier link."""
    for side, sentence in (("source", pair.source), ("target", pair.target)):
        chunk_of: dict[int, tuple[int, ...]] = {}
        for number, link in enumerate(pair.links):
            chunk: tuple[int, ...] = tuple(sorted({*getattr(link, side)}))
            shared = tuple(token for token in chunk if chunk_of.setdefault(token, chunk) != chunk)
            if shared:
                message = f"{_quoted(shared, sentence)} is in two different chunks. Split the chunks or join them."
                places = (shared, ()) if side == "source" else ((), shared)
                yield GuidelineFault("two-chunks", message, number, *places)


def _one_to_one_faults(pair: IstsPair) -> Iterator[GuidelineFault]:
    """Yield an error for each link that shares a token with an earlier link."""
    seen_in_source: set[int] = set()
    seen_in_target: set[int] = set()
    for number, link in enumerate(pair.links):
        source = tuple(token for token in link.source if token in seen_in_source)
        target = tuple(token for token in link.target if token in seen_in_target)
        seen_in_source.update(link.source)
        seen_in_target.update(link.target)
        for tokens, sentence in ((source, pair.source), (target, pair.target)):
            if tokens:
                message = (
                    f"{_quoted(tokens, sentence)} already has a link or a mark. A chunk can have only one link or mark."
                )
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
            message = (
                f"{words} is marked as ALIC, which is not used if chunks can have several links. Link the chunk with "
                "its match, or choose NOALI."
            )
            yield GuidelineFault("no-alic", message, *place)
        if times[link.source, link.target] > 1:
            yield GuidelineFault("linked-twice", f"{words} is linked twice. Remove one of the links.", *place)
        left_over = linked_source.intersection(link.source if not link.target else ())
        left_over |= linked_target.intersection(link.target if not link.source else ())
        if left_over:
            message = f"{words} is both linked and marked as {link.type}. Remove the link or the mark."
            yield GuidelineFault("linked-and-left-over", message, *place)


def _in_words(link: ChunkLink, pair: IstsPair) -> str:
    sides = [_quoted(link.source, pair.source), _quoted(link.target, pair.target)]
    return " – ".join(side for side in sides if side) or "A link"


def _quoted(tokens: Iterable[int], sentence: Sequence[str]) -> str:
    words = " ".join(sentence[token] if token < len(sentence) else f"({token + 1})" for token in tokens)
    return f"“{words}”" if words else ""


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(str(number) for number in numbers)
