"""Sentences about word alignment for the methods section of a paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.numerics.printed import percent
from alignment_ui.pairs.languages import crosses
from annotate.tasktypes import Methods, MethodText, Publication, with_interval

OCH_NEY = Publication(
    "och-ney-2003",
    "Och and Ney, 2003",
    "article",
    {
        "author": "Och, Franz Josef and Ney, Hermann",
        "title": "A Systematic Comparison of Various Statistical Alignment Models",
        "journal": "Computational Linguistics",
        "volume": "29",
        "number": "1",
        "pages": "19--51",
        "year": "2003",
    },
)
COHN = Publication(
    "cohn-etal-2008",
    "Cohn et al., 2008",
    "article",
    {
        "author": "Cohn, Trevor and Callison-Burch, Chris and Lapata, Mirella",
        "title": "Constructing Corpora for the Development and Evaluation of Paraphrase Systems",
        "journal": "Computational Linguistics",
        "volume": "34",
        "number": "4",
        "pages": "597--614",
        "year": "2008",
    },
)


def methods(facts: Mapping[str, Any], result: Mapping[str, Any]) -> Methods:
    """Return the sentences that hold for a report."""
    options = facts["options"]
    linked = "translate each other" if crosses(options, facts["language"]) else "could replace each other"
    task = MethodText(
        f"Annotators saw two sentences, linked the words that {linked}, and marked each link as sure or possible "
        "{@och-ney-2003,cohn-etal-2008}.",
        publications=[OCH_NEY, COHN],
    )
    if "pairs" not in result:
        return Methods([task])
    final = MethodText(
        "The final alignment of a pair contains the links that more than half of its annotators drew. A link is sure "
        "if more than half of them marked it as sure. Pairs with one annotator keep the annotator’s links."
    )
    decision = MethodText("A decision is the final alignment of its pair.")
    return Methods([task], _design(options), [final], _agreement(result), [decision], _asked(options))


def _asked(options: Mapping[str, Any]) -> MethodText | None:
    """Return how many judgements were planned if only some of the pairs were to be annotated twice."""
    if options["double"] < 0:
        return None
    return MethodText(
        "We asked for two annotations of {double:pair} from each subcorpus, and for one annotation of each other pair.",
        {"double": "facts.options.double"},
    )


def _design(options: Mapping[str, Any]) -> list[MethodText]:
    texts = [
        MethodText(
            "We collected alignments of {aligned:sentence pair}, and alignments from two or more annotators for "
            "{aligned_twice} of them.",
            {"aligned": "result.pairs.aligned", "aligned_twice": "result.pairs.aligned_twice"},
        )
    ]
    if options["prealign"] == "none":
        texts.append(MethodText("Annotators started without links."))
    else:
        source = "an unsupervised aligner" if options["prealign"] == "built-in" else "the imported file"
        but = ", except for {blank_share} of pairs, which started without links" if options["blank"] else ""
        shares = {"blank_share": ("facts.options.blank", percent)} if options["blank"] else {}
        texts.append(MethodText(f"Annotators corrected initial links from {source}{but}.", shares))
    if options["third_below"]:
        texts.append(
            MethodText(
                "If the F1 between two annotators was below {third_below}, a third annotator could be asked.",
                {"third_below": ("facts.options.third_below", str)},
            )
        )
    return texts


def _agreement(result: Mapping[str, Any]) -> list[MethodText]:
    words = result["words"]
    if not words or words[-1]["och_ney"]["f1"]["low"] is None:
        return []
    path = f"result.words[{len(words) - 1}]"
    identical = " Links between identical words do not count." if result["ignore_identical"] else ""
    texts = [
        MethodText(
            "If the sure links of one annotator are compared with all links of the other {@och-ney-2003}, the F1 is "
            "{f_one}, with a 95% confidence interval from {f_one_low} to {f_one_high}. It is {f_possible} "
            "({f_possible_low} to {f_possible_high}) for all links, and {f_sure} ({f_sure_low} to {f_sure_high}) for "
            "sure links alone. These figures are based on {comparisons:comparison}, and the intervals on "
            f"{{resamples:resample}} of sentence pairs.{identical}",
            with_interval("f_one", f"{path}.och_ney.f1")
            | with_interval("f_possible", f"{path}.possible.f1")
            | with_interval("f_sure", f"{path}.sure.f1")
            | {"comparisons": "result.pairs.comparisons", "resamples": "result.resamples"},
            [OCH_NEY],
        )
    ]
    corrected = words[-1]["possible"].get("c") or {}
    if corrected.get("low") is not None:
        texts.append(
            MethodText(
                "The chance-corrected agreement C {@cohn-etal-2008} on all links is {c_possible} ({c_possible_low} to "
                "{c_possible_high}).",
                with_interval("c_possible", f"{path}.possible.c"),
                [COHN],
            )
        )
    return texts
