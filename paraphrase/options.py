"""The paraphrase options on a study's settings page."""

from __future__ import annotations

from annotate.tasktypes import Option
from annotate.tasktypes.options import PEOPLE_SHARE

OPTIONS = (
    Option(
        "ties",
        "Rule for ties",
        "undecided",
        "choice",
        (
            ("undecided", "leave the label undecided"),
            ("negative", "count the tie as no"),
            ("one more", "ask one more annotator"),
            ("adjudicate", "let a reviewer decide"),
        ),
    ),
    Option(
        "good_sentences",
        "Minimum number of good sentences in a domain",
        1,
        "integer",
        minimum=1,
        maximum=1000,
        help="A pair is good in a domain if at least this many sentences are good.",
        is_quiet=True,
    ),
    PEOPLE_SHARE,
)
