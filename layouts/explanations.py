"""Explanations of the figures in a layout report, with formulas and references."""

from __future__ import annotations

from annotate.tasktypes import Explanation

_AGREEMENT = "methods#agreement-on-labels"

EXPLANATIONS = {
    "headline": Explanation(
        "Krippendorff’s α",
        "α = 1 − Dₒ / Dₑ, with the observed disagreement Dₒ and the disagreement Dₑ that is expected by chance. "
        "Accord calculates α for each field, and shows the mean over the fields with choices or numbers. For numbers "
        "and scales, it is the interval α. Free text is included only if the form has no other fields. Empty values "
        "count as missing.",
        "Krippendorff (2019), Content analysis, chapter 12.",
        _AGREEMENT,
    ),
    "agreement": Explanation(
        "agreement on a field",
        "Two values agree if they are the same, ignoring case and spaces in text. Several ticked choices count as "
        "one value. The interval α for numbers and scales uses squared differences. 95% intervals are percentiles "
        "over resampled questions.",
        "Gwet (2014), Handbook of inter-rater reliability. Krippendorff (2019), Content analysis.",
        _AGREEMENT,
    ),
    "labels": Explanation(
        "answered questions",
        "Number of questions with a value in the field with the most answered questions. The label of a field is the "
        "value entered by more than half of the annotators who filled in the field. A reviewer's decision replaces "
        "the votes. If there is no such value, the label is undecided.",
        "the judgements that count.",
        "methods#aggregating-labels",
    ),
}
