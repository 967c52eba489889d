"""What an answer to a chunk-alignment question is: chunks of both sentences, and their links with type and score.

    {"chunks": {"source": [[0, 1], [2]], "target": [[0], [1, 2]]},
     "links": [{"source": 0, "target": 0, "type": "SIMI", "flags": ["POL"], "score": 3}],
     "left": [{"side": "source", "chunk": 1, "type": "NOALI"}, …],
     "log": [[1840, "link", "drag", [0, 0]], …]}

Chunks are lists of tokens counted from 0; `links` and `left` name chunks by their places there. An entry of the
log has the milliseconds since the question was shown, what was done, by which means, and what it concerned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from alignment_ui.chunks.formats.ists_guidelines import GuidelineFault, guideline_faults
from alignment_ui.chunks.numerics.chunks import FLAGS, RELATIONS, TOP_SCORE, UNLINKED, ChunkLink, IstsPair
from annotate.tasktypes import InvalidAnswer

SIDES = ("source", "target")
LONGEST_LOG = 5_000
LONGEST_DETAIL = 2_000  # characters of one entry's detail


def clean_answer(payload: Mapping[str, Any], raw: Any, *, many_to_many: bool) -> dict[str, Any]:
    """The stored form of an answer; raises `InvalidAnswer` naming the chunk or link that is wrong, and the rule.

    Where chunks may have several links (2016), whatever is left unlinked is NOALI and need not be said.
    """
    if not isinstance(raw, Mapping):
        raise InvalidAnswer("value", "An answer is an object with `chunks`, `links`, `left` and `log`.")
    chunks = _chunks(payload, raw.get("chunks"))
    links = [_link(link, f"links.{n}", chunks) for n, link in enumerate(_list(raw, "links"))]
    left = _left_over(raw, chunks, links, many_to_many)
    value = {"chunks": chunks, "links": links, "left": left}
    for fault in guideline_faults(to_pair("", payload, value), many_to_many=many_to_many):
        raise InvalidAnswer(_place(fault, len(links)), fault.message)
    return {**value, "log": _log(raw.get("log", []))}


def to_pair(key: str, payload: Mapping[str, Any], value: Mapping[str, Any]) -> IstsPair:
    """An answer as a sentence pair of a `.wa` file: links first, then what is left over."""
    chunks = {side: [tuple(chunk) for chunk in value["chunks"][side]] for side in SIDES}
    links = [
        ChunkLink(
            chunks["source"][link["source"]], chunks["target"][link["target"]], link["type"],
            frozenset(link["flags"]), link["score"],
        )
        for link in value["links"]
    ]  # fmt: skip
    links += [
        ChunkLink(chunks["source"][one["chunk"]], (), one["type"])
        if one["side"] == "source"
        else ChunkLink((), chunks["target"][one["chunk"]], one["type"])
        for one in value["left"]
    ]
    return IstsPair(key, tuple(payload["source"]), tuple(payload["target"]), tuple(links))


def from_pair(pair: IstsPair) -> dict[str, Any]:
    """The inverse of `to_pair`. Raises ValueError where a token is in two chunks, which an answer cannot say."""
    chunks = {"source": pair.source_chunks, "target": pair.target_chunks}
    for side, found in chunks.items():
        tokens = [token for chunk in found for token in chunk]
        if twice := {token + 1 for token in tokens if tokens.count(token) > 1}:
            raise ValueError(f"token {min(twice)} of the {side} is in two chunks")
        if beyond := {token + 1 for token in tokens if token >= len(getattr(pair, side))}:
            raise ValueError(f"there is no token {min(beyond)} in the {side}")
    links, left = [], []
    for link in pair.links:
        if link.source and link.target:
            links.append(
                {
                    "source": chunks["source"].index(link.source), "target": chunks["target"].index(link.target),
                    "type": link.type, "flags": sorted(link.flags), "score": link.score,
                }
            )  # fmt: skip
        elif link.source or link.target:
            side = "source" if link.source else "target"
            chunk = chunks[side].index(link.source or link.target)
            left.append({"side": side, "chunk": chunk, "type": link.type if link.type in UNLINKED else "NOALI"})
    return {
        "chunks": {side: [list(chunk) for chunk in found] for side, found in chunks.items()},
        "links": links, "left": left,
    }  # fmt: skip


def in_words(payload: Mapping[str, Any], value: Mapping[str, Any]) -> str:
    """As in “A cat – A black cat: SPE2 4; standing – is up: SIMI 3; NOALI: on branches”."""
    said = []
    for link in value["links"]:
        kind = "_".join([link["type"], *link["flags"]])
        ends = " – ".join(_words(payload, value, side, link[side]) for side in SIDES)
        said.append(f"{ends}: {kind} {link['score']:g}")
    for kind in UNLINKED:
        words = [_words(payload, value, one["side"], one["chunk"]) for one in value["left"] if one["type"] == kind]
        if words:
            said.append(f"{kind}: {', '.join(words)}")
    return "; ".join(said)


def _words(payload: Mapping[str, Any], value: Mapping[str, Any], side: str, chunk: int) -> str:
    return " ".join(payload[side][token] for token in value["chunks"][side][chunk])


# ── reading what was sent ─────────────────────────────────────────────────────────────────────────────────────────
def _chunks(payload: Mapping[str, Any], raw: Any) -> dict[str, list[list[int]]]:
    if not isinstance(raw, Mapping):
        raise InvalidAnswer("chunks", "`chunks` is an object with `source` and `target`.")
    return {side: _side(len(payload[side]), _list(raw, side, "chunks."), f"chunks.{side}") for side in SIDES}


def _side(size: int, raw: Sequence[Any], path: str) -> list[list[int]]:
    """The chunks of a sentence; no token is in two."""
    seen: set[int] = set()
    chunks = []
    for number, chunk in enumerate(raw):
        place = f"{path}.{number}"
        if not isinstance(chunk, Sequence) or isinstance(chunk, str) or not chunk:
            raise InvalidAnswer(place, "A chunk is a list of tokens, and is not empty.")
        for token in chunk:
            if type(token) is not int or not 0 <= token < size:
                raise InvalidAnswer(place, f"There is no token {token!r}; the sentence has 0 to {size - 1}.")
            if token in seen:
                raise InvalidAnswer(place, f"Token {token} is in two chunks; split or join them.")
            seen.add(token)
        chunks.append(sorted(chunk))
    return chunks


def _link(raw: Any, path: str, chunks: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    if not isinstance(raw, Mapping):
        raise InvalidAnswer(path, "A link is an object with `source`, `target`, `type`, `flags` and `score`.")
    ends = {side: _chunk(raw.get(side), f"{path}.{side}", len(chunks[side])) for side in SIDES}
    if raw.get("type") not in RELATIONS:
        raise InvalidAnswer(f"{path}.type", f"Say how the two chunks match: one of {', '.join(RELATIONS)}.")
    flags = raw.get("flags") or []
    if not isinstance(flags, Sequence) or isinstance(flags, str) or not set(map(str, flags)) <= set(FLAGS):
        raise InvalidAnswer(f"{path}.flags", f"Flags are some of {' and '.join(FLAGS)}.")
    score = raw.get("score")
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= TOP_SCORE:
        raise InvalidAnswer(f"{path}.score", f"Say how closely the two chunks match, from 0 to {TOP_SCORE}.")
    return {**ends, "type": raw["type"], "flags": sorted(set(flags)), "score": score}


def _left_over(
    raw: Mapping[str, Any], chunks: Mapping[str, Sequence[Any]], links: Sequence[Mapping[str, Any]], many_to_many: bool
) -> list[dict[str, Any]]:
    """What was said of leftover chunks; in a one-to-one study each of them has to be named."""
    said: dict[tuple[str, int], str] = {}
    for number, one in enumerate(_list(raw, "left")):
        path = f"left.{number}"
        if not isinstance(one, Mapping) or one.get("side") not in SIDES:
            raise InvalidAnswer(path, "A leftover chunk is an object with `side`, `chunk` and `type`.")
        chunk = _chunk(one.get("chunk"), f"{path}.chunk", len(chunks[one["side"]]))
        if one.get("type") not in UNLINKED:
            raise InvalidAnswer(f"{path}.type", f"A leftover chunk is {' or '.join(UNLINKED)}.")
        said[one["side"], chunk] = one["type"]
    linked = {(side, link[side]) for link in links for side in SIDES}
    loose = [(side, n) for side in SIDES for n in range(len(chunks[side])) if (side, n) not in linked]
    for place in said.keys() & linked:
        raise InvalidAnswer("left", f"Chunk {place[1]} of the {place[0]} is linked and left over at the same time.")
    if not many_to_many and (silent := [place for place in loose if place not in said]):
        side, chunk = silent[0]
        raise InvalidAnswer(
            f"chunks.{side}.{chunk}", "Nothing is linked to this chunk: link it, or say that nothing matches it "
            "(NOALI) or that what matches is taken (ALIC).",
        )  # fmt: skip
    return [{"side": side, "chunk": n, "type": said.get((side, n), "NOALI")} for side, n in loose]


def _chunk(raw: Any, path: str, count: int) -> int:
    if type(raw) is not int or not 0 <= raw < count:
        raise InvalidAnswer(path, f"There is no chunk {raw!r}; there are {count}.")
    return raw


def _list(raw: Mapping[str, Any], name: str, before: str = "") -> Sequence[Any]:
    found = raw.get(name, [])
    if not isinstance(found, Sequence) or isinstance(found, str):
        raise InvalidAnswer(f"{before}{name}", f"`{name}` is a list.")
    return found


def _log(raw: Any) -> list[list[Any]]:
    if not isinstance(raw, Sequence) or isinstance(raw, str):
        raise InvalidAnswer("log", "The log is a list of edits.")
    if len(raw) > LONGEST_LOG:
        raise InvalidAnswer("log", f"The log has {len(raw):,} entries; at most {LONGEST_LOG:,} are taken.")
    return [_entry(entry, f"log.{number}") for number, entry in enumerate(raw)]


def _entry(raw: Any, path: str) -> list[Any]:
    if not isinstance(raw, Sequence) or isinstance(raw, str) or len(raw) != 4:
        raise InvalidAnswer(path, "An entry of the log is milliseconds, what was done, by which means, and to what.")
    milliseconds, operation, means, detail = raw
    if type(milliseconds) is not int or milliseconds < 0:
        raise InvalidAnswer(path, f"Milliseconds are a whole number from 0, not {milliseconds!r}.")
    if not (isinstance(operation, str) and isinstance(means, str)) or len(operation) > 20 or len(means) > 20:
        raise InvalidAnswer(path, "What was done and by which means are two short words.")
    if len(repr(detail)) > LONGEST_DETAIL:
        raise InvalidAnswer(path, f"What an entry concerned takes at most {LONGEST_DETAIL:,} characters.")
    return [milliseconds, operation, means, detail]


def _place(fault: GuidelineFault, links: int) -> str:
    """The field of the answer that a rule of the guidelines speaks of."""
    if fault.link is None:
        return f"chunks.{'source' if fault.source else 'target'}"
    if fault.link >= links:
        return f"left.{fault.link - links}"
    part = {"no-score": ".score", "equi-score": ".score", "score-5": ".score"}.get(fault.code, "")
    return f"links.{fault.link}{part}"
