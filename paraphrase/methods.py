"""Sentences about paraphrase labels for the methods section of a paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.numerics.printed import coefficient
from annotate.tasktypes import Methods, MethodText, Publication, with_interval
from annotate.tasktypes.methods import DAWID_SKENE, FLEISS, KRIPPENDORFF

PAVLICK = Publication(
    "pavlick-etal-2015",
    "Pavlick et al., 2015",
    "inproceedings",
    {
        "author": "Pavlick, Ellie and Ganitkevitch, Juri and Chan, Tsz Ping and Yao, Xuchen and Van Durme, Benjamin "
        "and Callison-Burch, Chris",
        "title": "Domain-Specific Paraphrase Extraction",
        "booktitle": "Proceedings of the 53rd Annual Meeting of the Association for Computational Linguistics and the "
        "7th International Joint Conference on Natural Language Processing (Volume 2: Short Papers)",
        "pages": "57--62",
        "year": "2015",
    },
)
TIES = {
    "undecided": "A candidate with equally many votes for both answers has no label.",
    "negative": "A candidate with equally many votes for both answers is labelled as not appropriate.",
    "one more": "If both answers had equally many votes, we asked one more annotator.",
    "adjudicate": "If both answers had equally many votes, a researcher decided.",
}


def methods(facts: Mapping[str, Any], result: Mapping[str, Any]) -> Methods:
    """Return the sentences that hold for a report."""
    task = MethodText(
        "Annotators saw a sentence with a marked phrase and a list of candidate paraphrases. For each candidate, they "
        "chose whether it could replace the phrase in this sentence. This task follows an earlier study "
        "{@pavlick-etal-2015}.",
        publications=[PAVLICK],
    )
    if "counts" not in result:
        return Methods([task])
    design = MethodText(
        "The {sentences:sentence} have {candidates:candidate}.",
        {"sentences": "result.counts.sentences", "candidates": "result.counts.candidates"},
    )
    label = MethodText(
        f"A candidate’s label is the answer of more than half of its annotators. {TIES[facts['options']['ties']]} This "
        "results in {good:good candidate}, {bad:bad candidate} and {undecided:candidate} without a label.",
        {name: f"result.counts.{name}" for name in ("good", "bad", "undecided")},
    )
    decision = MethodText("A decision replaces the votes.")
    return Methods([task], [design], [label, *_model(result)], _agreement(result), [decision])


def _model(result: Mapping[str, Any]) -> list[MethodText]:
    """Return how many labels a model of the annotators would change."""
    names = [row["method"] for row in result["methods"]["rows"]]
    path = f"result.methods.rows[{names.index('dawid_skene')}]"
    return [
        MethodText(
            "For comparison, the model of Dawid and Skene {@dawid-skene-1979} reverses {model_reverses:majority "
            "label}, and decides {model_settles:candidate} on which the votes are tied.",
            {"model_reverses": f"{path}.reverses", "model_settles": f"{path}.settles"},
            [DAWID_SKENE],
        )
    ]


def _agreement(result: Mapping[str, Any]) -> list[MethodText]:
    agreement = result["agreement"]
    if agreement["fleiss_kappa"].get("low") is None:
        return []
    path = "result.agreement"
    return [
        MethodText(
            "The agreement between annotators is Fleiss’ κ = {kappa} {@fleiss-1971}, with a 95% confidence interval "
            "from {kappa_low} to {kappa_high}, and Krippendorff’s α = {alpha} {@krippendorff-2019}, from {alpha_low} "
            "to {alpha_high}. The intervals are percentiles over {resamples:resample} of questions.",
            with_interval("kappa", f"{path}.fleiss_kappa")
            | with_interval("alpha", f"{path}.krippendorff_alpha_nominal")
            | {"resamples": "result.resamples"},
            [FLEISS, KRIPPENDORFF],
        ),
        MethodText(
            "Two annotators give the same label with a probability of {raw_agreement}.",
            {"raw_agreement": (f"{path}.raw_agreement.value", coefficient)},
        ),
    ]
