"""Explanations of the figures on the pages of systems."""

from annotate.tasktypes import Explanation

EXPLANATIONS = {
    "assisted_figures": Explanation(
        "program-assisted figures",
        "A program answers all questions, and people answer a random sample. The difference between people and the "
        "program on this sample corrects the program’s figure for all questions. If the program saves 40%, people "
        "alone would need 1/(1 − .4) times as many judgements for the same error. The 95% intervals generalise to "
        "other questions. Intervals need at least 30 judged questions, with at least 20 in the rarer category.",
        "Angelopoulos, Duchi and Zrnic (2024), PPI++: Efficient Prediction-Powered Inference.",
        "methods#program-assisted-figures",
    ),
}
