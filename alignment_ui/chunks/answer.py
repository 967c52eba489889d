"""The answer to a chunk-alignment question: chunks of both sentences, and links with a type and a score.

    {"chunks": {"source": [[0, 1], [2]], "target": [[0], [1, 2]]},
     "links": [{"source": 0, "target": 0, "type": "SIMI", "flags": ["POL"], "score": 3}],
     "left": [{"side": "source", "chunk": 1, "type": "NOALI"}, …],
     "log": [[1840, "link", "drag", [0, 0]], …]}

Chunks are lists of token numbers, starting at 0. `links` and `left` refer to chunks by their index. A log entry
contains the milliseconds since the question was shown, the operation, the input method, and a detail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from accord_core.chunks.formats.ists_guidelines import GuidelineFault, guideline_faults
from accord_core.chunks.numerics.chunks import (
    FLAGS,
    RELATIONS,
    TOP_SCORE,
    UNLINKED,
    ChunkLink,
    IstsPair,
    final_punctuation,
)
from annotate.tasktypes import InvalidAnswer

SIDES = ("source", "target")
LONGEST_LOG = 5_000
MEANINGS = {"NOALI": "not aligned", "ALIC": "match already linked"}
LONGEST_DETAIL = 2_000  # maximum number of characters in the detail of an entry


def clean_answer(payload: Mapping[str, Any], raw: Any, *, many_to_many: bool) -> dict[str, Any]:
    """Return an answer in its stored form. Raises `InvalidAnswer`, which identifies the broken rule and the path to the
    invalid chunk or link.

    If chunks can have several links (2016), an unlinked chunk is NOALI by default, and the answer can omit it. In all
    studies, the answer can omit final punctuation, which is then NOALI too.
    """
    if not isinstance(raw, Mapping):
        raise InvalidAnswer("value", "The answer must be an object with `chunks`, `links`, `left` and `log`.")
    chunks = _chunks(payload, raw.get("chunks"))
    links = [_link(link, f"links.{n}", chunks) for n, link in enumerate(_list(raw, "links"))]
    left = _left_over(payload, raw, chunks, links, many_to_many)
    value = {"chunks": chunks, "links": links, "left": left}
    for fault in guideline_faults(to_pair("", payload, value), many_to_many=many_to_many):
        raise InvalidAnswer(_place(fault, len(links)), _message(fault))
    return {**value, "log": _log(raw.get("log", []))}


def to_pair(key: str, payload: Mapping[str, Any], value: Mapping[str, Any]) -> IstsPair:
    """Convert an answer into a sentence pair in `.wa` format, with the unlinked chunks listed after the links."""
    chunks = {side: [tuple(chunk) for chunk in value["chunks"][side]] for side in SIDES}
    links = [
        ChunkLink(
            chunks["source"][link["source"]],
            chunks["target"][link["target"]],
            link["type"],
            frozenset(link["flags"]),
            link["score"],
        )
        for link in value["links"]
    ]
    links += [
        ChunkLink(chunks["source"][one["chunk"]], (), one["type"])
        if one["side"] == "source"
        else ChunkLink((), chunks["target"][one["chunk"]], one["type"])
        for one in value["left"]
    ]
    return IstsPair(key, tuple(payload["source"]), tuple(payload["target"]), tuple(links))


def from_pair(pair: IstsPair) -> dict[str, Any]:
    """Convert a sentence pair into an answer. This function is the inverse of `to_pair`. Raises ValueError if a token
    is in two chunks.
    """
    chunks = {"source": pair.source_chunks, "target": pair.target_chunks}
    for side, parts in chunks.items():
        tokens = [token for chunk in parts for token in chunk]
        if twice := {token + 1 for token in tokens if tokens.count(token) > 1}:
            raise ValueError(f"token {min(twice)} of the {side} sentence is in two chunks")
        if beyond := {token + 1 for token in tokens if token >= len(getattr(pair, side))}:
            raise ValueError(f"the {side} sentence has no token {min(beyond)}")
    links, left = [], []
    for link in pair.links:
        if link.source and link.target:
            links.append(
                {
                    "source": chunks["source"].index(link.source),
                    "target": chunks["target"].index(link.target),
                    "type": link.type,
                    "flags": sorted(link.flags),
                    "score": link.score,
                }
            )
        elif link.source or link.target:
            side = "source" if link.source else "target"
            chunk = chunks[side].index(link.source or link.target)
            left.append({"side": side, "chunk": chunk, "type": link.type if link.type in UNLINKED else "NOALI"})
    return {
        "chunks": {side: [list(chunk) for chunk in parts] for side, parts in chunks.items()},
        "links": links,
        "left": left,
    }


def in_words(payload: Mapping[str, Any], value: Mapping[str, Any]) -> str:
    """Describe an answer in words, for example “A cat – A black cat: SPE2 4; standing – is up: SIMI 3; not aligned: “on
    branches””.
    """
    parts = []
    for link in value["links"]:
        kind = "_".join([link["type"], *link["flags"]])
        ends = " – ".join(_words(payload, value, side, link[side]) for side in SIDES)
        # Imported links that violate the guidelines can lack a score.
        score = "" if link["score"] is None else f" {link['score']:g}"
        parts.append(f"{ends}: {kind}{score}")
    for kind, meaning in MEANINGS.items():
        words = [_words(payload, value, one["side"], one["chunk"]) for one in value["left"] if one["type"] == kind]
        if words:
            parts.append(f"{meaning}: {', '.join(f'“{each}”' for each in words)}")
    return "; ".join(parts)


def _words(payload: Mapping[str, Any], value: Mapping[str, Any], side: str, chunk: int) -> str:
    return " ".join(payload[side][token] for token in value["chunks"][side][chunk])


# ── reading a raw answer ─────────────────────────────────────────────────────────────────────────────────────────
def _chunks(payload: Mapping[str, Any], raw: Any) -> dict[str, list[list[int]]]:
    if not isinstance(raw, Mapping):
        raise InvalidAnswer("chunks", "`chunks` must be an object with `source` and `target`.")
    return {side: _side(len(payload[side]), _list(raw, side, "chunks."), f"chunks.{side}") for side in SIDES}


def _side(size: int, raw: Sequence[Any], path: str) -> list[list[int]]:
    """Return the chunks of a sentence. Raises `InvalidAnswer` if two chunks share a token."""
    seen: set[int] = set()
    chunks = []
    for number, chunk in enumerate(raw):
        place = f"{path}.{number}"
        if not isinstance(chunk, Sequence) or isinstance(chunk, str) or not chunk:
            raise InvalidAnswer(place, "A chunk must be a list with at least one token number.")
        for token in chunk:
            if type(token) is not int or not 0 <= token < size:
                raise InvalidAnswer(place, f"Token {token!r} does not exist: the sentence has tokens 0 to {size - 1}.")
            if token in seen:
                raise InvalidAnswer(place, _("A word belongs to two chunks. Split the chunks or join them."))
            seen.add(token)
        chunks.append(sorted(chunk))
    return chunks


def _link(raw: Any, path: str, chunks: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    if not isinstance(raw, Mapping):
        raise InvalidAnswer(path, "A link must be an object with `source`, `target`, `type`, `flags` and `score`.")
    ends = {side: _chunk(raw.get(side), f"{path}.{side}", len(chunks[side])) for side in SIDES}
    if raw.get("type") not in RELATIONS:
        message = _("Choose how the two chunks match: %(types)s.") % {"types": ", ".join(RELATIONS)}
        raise InvalidAnswer(f"{path}.type", message)
    flags = raw.get("flags") or []
    if not isinstance(flags, Sequence) or isinstance(flags, str) or not set(map(str, flags)) <= set(FLAGS):
        raise InvalidAnswer(f"{path}.flags", f"`flags` can contain only {' and '.join(FLAGS)}.")
    score = raw.get("score")
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= TOP_SCORE:
        message = _("Choose how closely the two chunks match, from 0 to %(top)d.") % {"top": TOP_SCORE}
        raise InvalidAnswer(f"{path}.score", message)
    return {**ends, "type": raw["type"], "flags": sorted(set(flags)), "score": score}


def _left_over(
    payload: Mapping[str, Any],
    raw: Mapping[str, Any],
    chunks: Mapping[str, Sequence[Any]],
    links: Sequence[Mapping[str, Any]],
    many_to_many: bool,
) -> list[dict[str, Any]]:
    """Return the unlinked chunks with their types. In one-to-one studies, the answer must list every unlinked chunk
    except final punctuation.
    """
    said: dict[tuple[str, int], str] = {}
    for number, one in enumerate(_list(raw, "left")):
        path = f"left.{number}"
        if not isinstance(one, Mapping) or one.get("side") not in SIDES:
            raise InvalidAnswer(path, "An unlinked chunk must be an object with `side`, `chunk` and `type`.")
        chunk = _chunk(one.get("chunk"), f"{path}.chunk", len(chunks[one["side"]]))
        if one.get("type") not in UNLINKED:
            message = _("A chunk without a link must be %(types)s.") % {"types": " / ".join(UNLINKED)}
            raise InvalidAnswer(f"{path}.type", message)
        said[one["side"], chunk] = one["type"]
    linked = {(side, link[side]) for link in links for side in SIDES}
    loose = [(side, n) for side in SIDES for n in range(len(chunks[side])) if (side, n) not in linked]
    for place in said.keys() & linked:
        raise InvalidAnswer(
            f"chunks.{place[0]}.{place[1]}",
            _("This chunk has a link and cannot be marked as NOALI or ALIC. Remove the link or the mark."),
        )
    marks = {side: final_punctuation(payload[side]) for side in SIDES}
    silent = [(side, n) for side, n in loose if (side, n) not in said and not marks[side].issuperset(chunks[side][n])]
    if silent and not many_to_many:
        side, chunk = silent[0]
        raise InvalidAnswer(
            f"chunks.{side}.{chunk}",
            _(
                "This chunk has no link. Link the chunk, or choose NOALI (no match) or ALIC (the match already has "
                "a link)."
            ),
        )
    return [{"side": side, "chunk": n, "type": said.get((side, n), "NOALI")} for side, n in loose]


def _chunk(raw: Any, path: str, count: int) -> int:
    if type(raw) is not int or not 0 <= raw < count:
        raise InvalidAnswer(path, f"Chunk {raw!r} does not exist. The number of chunks is {count}.")
    return raw


def _list(raw: Mapping[str, Any], name: str, before: str = "") -> Sequence[Any]:
    entries = raw.get(name, [])
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        raise InvalidAnswer(f"{before}{name}", f"`{name}` must be a list.")
    return entries


def _log(raw: Any) -> list[list[Any]]:
    if not isinstance(raw, Sequence) or isinstance(raw, str):
        raise InvalidAnswer("log", "`log` must be a list of entries.")
    if len(raw) > LONGEST_LOG:
        raise InvalidAnswer("log", f"The log has {len(raw):,} entries. The limit is {LONGEST_LOG:,}.")
    return [_entry(entry, f"log.{number}") for number, entry in enumerate(raw)]


def _entry(raw: Any, path: str) -> list[Any]:
    if not isinstance(raw, Sequence) or isinstance(raw, str) or len(raw) != 4:
        raise InvalidAnswer(
            path,
            "Each log entry must contain the time in milliseconds, the operation, the input method and the details.",
        )
    milliseconds, operation, means, detail = raw
    if type(milliseconds) is not int or milliseconds < 0:
        raise InvalidAnswer(
            path, f"The number of milliseconds must be a whole number of at least 0, not {milliseconds!r}."
        )
    if not (isinstance(operation, str) and isinstance(means, str)) or len(operation) > 20 or len(means) > 20:
        raise InvalidAnswer(path, "The operation and the input method must be words of at most 20 characters.")
    if len(repr(detail)) > LONGEST_DETAIL:
        raise InvalidAnswer(path, f"The detail of a log entry can have at most {LONGEST_DETAIL:,} characters.")
    return [milliseconds, operation, means, detail]


def _message(fault: GuidelineFault) -> str:
    """Return a translated message for the annotator. The messages from `guideline_faults` refer to files and are not
    translated.
    """
    messages = {
        "two-sides": _("A chunk with a link cannot be marked as NOALI or ALIC. Choose another type for the link."),
        "left-over-score": _("A chunk marked as NOALI or ALIC cannot have a score. Remove the score."),
        "left-over-flag": _("A chunk marked as NOALI or ALIC cannot have the flag FACT or POL. Remove FACT and POL."),
        "one-side": _("This chunk has no link. Choose NOALI or ALIC, or link the chunk."),
        "no-score": _("A link has no score. Choose a score from 1 to 5."),
        "equi-score": _("A link of type EQUI must have a score of 5. Change the score or the type."),
        "score-5": _("Only links of type EQUI can have a score of 5. Change the score or the type."),
        "not-covered": _("Some words are not in a chunk. Put every word in a chunk, including full stops and commas."),
        "two-links": _("A chunk has two links. Each chunk can have only one link in this study."),
        "no-alic": _("ALIC is not used in this study. Link the chunk with its match, or choose NOALI."),
        "linked-twice": _("The same two chunks are linked twice. Remove one of the links."),
        "linked-and-left-over": _("A chunk is both linked and marked as NOALI. Remove the link or the mark."),
    }
    return messages.get(fault.code, fault.message)


def _place(fault: GuidelineFault, links: int) -> str:
    """Return the path to the part of the answer that violates the rule."""
    if fault.link is None:
        return f"chunks.{'source' if fault.source else 'target'}"
    if fault.link >= links:
        return f"left.{fault.link - links}"
    part = {"no-score": ".score", "equi-score": ".score", "score-5": ".score"}.get(fault.code, "")
    return f"links.{fault.link}{part}"
