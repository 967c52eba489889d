"""Sentences about chunk alignment for the methods section of a paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.numerics.printed import coefficient
from annotate.tasktypes import Methods, MethodText, Publication, with_interval

AGIRRE = Publication(
    "agirre-etal-2016",
    "Agirre et al., 2016",
    "inproceedings",
    {
        "author": "Agirre, Eneko and Gonzalez-Agirre, Aitor and Lopez-Gazpio, I{\\~n}igo and Maritxalar, Montse and "
        "Rigau, German and Uria, Larraitz",
        "title": "{S}em{E}val-2016 Task 2: Interpretable Semantic Textual Similarity",
        "booktitle": "Proceedings of the 10th International Workshop on Semantic Evaluation (SemEval-2016)",
        "pages": "512--524",
        "year": "2016",
    },
)
BEGIN = {
    "words": "Annotators divided both sentences into chunks themselves.",
    "chunks": "Chunks came from the imported file or, where it had none, from the annotators.",
    "links": "Annotators corrected the chunks and links in the imported file, if it contained them.",
}
OFFERS = (
    "The page suggested likely matches, types and scores, based on the spelling of words and on word lists. Annotators "
    "could ignore the suggestions."
)
MEASURES = {"alignment": "f1_ali", "type": "f1_type", "score": "f1_score", "both": "f1_typ_sco"}


def methods(facts: Mapping[str, Any], result: Mapping[str, Any]) -> Methods:
    """Return the sentences that hold for a report."""
    options = facts["options"]
    many = "could link a chunk to several chunks" if options["many"] else "linked each chunk to at most one chunk"
    task = MethodText(
        f"Annotators saw two sentences, {many}, and chose a relation type and a similarity score for each link. The "
        "task is interpretable semantic textual similarity {@agirre-etal-2016}.",
        publications=[AGIRRE],
    )
    if "said" not in result:
        return Methods([task])
    final = MethodText(
        "A pair’s final annotation is the one with the highest total F1 of type and score with the other annotations "
        "of the pair or, in a tie, the first. The final annotations of {final_pairs:pair} contain {links:link}.",
        {"final_pairs": "result.said.pairs", "links": "result.said.links"},
    )
    decision = MethodText("A decision is the final annotation of its pair.")
    design = [MethodText(BEGIN[options["begin"]])]
    platforms = set(facts.get("people", {}).get("platforms", ()))
    if options.get("offers", False) and platforms != {"mturk"}:  # pages on another host suggest nothing
        design.append(MethodText(OFFERS))
    return Methods([task], design, [final], _agreement(result), [decision])


def _agreement(result: Mapping[str, Any]) -> list[MethodText]:
    overall = result["agreement"]["overall"]
    if any(overall[measure]["low"] is None for measure in MEASURES.values()):
        return []
    figures: dict[str, Any] = {"compared_pairs": "result.agreement.pairs"}
    for name, measure in MEASURES.items():
        figures |= with_interval(f"f_{name}", f"result.agreement.overall.{measure}", coefficient)
    return [
        MethodText(
            "For each pair, we compared all annotators with each other on the official measures {@agirre-etal-2016}. "
            "The mean F1 between annotators, with 95% confidence intervals from resampled sentence pairs, is "
            "{f_alignment} ({f_alignment_low} to {f_alignment_high}) for the links, {f_type} ({f_type_low} to "
            "{f_type_high}) for links and types, {f_score} ({f_score_low} to {f_score_high}) for links and scores, "
            "and {f_both} ({f_both_low} to {f_both_high}) for all three. {compared_pairs:pair has,pairs have} "
            "several annotations.",
            figures,
            [AGIRRE],
        )
    ]
