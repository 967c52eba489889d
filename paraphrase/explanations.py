"""Explanations of the figures in a paraphrase report, with formulas and references."""

from __future__ import annotations

from annotate.tasktypes import Explanation

_AGREEMENT = "methods#agreement-on-labels"
_PAVLICK = "Pavlick et al. (2015), Domain-specific paraphrase extraction."

EXPLANATIONS = {
    "headline": Explanation(
        "Fleiss’ κ",
        "κ = (Pₐ − Pₑ) / (1 − Pₑ). Pₐ is the share of equal pairs among all pairs of votes on a candidate, and Pₑ is "
        "the sum of the squared shares of yes votes and no votes. The 95% interval is based on resampled questions.",
        "Fleiss (1971), Measuring nominal scale agreement among many raters.",
        _AGREEMENT,
    ),
    "good": Explanation(
        "good candidates",
        "Number of candidates for which more than half of the votes are “yes”. A reviewer’s decision replaces the "
        "votes.",
        _PAVLICK,
        "methods#aggregating-labels",
    ),
    "accuracy": Explanation(
        "accuracy on quality control",
        "(accepted synonyms + rejected random words) / all quality-control candidates. Balanced accuracy is the mean "
        "of the share of accepted synonyms and the share of rejected random words.",
        _PAVLICK,
        "methods#quality-control-of-paraphrases",
    ),
    "domains": Explanation(
        "labels in a domain",
        "A pair of phrases counts as good in a domain if it is good in at least the required number of "
        "sentences from the domain. Two domains differ if the pair is good in one domain and bad in the other.",
        _PAVLICK,
        "methods#labels-in-a-domain",
    ),
    "methods": Explanation(
        "labelling methods",
        "Majority: more than half of the votes. Weighted: each vote has the weight ln(a / (1 − a)), where a is the "
        "annotator’s accuracy. One-coin and Dawid–Skene: expectation maximisation with one accuracy, or with one "
        "confusion table, per annotator.",
        "Dawid and Skene (1979), Maximum likelihood estimation of observer error-rates using the EM algorithm.",
        "methods#aggregating-labels",
    ),
    "agreement": Explanation(
        "agreement on labels",
        "κ and AC1 are (Pₐ − Pₑ) / (1 − Pₑ), with different formulas for the agreement by chance Pₑ. α is 1 − Dₒ / Dₑ, "
        "with the observed and the expected disagreement. Intervals are percentiles over resampled questions.",
        "Gwet (2014), Handbook of inter-rater reliability. Krippendorff (2019), Content analysis.",
        _AGREEMENT,
    ),
    "annotator_agreement": Explanation(
        "agreement with other annotators",
        "Share of the annotator’s votes that match the majority of the other annotators’ votes on the same candidate. "
        "Candidates on which the other annotators are tied are excluded, so the share can be higher than the raw "
        "agreement of the report.",
        "the latest results report.",
        "methods#annotators",
    ),
    "votes": Explanation(
        "share of yes votes",
        "Number of yes votes / number of votes on the candidate, counting only votes that count towards the results.",
        "the votes that count.",
        "methods#aggregating-labels",
    ),
}
