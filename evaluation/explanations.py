"""Explanations of the figures on the pages of systems."""

from annotate.tasktypes import Explanation

EXPLANATIONS = {
    "assisted_figures": Explanation(
        "program-assisted figures",
        "A program answers all questions, and people answer a random part. The difference between people and the "
        "program on that part corrects the program’s figure for all questions. If the program saves 40%, people "
        "alone would need 1/(1 − .4) times as many judgements for the same error. The 95% intervals generalise to "
        "other questions. A figure has no interval with fewer than 30 judged questions or 20 cases of the rarer kind.",
        "Angelopoulos, Duchi and Zrnic (2024), PPI++: Efficient Prediction-Powered Inference.",
        "methods#program-assisted-figures",
    ),
}
