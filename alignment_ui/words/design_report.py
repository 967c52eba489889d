"""The design report for a word alignment study, which researchers can read before they pay for judgements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.pairs.numerics.links import Alignment
from alignment_ui.words.subcorpus import Subcorpus
from annotate.tasktypes import Bars, Check, DesignReport

BIN = 10


def design_report(
    subcorpora: Sequence[Subcorpus],
    suggested: Mapping[str, Alignment],
    options: Mapping[str, Any],
    finished: int | None = None,
) -> DesignReport:
    """Return the checks, the number of pairs in each subcorpus, the number of pairs excluded for each reason, and the
    charts.

    `finished` is the number of finished pairs from which the built-in aligner has learned, or None if the aligner could
    not learn from finished pairs.
    """
    learned = {} if finished is None else {"finished_pairs": finished}
    return DesignReport(
        [
            *(_asked(subcorpus, options) for subcorpus in subcorpora),
            *_amounts(subcorpora, options),
            _prealigned(subcorpora, suggested, options),
            *([] if finished is None else [_learned(finished)]),
            _repeated(subcorpora),
        ],
        {"tokens of the longer sentence": _lengths(subcorpora), "excluded pairs": _left_out(subcorpora)},
        {
            "subcorpora": [
                {
                    "subcorpus": subcorpus.name,
                    "pairs": subcorpus.pairs,
                    **subcorpus.left_out,
                    "not drawn": len(subcorpus.spare),
                    "asked": len(subcorpus.asked),
                    "twice": len(subcorpus.twice),
                    "starting empty": len(subcorpus.blank),
                }
                for subcorpus in subcorpora
            ]
        }
        | learned,
    )


def _asked(subcorpus: Subcorpus, options: Mapping[str, Any]) -> Check:
    reasons = [f"{count:,} {reason}" for reason, count in sorted(subcorpus.left_out.items())]
    if subcorpus.spare:
        reasons.append(f"{len(subcorpus.spare):,} not drawn")
    asked, wanted = len(subcorpus.asked), options["sample"]
    short = f"; the setting asks for {wanted:,}" if asked < wanted else ""
    return Check.of(
        f"Pairs of {subcorpus.name}" if subcorpus.name else "Pairs",
        f"{asked:,} of {subcorpus.pairs:,}",
        ("excluded: " + ", ".join(reasons) if reasons else "no pair excluded") + short,
        holds=asked >= max(wanted, 1),
    )


def _amounts(subcorpora: Sequence[Subcorpus], options: Mapping[str, Any]) -> list[Check]:
    """Return checks on the number of pairs with two annotations, and on the workload of each of the two annotators."""
    if options["double"] < 0:
        return []
    asked = sum(len(subcorpus.asked) for subcorpus in subcorpora)
    twice = sum(len(subcorpus.twice) for subcorpus in subcorpora)
    short = [subcorpus.name or "all" for subcorpus in subcorpora if len(subcorpus.twice) < options["double"]]
    detail = f"of {asked:,} pairs; agreement is calculated on these"
    if not twice:
        detail = "agreement cannot be calculated"
    elif short:
        detail += f"; too few pairs in {', '.join(short)}"
    each = (asked + twice) / 2
    return [
        Check.of("Pairs annotated twice", f"{twice:,}", detail, holds=bool(twice) and not short),
        Check.of(
            "Workload of each of two annotators",
            f"{each:,.0f} pairs",
            f"the {twice:,} pairs that both align and half of the other {asked - twice:,}. To share the work "
            f"equally, set the maximum number of HITs per annotator to this number divided by the pairs per HIT, and "
            f"assign HITs in order",
            holds=True,
        ),
    ]


def _prealigned(
    subcorpora: Sequence[Subcorpus], suggested: Mapping[str, Alignment], options: Mapping[str, Any]
) -> Check:
    if options["prealign"] == "none":
        return Check.of("Initial links", "none", "every pair starts without links", holds=True)
    asked = sum(len(subcorpus.asked) for subcorpus in subcorpora)
    blank = set().union(*(subcorpus.blank for subcorpus in subcorpora))
    shown = [alignment for key, alignment in suggested.items() if key not in blank]
    each = sum(len(alignment.links) for alignment in shown) / max(len(shown), 1)
    detail = f"with {each:.1f} links per pair"
    if blank:
        detail += f"; {len(blank):,} pairs start without links, to measure their influence"
    missing = asked - len(suggested)
    if missing:
        detail += f"; pairs without links in the file: {missing:,}"
    return Check.of("Initial links", f"{len(shown):,} of {asked:,}", detail, holds=not missing)


def _learned(finished: int) -> Check:
    detail = "the built-in aligner also learned from the final alignments of these pairs"
    if not finished:
        detail = "no pair of the study has a final alignment yet"
    return Check.of("Finished pairs used by the aligner", f"{finished:,}", detail, holds=True)


def _repeated(subcorpora: Sequence[Subcorpus]) -> Check:
    times = Counter(
        (tuple(item.content["source"]), tuple(item.content["target"]))
        for subcorpus in subcorpora
        for item in subcorpus.asked
    )
    again = sum(count - 1 for count in times.values())
    return Check.of(
        "Repeated sentence pairs", f"{again:,}", "pairs with the same sentences as an earlier pair", not again
    )


def _lengths(subcorpora: Sequence[Subcorpus]) -> Bars:
    bins = Counter(
        (max(len(item.content["source"]), len(item.content["target"])) - 1) // BIN
        for subcorpus in subcorpora
        for item in subcorpus.asked
    )
    rows = [(f"{number * BIN + 1}–{(number + 1) * BIN}", bins[number]) for number in range(max(bins) + 1)]
    return Bars("tokens", "pairs", rows)


def _left_out(subcorpora: Sequence[Subcorpus]) -> Bars:
    reasons = sum((subcorpus.left_out for subcorpus in subcorpora), Counter[str]())
    if spare := sum(len(subcorpus.spare) for subcorpus in subcorpora):
        reasons["not drawn"] = spare
    return Bars("reason", "pairs", sorted(reasons.items()))
