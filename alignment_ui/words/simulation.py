"""Simulated answers: either the true alignment with a few errors or a careless annotator's alignment.

The truth of a pair can be an alignment in Pharaoh notation (`0-0 1-2 3?4`) or the expected answer of a gold question
about a pair that is not an item. It can also be a number from 0 to 1, which states how clear the pair is. The true
alignment is then the pre-alignment (or links between identical words if there is none), with possible links between the
remaining words in order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from accord_core.exchange.encoding import as_utf8
from accord_core.exchange.faults import Fault
from accord_core.pairs.formats.corpus import Corpus, Links, SentencePair, notation
from accord_core.pairs.formats.matching import match, refuse_links_outside
from accord_core.pairs.formats.registry import holds_sentences, read_alignments
from accord_core.pairs.numerics.links import Alignment, Link, identical_links
from accord_core.words.numerics.simulation import ErrorRates, draw_careful, draw_careless
from alignment_ui.words.answer import as_alignment, as_value

UNCLEAR = 0.15  # additional probability of a missed link if the truth is 0


def simulate_answer(
    payload: Mapping[str, Any], truth: Any, careless: bool, generator: np.random.Generator
) -> dict[str, Any]:
    """Return a raw answer with its log, as sent by a browser."""
    start = Alignment() if payload["prealignment"] is None else as_alignment(payload["prealignment"])
    draw = _careless if careless else _careful
    drawn = draw(payload, start, truth, generator)
    return {**as_value(drawn), "log": _edits(start, drawn, generator)}


def read_truth(data: bytes, name: str, items: Mapping[str, Any]) -> dict[str, str] | None:
    """Return each pair's true links in Pharaoh notation by item key, or None for a table of true values.

    The file can have any format of word alignments. Pairs without IDs of their own are matched with the `items` by
    position, in the order of import. Raises TableError with every error in the file.
    """
    data = as_utf8(data, name=name)
    if _is_table(data, name):
        return None
    corpus = read_alignments(data, name=name)
    if corpus.ids == "own":
        return {pair.id or "": notation(pair.alignment) for pair in corpus.pairs}
    pairs = [SentencePair(key, tuple(each["source"]), tuple(each["target"])) for key, each in items.items()]
    matched = match(Corpus("the study", "", "own", pairs), corpus)
    refuse_links_outside(matched.pairs, name)
    return {pair.id or "": notation(drawn.alignment) for pair, drawn in matched.pairs}


def _is_table(data: bytes, name: str) -> bool:
    """Return whether the first line is a CSV header. Lines that contain only alignments have no commas."""
    first = next((line for line in data.splitlines() if line.strip()), b"")
    return b"," in first and holds_sentences(data, name=name) is None


def diagonal_links(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the stored answer, without a log, of an annotator who draws sure links along the diagonal."""
    n, m = len(payload["source"]), len(payload["target"])
    longer = max(n, m)
    return as_value(Alignment.of((place * n // longer, place * m // longer) for place in range(longer)))


def _careful(payload: Mapping[str, Any], start: Alignment, truth: Any, generator: np.random.Generator) -> Alignment:
    known = _parsed(truth) if isinstance(truth, str) else as_alignment(truth) if isinstance(truth, Mapping) else None
    meant = _guessed(payload) if known is None else known
    rates = ErrorRates()
    if known is None and truth is not None:
        rates = rates._replace(missed=rates.missed + UNCLEAR * (1 - float(truth)))
    return draw_careful(start, meant, _sizes(payload), rates, generator)


def _careless(payload: Mapping[str, Any], start: Alignment, _: Any, generator: np.random.Generator) -> Alignment:
    return draw_careless(start, _sizes(payload), generator)


def _sizes(payload: Mapping[str, Any]) -> tuple[int, int]:
    return len(payload["source"]), len(payload["target"])


def _guessed(payload: Mapping[str, Any]) -> Alignment:
    if payload["prealignment"] is None:
        n, m = len(payload["source"]), len(payload["target"])
        # Link identical words, using the links closest to the diagonal and at most one link per word.
        nearest = sorted(
            identical_links(payload["source"], payload["target"]),
            key=lambda link: (abs(link[0] * m - link[1] * n), link),
        )
        start = Alignment.of(_one_to_one(nearest))
    else:
        start = as_alignment(payload["prealignment"])
    rows = [i for i in range(len(payload["source"])) if all(link[0] != i for link in start.links)]
    columns = [j for j in range(len(payload["target"])) if all(link[1] != j for link in start.links)]
    return Alignment.of(start.sure, start.possible | set(zip(rows, columns, strict=False)))


def _one_to_one(links: list[Link]) -> list[Link]:
    chosen: list[Link] = []
    for link in links:
        if all(link[0] != other[0] and link[1] != other[1] for other in chosen):
            chosen.append(link)
    return chosen


def _edits(start: Alignment, drawn: Alignment, generator: np.random.Generator) -> list[list[Any]]:
    """Return the log of an annotator who first removes wrong links and then adds missing links, with a few seconds
    between edits.
    """
    changes: list[tuple[str, Link]] = [("remove", link) for link in sorted(start.links - drawn.links)]
    changes += [("sure", link) for link in sorted(drawn.sure - start.sure)]
    changes += [("possible", link) for link in sorted(drawn.possible - start.possible)]
    clock, log = 0, []
    for operation, link in changes:
        clock += 400 + int(generator.gamma(2.0, 700.0))
        log.append([clock, operation, "drag" if generator.random() < 0.7 else "tap", [list(link)]])
    return log or [[1_500 + int(generator.gamma(2.0, 700.0)), "confirm", "button", []]]


def _parsed(text: str) -> Alignment:
    faults: list[Fault] = []
    links = Links(faults)
    links.add_notation(text, line=None, column=None)
    if faults:
        raise ValueError(f"the true alignment cannot be read: {faults[0]}")
    return links.alignment()
