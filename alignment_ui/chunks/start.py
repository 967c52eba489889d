"""The initial annotation of gold questions in a chunk alignment study.

The share of gold questions that start with chunks and links is the same as for the study's own pairs. Otherwise,
annotators could recognise gold questions by their empty start. The links come from the gold file, from a held-out item
or from the built-in word aligner. The expected links are never used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.numerics.draws import draw
from accord_core.pairs.numerics.links import Link
from accord_core.pairs.numerics.prealign import prealign
from annotate.tasktypes import ItemDraft

TEACHERS = 200  # pairs of the study that train the built-in aligner
SIDES = ("source", "target")
Payload = Mapping[str, Any]


def with_starts(
    payloads: Mapping[str, Payload], options: Mapping[str, Any], items: Sequence[ItemDraft]
) -> dict[str, dict[str, Any]]:
    """Return the gold payloads by pair ID, with the same kind of initial annotation as the study's pairs.

    A payload contains `source`, `target` and `chunks`, and also `links` and `left` if a file or item provides them.
    """
    chunk_share, link_share = _shares(options, items)
    suggested = _suggested(payloads, options, items) if link_share else {}
    return {
        key: {**payload, **_start(payload, suggested.get(key), draw("start", key), chunk_share, link_share)}
        for key, payload in payloads.items()
    }


def suggest(payload: Payload, words: frozenset[Link], *, many: bool) -> dict[str, Any]:
    """Link the chunks that share the most word links, with at most one link per chunk, and list the unlinked chunks."""
    chunks = {side: [set(chunk) for chunk in payload["chunks"][side]] for side in SIDES}
    common = Counter(
        (s, t)
        for source, target in words
        for s, one in enumerate(chunks["source"])
        for t, other in enumerate(chunks["target"])
        if source in one and target in other
    )
    sizes = {(s, t): len(chunks["source"][s]) + len(chunks["target"][t]) for s, t in common}
    taken: dict[str, set[int]] = {side: set() for side in SIDES}
    links = []
    for s, t in sorted(common, key=lambda pair: (-common[pair] / sizes[pair], pair)):
        if s not in taken["source"] and t not in taken["target"]:
            taken["source"].add(s)
            taken["target"].add(t)
            links.append({"source": s, "target": t, "flags": [], **_kind(payload, s, t)})
    matched = {"source": {s for s, _ in common}, "target": {t for _, t in common}}
    left = [
        {"side": side, "chunk": n, "type": "ALIC" if n in matched[side] and not many else "NOALI"}
        for side in SIDES
        for n in range(len(chunks[side]))
        if n not in taken[side]
    ]
    return {"links": sorted(links, key=lambda link: link["source"]), "left": left}


def _shares(options: Mapping[str, Any], items: Sequence[ItemDraft]) -> tuple[float, float]:
    """Return the proportions of the study's pairs that are prefilled with chunks and with links. If the study has no
    pairs yet, the proportions are calculated from the options.
    """
    asked = [item.content for item in items if not item.held_out]
    if not asked:
        return float(options["begin"] != "words"), float(options["begin"] == "links")
    chunks = sum(content.get("chunks") is not None for content in asked)
    links = sum(content.get("links") is not None for content in asked)
    return chunks / len(asked), links / len(asked)


def _suggested(
    payloads: Mapping[str, Payload], options: Mapping[str, Any], items: Sequence[ItemDraft]
) -> dict[str, dict[str, Any]]:
    """Return initial annotations from the built-in aligner, for pairs without links."""
    bare = [key for key, payload in payloads.items() if payload["chunks"] and payload.get("links") is None]
    teachers = sorted((item for item in items), key=lambda item: draw("teacher", item.key))[:TEACHERS]
    contents = [*(payloads[key] for key in bare), *(item.content for item in teachers)]
    words = prealign([(content["source"], content["target"]) for content in contents])
    return {key: suggest(payloads[key], links, many=options["many"]) for key, links in zip(bare, words, strict=False)}


def _start(
    payload: Payload, suggested: dict[str, Any] | None, place: float, chunk_share: float, link_share: float
) -> dict[str, Any]:
    if place < link_share:
        return suggested or {}
    start = {"links": None, "left": None}
    return start if place < chunk_share else {**start, "chunks": None}


def _kind(payload: Payload, source: int, target: int) -> dict[str, Any]:
    """Label links between chunks with the same words as EQUI, and all other links as SIMI."""
    words = [
        [payload[side][token].casefold() for token in payload["chunks"][side][chunk]]
        for side, chunk in zip(SIDES, (source, target), strict=True)
    ]
    return {"type": "EQUI", "score": 5} if words[0] == words[1] else {"type": "SIMI", "score": 3}
