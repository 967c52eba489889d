"""The best–worst options on a study's settings page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.tasktypes import Option, StudyTexts

OPTIONS = (
    Option(
        "size",
        "Items per question",
        4,
        "integer",
        minimum=3,
        maximum=6,
        locked=True,
        help="The items of one question are called a tuple.",
    ),
    Option(
        "factor",
        "Ratio of questions to items",
        2.0,
        "number",
        minimum=0.5,
        maximum=50,
        locked=True,
        help="With 2, a list of 100 items gives 200 questions. If each question shows four items, each item appears in "
        "eight questions.",
    ),
    Option(
        "most",
        "Wording of “best”",
        "most related",
        help="For example: most related, as in “Which pair is most related?”",
        gives_meaning=True,
    ),
    Option("least", "Wording of “worst”", "least related", gives_meaning=True),
    Option("noun", "Name for one item", "pair", gives_meaning=True),
    Option(
        "target",
        "Target reliability",
        0.85,
        "number",
        minimum=0.01,
        maximum=0.99,
        help="The forecast shows how many more judgements are needed to reach this reliability.",
        is_quiet=True,
    ),
)

# The default wording asks about pairs of sentences. A question about single texts needs an adjective from the
# researcher. The default is a neutral one.
OF_TEXTS = StudyTexts(options={"most": "best", "least": "worst", "noun": "text"})


def options_for(item: Mapping[str, Any], language: str) -> Mapping[str, str]:
    """Return the wording of questions about single texts, or nothing for sentence pairs."""
    return OF_TEXTS.translated(language).options if "text" in item else {}
