"""Simulated answers: either the true annotation with a few errors or a careless annotator's random links.

The truth can be the lines of a `.wa` file joined by `;;`, or the expected answer of a gold question about a pair that
is not an item. Otherwise it is the initial annotation of the question or,
without one, single words as chunks with links between equal words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from accord_core.chunks.formats.ists_links import BETWEEN, links_of
from accord_core.chunks.formats.registry import detect, read_chunk_alignments
from accord_core.chunks.numerics.chunks import TOP_SCORE, ChunkLink, IstsPair
from accord_core.chunks.numerics.simulation import ErrorRates, draw_links
from accord_core.exchange.encoding import as_utf8
from alignment_ui.chunks.answer import SIDES, from_pair


def simulate_answer(
    payload: Mapping[str, Any], truth: Any, careless: bool, many_to_many: bool, generator: np.random.Generator
) -> dict[str, Any]:
    """Return a raw answer with a short log, as sent by a browser. It follows the guidelines."""
    meant = _meant(payload, truth)
    source, target = (len(meant["chunks"][side]) for side in SIDES)
    links = draw_links(meant["links"], (source, target), careless, ErrorRates(), generator)
    if not many_to_many:
        links = _one_each(links)
    types = {(one["side"], one["chunk"]): one["type"] for one in meant["left"]}
    linked = {(side, link[side]) for link in links for side in SIDES}
    left = [
        {"side": side, "chunk": n, "type": "NOALI" if many_to_many else types.get((side, n), "NOALI")}
        for side in SIDES
        for n in range(len(meant["chunks"][side]))
        if (side, n) not in linked
    ]
    log = [[900 * (n + 1), "link", "drag", [link["source"], link["target"]]] for n, link in enumerate(links)]
    return {"chunks": meant["chunks"], "links": links, "left": left, "log": log or [[900, "left", "key", []]]}


def without_links(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the stored answer, without a log, of an annotator who draws no links."""
    chunks = _meant({**payload, "links": None}, None)["chunks"]
    left = [{"side": side, "chunk": n, "type": "NOALI"} for side in SIDES for n in range(len(chunks[side]))]
    return {"chunks": chunks, "links": [], "left": left}


def _meant(payload: Mapping[str, Any], truth: Any) -> dict[str, Any]:
    sentences = tuple(payload["source"]), tuple(payload["target"])
    if isinstance(truth, str):
        return from_pair(IstsPair("", *sentences, links_of(truth)[0]))
    if isinstance(truth, Mapping):
        return dict(truth)
    if payload.get("links"):
        return {name: payload[name] for name in ("chunks", "links")} | {"left": payload.get("left") or []}
    chunks = payload["chunks"] or {side: [[n] for n in range(len(payload[side]))] for side in SIDES}
    words = {side: [" ".join(payload[side][n] for n in chunk).lower() for chunk in chunks[side]] for side in SIDES}
    links: list[dict[str, Any]] = []
    for number, text in enumerate(words["source"]):
        free = [n for n, other in enumerate(words["target"]) if other == text and n not in {k["target"] for k in links}]
        if free:
            links.append({"source": number, "target": free[0], "type": "EQUI", "flags": [], "score": TOP_SCORE})
    return {"chunks": chunks, "links": links, "left": []}


def _one_each(links: list[dict[str, Any]]) -> list[dict[str, Any]]:
    chosen: list[dict[str, Any]] = []
    for link in links:
        if all(link[side] != other[side] for other in chosen for side in SIDES):
            chosen.append(link)
    return chosen


def read_truth(data: bytes, name: str) -> dict[str, str] | None:
    """Return the true links of each sentence pair, by ID, from a chunk alignment file such as a `.wa` file.

    The result is None for a file in another format. Raises TableError with every error in the file.
    """
    data = as_utf8(data, name=name)
    if detect(data) is None:
        return None
    pairs, _ = read_chunk_alignments(data, name=name)
    return {pair.id: truth_of(pair) for pair in pairs}


def truth_of(pair: IstsPair) -> str:
    """Return a sentence pair's links in the form that `simulate_answer` reads."""
    return BETWEEN.join(_line(link) for link in pair.links)


def _line(link: ChunkLink) -> str:
    sides = (" ".join(str(token + 1) for token in side) or "0" for side in (link.source, link.target))
    types = "_".join([link.type, *sorted(link.flags)])
    return f"{' <==> '.join(sides)} // {types} // {'NIL' if link.score is None else f'{link.score:g}'}"
