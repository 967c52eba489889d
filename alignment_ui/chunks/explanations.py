"""Explanations of the figures in a chunk-alignment report, with formulas and references."""

from __future__ import annotations

from annotate.tasktypes import Explanation

_METHODS = "methods#chunk-agreement"
_COMBINED = "methods#one-annotation-from-several-annotators"
_WEIGHT = "Each link has the weight 1 / max(links of its first word, links of its second word)."
_AGIRRE = "Agirre et al. (2016), SemEval-2016 task 2: Interpretable semantic textual similarity."

EXPLANATIONS = {
    "headline": Explanation(
        "F1 of type and score between annotators",
        f"F1 = 2PR / (P + R) over word-to-word links. {_WEIGHT} For shared links, it is multiplied by (share of equal "
        "types and flags) × (1 − score difference / 5). The figure is the mean over all pairs of annotators, and the "
        "95% interval is based on resampled sentence pairs.",
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
        f"F1 = 2PR / (P + R) over word-to-word links, without types and scores. {_WEIGHT}",
        _AGIRRE,
        _METHODS,
    ),
    "links": Explanation(
        "links",
        "Number of links between chunks in the final annotations. Unaligned chunks have the type NOALI "
        "or ALIC. Unlinked punctuation at the end of a sentence does not count.",
        "the final annotations.",
        _METHODS,
    ),
    "measures": Explanation(
        "agreement on the official measures",
        f"F1 score for word-to-word links. {_WEIGHT} The type measure multiplies the weight of a shared link by the "
        "share of equal types and flags, and the score measure by 1 − score difference / 5. The measure of type and "
        "score multiplies it by both.",
        _AGIRRE,
        _METHODS,
    ),
    "types": Explanation(
        "agreement by type",
        "F1 = 2 × weight of the word-to-word links for which both annotators chose the type / weight of the links "
        "for which either annotator chose the type, summed over both annotators.",
        _AGIRRE,
        _METHODS,
    ),
    "confusion": Explanation(
        "confusion between types",
        "Total weight of the word-to-word links for which one annotator chose the row's type and the other the "
        "column's.",
        _AGIRRE,
        _METHODS,
    ),
    "combined": Explanation(
        "combined annotations",
        "F1 of the annotation that results from combining several annotations, compared with the expected annotations "
        "of gold questions. The majority contains the links that more than half of the annotators drew. The medoid is "
        "the annotation that agrees best with the others. The model weights annotators by their estimated error rates.",
        "the gold answers.",
        _COMBINED,
    ),
    "model": Explanation(
        "reliability of annotators",
        "Estimates from Dawid–Skene models of links and types, and from a Gaussian model of scores. The score bias and "
        "the score error are given on the scale from 0 to 5. The score error is the standard deviation of an "
        "annotator's scores.",
        "Dawid and Skene (1979), Maximum likelihood estimation of observer error-rates using the EM algorithm.",
        _COMBINED,
    ),
}
