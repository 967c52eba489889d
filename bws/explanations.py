"""Explanations of the figures in a best–worst report, with formulas and references."""

from __future__ import annotations

from annotate.tasktypes import Explanation

_COUNTING = "methods#counting-scores"
_RELIABILITY = "methods#split-half-reliability"
_KIRITCHENKO = "Kiritchenko and Mohammad (2017), Best–worst scaling more reliable than rating scales."
_SPLIT_HALF = (
    "Kiritchenko and Mohammad (2016), Capturing reliable fine-grained sentiment associations by crowdsourcing and "
    "best–worst scaling."
)

EXPLANATIONS = {
    "headline": Explanation(
        "reliability of the scores",
        "Accord divides the judgements at random into two halves, scores the items in each half by counting, and "
        "calculates Spearman’s ρ between the two lists of scores. From r, the mean over all splits, it predicts the "
        "reliability 2r/(1 + r) of all judgements. The lower end of the range comes from splits by whole tuples, and "
        "the upper end comes from splits within tuples.",
        _SPLIT_HALF,
        _RELIABILITY,
    ),
    "scored": Explanation(
        "scored items",
        "Number of items that appear in at least one judgement that counts.",
        _KIRITCHENKO,
        _COUNTING,
    ),
    "score": Explanation(
        "scores of items",
        "s = (times best − times worst) / appearances. The report shows (s + 1) / 2, on a scale from 0 to 1. If a "
        "study has adaptive rounds, the report shows MaxDiff utilities instead, with the lowest utility at 0 and the "
        "highest utility at 1. Items with equal scores share the mean of their ranks, such as 5.5.",
        _KIRITCHENKO,
        _COUNTING,
    ),
    "standard_error": Explanation(
        "standard error of a score",
        "Standard error of (s + 1) / 2, clustered by tuple because all judgements of a tuple compare the same items. "
        "The figure is the median over items.",
        "Liang and Zeger (1986), Longitudinal data analysis using generalized linear models.",
        _COUNTING,
    ),
    "methods_agree": Explanation(
        "agreement between counting and MaxDiff",
        "Spearman’s ρ between the counting-based scores and the utilities u of the model "
        "P(best i, worst j) ∝ exp(uᵢ − uⱼ).",
        "Marley and Louviere (2005), Some probabilistic models of best, worst, and best–worst choices.",
        "methods#model-scores",
    ),
    "noise_ceiling": Explanation(
        "noise ceiling",
        "√reliability. The reliability of the scores is m·r / (1 + (m − 1)r), where r is the mean Spearman correlation "
        "over splits by whole tuples, and m is slightly above 2.",
        "Spearman (1904), The proof and measurement of association between two things; Spearman (1910); Brown (1910).",
        "methods#noise-ceiling",
    ),
    "reliability_by_level": Explanation(
        "reliability by judgements per tuple",
        "For each number n, Accord draws n judgements from each tuple that has enough of them, and calculates the "
        "split-half reliability within tuples.",
        _SPLIT_HALF,
        _RELIABILITY,
    ),
    "positions": Explanation(
        "places on the screen",
        "Number of times that annotators chose each position as best or as worst. The line shows the mean of all bars.",
        "the judgements that count.",
        "methods#annotators",
    ),
    "correlation": Explanation(
        "correlation with the scores",
        "Spearman’s ρ, with midranks for ties, between the scores and a property of the items. The 95% intervals are "
        "percentiles over resampled items.",
        "Spearman (1904), The proof and measurement of association between two things.",
        "methods#predicted-scores",
    ),
    "overlap": Explanation(
        "words in common",
        "Number of pairs by word overlap. The Dice coefficient is 2|X ∩ Y| / (|X| + |Y|), where X and Y are the two "
        "sentences' sets of words.",
        "Dice (1945), Measures of the amount of ecologic association between species.",
        "methods#sampling-pairs",
    ),
}
