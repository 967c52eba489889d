"""The word-overlap baseline of chunk alignment, for `accord annotate --baseline overlap`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.numerics.shared_words import share_stem

FUNCTION_WORDS = frozenset(
    "a an and are as at be been but by for from had has have he her his i in is it its not of on or she that the their "
    "they this to was we were with you".split()
)
THRESHOLD = 0.25
EQUAL_SCORE, SPECIFIC_SCORE, HIGHEST_SCORE, LOWEST_SCORE = 5, 4, 3, 2


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """Link each chunk with the chunk of the other sentence that shares the largest share of content words.

    Chunks with the same content words are EQUI with score 5. If one chunk contains all content words of the other, it
    is the more specific one, and the link is SPE1 or SPE2 with score 4. Other links are SIMI with score 3 if the chunks
    share at least half of their content words, and with score 2 otherwise. Chunks that share less than a quarter of
    their content words are NOALI. Each chunk has at most one link.

    If the question has no chunks, each word is a chunk. Initial links are not used. The question and the answer have
    the formats of the API.
    """
    sentences = {side: question[side] for side in ("source", "target")}
    chunks = question.get("chunks") or {side: [[n] for n in range(len(sentences[side]))] for side in sentences}
    source, target = (
        [_content_words([sentences[side][token] for token in chunk]) for chunk in chunks[side]] for side in sentences
    )
    links = _links(source, target)
    linked = {(side, link[side]) for link in links for side in sentences}
    left = [
        {"side": side, "chunk": number, "type": "NOALI"}
        for side in sentences
        for number in range(len(chunks[side]))
        if (side, number) not in linked
    ]
    return {"chunks": chunks, "links": links, "left": left}


def _links(source: Sequence[list[str]], target: Sequence[list[str]]) -> list[dict[str, Any]]:
    """Return one-to-one links, starting with the largest share of common words and the closest relative positions."""
    candidates = sorted(
        (-share, abs(i / len(source) - j / len(target)), i, j)
        for i, one in enumerate(source)
        for j, other in enumerate(target)
        if (share := _share(one, other)) >= THRESHOLD
    )
    links: list[dict[str, Any]] = []
    for _share_of_words, _distance, i, j in candidates:
        if all(link["source"] != i and link["target"] != j for link in links):
            relation, score = _relation(source[i], target[j])
            links.append({"source": i, "target": j, "type": relation, "flags": [], "score": score})
    return sorted(links, key=lambda link: link["source"])


def _relation(source: list[str], target: list[str]) -> tuple[str, int]:
    source_matched, target_matched = _matched(source, target), _matched(target, source)
    if source_matched == len(source) and target_matched == len(target):
        return "EQUI", EQUAL_SCORE
    if target_matched == len(target):
        return "SPE1", SPECIFIC_SCORE
    if source_matched == len(source):
        return "SPE2", SPECIFIC_SCORE
    return "SIMI", HIGHEST_SCORE if _share(source, target) >= 0.5 else LOWEST_SCORE


def _share(one: list[str], other: list[str]) -> float:
    """Return the share of the words in both chunks that have a match in the other chunk."""
    return (_matched(one, other) + _matched(other, one)) / max(len(one) + len(other), 1)


def _matched(words: list[str], others: list[str]) -> int:
    """Return the number of words that have a match in the other chunk."""
    return sum(any(share_stem(word, other) for other in others) for word in words)


def _content_words(tokens: list[str]) -> list[str]:
    """Return the words without punctuation marks and function words, or all words if there are only function words."""
    words = [token.casefold() for token in tokens if any(letter.isalnum() for letter in token)]
    return [word for word in words if word not in FUNCTION_WORDS] or words
