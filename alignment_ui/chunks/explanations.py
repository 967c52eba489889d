"""Explanations of the figures in a chunk-alignment report, with formulas and references."""

from __future__ import annotations

from annotate.tasktypes import Explanation

_METHODS = "methods#chunk-agreement--alignment_uichunksnumericsagreementpy-scorespy"
_AGIRRE = "Agirre et al. (2016), SemEval-2016 task 2: Interpretable semantic textual similarity."

EXPLANATIONS = {
    "headline": Explanation(
        "F1 of type and score between annotators",
        "F1 = 2PR / (P + R) over word-to-word links. A shared link counts as (share of equal types and flags) × (1 − "
        "difference of scores / 5). The figure is the mean over pairs of annotators, and the 95% interval is based "
        "on resampled sentence pairs.",
        _AGIRRE,
        _METHODS,
    ),
    "pairs": Explanation(
        "annotated pairs",
        "Number of sentence pairs with at least one annotation that counts.",
        "the annotations that count.",
        "chunks#4-read-the-report",
    ),
    "alignment": Explanation(
        "F1 of the alignment",
        "F1 = 2PR / (P + R) over word-to-word links, without types and scores.",
        _AGIRRE,
        _METHODS,
    ),
    "links": Explanation(
        "links",
        "Number of links between chunks in the final annotations. Unaligned chunks have the type NOALI.",
        "the final annotations.",
        _METHODS,
    ),
    "measures": Explanation(
        "agreement on the official measures",
        "F1 of shared word-to-word links. A shared link counts 1 for the alignment, the share of equal types and flags "
        "for the type, 1 − difference / 5 for the score, and the product of both for type and score.",
        _AGIRRE,
        _METHODS,
    ),
    "types": Explanation(
        "agreement by type",
        "F1 = 2 × weight of the word-to-word links to which both annotators gave the type / weight of the links to "
        "which either annotator gave the type, summed over both annotators.",
        _AGIRRE,
        _METHODS,
    ),
    "confusion": Explanation(
        "confusion between types",
        "Weight of the word-to-word links to which one annotator gave the type of the row, and the other annotator the "
        "type of the column.",
        _AGIRRE,
        _METHODS,
    ),
}
