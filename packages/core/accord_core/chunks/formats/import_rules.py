"""Violations of the guidelines in an imported file, as errors and warnings.

A violation that affects what annotators see is an error or, if the study imports such files unchanged, a warning.
Unreadable words and repeated IDs are always errors.
"""

from __future__ import annotations

from collections.abc import Iterable

from accord_core.chunks.formats.ists_links import BrokenRule
from accord_core.exchange.faults import Fault

SAME_ID = "same-id"
ALWAYS = frozenset({"token list", "no tokens", SAME_ID})
OF_WORDS = frozenset({"two-tokenisations"})
SCORED = "left-over-score"
OF_CHUNKS = frozenset({"no-such-token", "no-tokens", "not-covered", "two-chunks"})

_EFFECTS = {
    "no-such-token": "The pair starts without chunks and links",
    "two-chunks": "The pair starts without chunks and links",
    "two-tokenisations": "The numbered tokens are imported",
    "no-tokens": "The link is not imported",
    "one-side": "The chunk starts as NOALI",
    SCORED: "The chunk starts with NIL",
    "left-over-flag": "The chunk starts without the flag",
}
_TO_FIX = "Annotators must fix the initial annotation"
_UNUSED = "This study does not use the {part} in the file, so annotators do not see the error"


def by_severity(violations: Iterable[BrokenRule], *, begin: str, refuse: bool) -> tuple[list[Fault], list[Fault]]:
    """Return errors and warnings. `begin` is the initial annotation of the study: words, chunks or links."""
    faults, warnings = [], []
    refused = 0
    for each in violations:
        used = _is_used(each.rule, begin)
        if each.rule in ALWAYS or (used and refuse):
            faults.append(each.fault)
            refused += each.rule not in ALWAYS
        else:
            warnings.append(Fault(each.line, None, f"{each.message}. {_effect(each.rule, used)}"))
    if refused:
        faults.insert(0, Fault(None, None, _way_in(refused)))
    return faults, warnings


def gold_by_severity(violations: Iterable[BrokenRule], *, refuse: bool) -> tuple[list[Fault], list[Fault]]:
    """Return errors and warnings for expected annotations, which must be answers that annotators can submit.

    The only exception is the score of an unlinked chunk, because answers do not contain this score.
    """
    faults, warnings = [], []
    scored = 0
    for each in violations:
        if each.rule != SCORED:
            faults.append(each.fault)
        elif refuse:
            faults.append(each.fault)
            scored += 1
        else:
            warnings.append(Fault(each.line, None, f"{each.message}. The expected answer has NIL"))
    if scored and scored == len(faults):
        faults.insert(0, Fault(None, None, _way_in(scored)))
    return faults, warnings


def _is_used(rule: str, begin: str) -> bool:
    return begin == "links" or rule in OF_WORDS or (begin == "chunks" and rule in OF_CHUNKS)


def _effect(rule: str, used: bool) -> str:
    if used:
        return _EFFECTS.get(rule, _TO_FIX)
    return _UNUSED.format(part="chunks" if rule in OF_CHUNKS else "links")


def _way_in(refused: int) -> str:
    errors = "1 error" if refused == 1 else f"{refused:,} errors"
    return (
        f"the file breaks the annotation guidelines ({errors}). Fix the lines below. To import the file as it stands, "
        "change “Imported files that break the guidelines” in the study's settings"
    )
