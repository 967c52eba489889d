"""The detailed output of the official scorer of interpretable STS, which the scorer prints with `--debug=1`.

The text equals the official text with two exceptions. Type mismatches of a sentence pair are sorted by their tokens,
because the official scorer prints the mismatches in a random order. Scores are written without trailing zeros. The
official scorer exchanges the headings of precision and recall: the figures below “recall per pair” are precisions, and
the figures below “precision per pair” are recalls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import fsum

from accord_core.chunks.numerics.chunks import FLAGS, IstsPair
from accord_core.chunks.numerics.scores import (
    MEASURES,
    Figures,
    Measure,
    TokenLink,
    TokenLinks,
    Version,
    shares,
    token_links_by_pair,
    type_match,
)

MODES = {"f1_ali": "", "f1_type": "type", "f1_score": "score", "f1_typ_sco": "typescore"}
LABELS = {"f1_ali": "F1 Ali", "f1_type": "F1 Type", "f1_score": "F1 Score", "f1_typ_sco": "F1 Typ+Sco"}

_DIGITS = re.compile(r"\s*[0-9]+")

Both = tuple[TokenLinks, TokenLinks]


def scorer_log(
    gold: Sequence[IstsPair], system: Sequence[IstsPair], *, names: tuple[str, str], version: Version
) -> Iterator[str]:
    """Yield the lines that the official scorer prints with `--debug=1`. `names` contains the names of the two files."""
    ids = {pair.id for pair in system if pair.links}
    yield f"GS:  {names[0]}\n   Number of pairs {names[0]}: {len({pair.id for pair in gold})}\n"
    yield f"SYS: {names[1]}\n   Number of pairs {names[1]}: {len(ids)}\n"
    links = token_links_by_pair(gold, system)
    # The official scorer also lists pairs that occur only in the system's file, as gold pairs without links.
    known = {pair.id for pair in gold} | {name for name, (ours, _) in links.items() if ours}
    listed = sorted((name for name in links if name in ids & known), key=_number)
    of_system = {name: links[name] for name in listed}
    of_gold = {name: (theirs, ours) for name, (ours, theirs) in of_system.items()}
    totals = tuple(fsum(link.weight for each in links.values() for link in each[side].values()) for side in (0, 1))
    for measure in MEASURES:
        yield from _of_measure(measure, of_system, of_gold, totals, version)


def _of_measure(
    measure: Measure,
    of_system: Mapping[str, Both],
    of_gold: Mapping[str, Both],
    totals: Sequence[float],
    version: Version,
) -> Iterator[str]:
    found_by_system, lines_of_system = _pairs(measure, of_system, version)
    found_by_gold, lines_of_gold = _pairs(measure, of_gold, version)
    precision, recall = (
        found / total if total else 0.0 for found, total in zip((found_by_system, found_by_gold), totals, strict=True)
    )
    yield f"\n F1 {MODES[measure]} ========\n"
    yield from ["    recall per pair (gs, sys)\n", *lines_of_system]
    yield from ["    precision per pair (sys, gs)\n", *lines_of_gold]
    yield f" F1 overlapSYS:   {found_by_system:.15g}\n F1 system links: {totals[0]:.15g}\n"
    yield f" F1 precision:    {precision:4.2f}\n"
    yield f" F1 overlapGS:    {found_by_gold:.15g}\n F1 gs links:     {totals[1]:.15g}\n"
    yield f" F1 recall:       {recall:4.2f}\n"
    yield f" {LABELS[measure]:<10} {Figures(precision, recall).f1:6.4f}\n"


def _pairs(measure: Measure, links: Mapping[str, Both], version: Version) -> tuple[float, list[str]]:
    """Return the total weight of all confirmed links, and the output lines for the pairs."""
    place = MEASURES.index(measure)
    weights, lines = [], []
    for name, (ours, theirs) in links.items():
        weight = fsum(
            one.weight * shares(one, theirs[tokens], version)[place] for tokens, one in ours.items() if tokens in theirs
        )
        for tokens in sorted(ours.keys() & theirs.keys()):
            lines += _mismatch(measure, ours[tokens], theirs[tokens], version)
        weights.append(weight)
        total = fsum(link.weight for link in ours.values())
        if name not in ("", "0"):
            share = weight / total if total else 0.0
            lines.append(f"   {_number(name):2d}: ov:{weight:5.2f} tot:{total:5.2f} p/r:{share:4.2f}\n")
    return fsum(weights), lines


def _mismatch(measure: Measure, one: TokenLink, other: TokenLink, version: Version) -> list[str]:
    """Return a line for two links whose types do not match, or otherwise an empty list."""
    if measure not in ("f1_type", "f1_typ_sco"):
        return []
    both = measure == "f1_typ_sco"
    match = type_match(one, other, lenient=both and version == 2015)
    if match == 1:
        return []
    texts = [_types(link) + (f" ({link.score:g})" if both else "") for link in (one, other)]
    return [f"        type mismatch: {match:.15g} {texts[0]} and {texts[1]}\n"]


def _types(link: TokenLink) -> str:
    return "_".join([link.type, *(flag for flag in FLAGS if flag.lower() in link.types)])


def _number(name: str) -> int:
    """Return the number at the start of an ID, or 0 if there is none, as Perl does."""
    start = _DIGITS.match(name)
    return int(start[0]) if start else 0
