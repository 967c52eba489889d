"""The word-alignment options on a study's settings page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from alignment_ui.pairs.languages import OPTIONS as LANGUAGES
from alignment_ui.pairs.languages import crosses
from annotate.tasktypes import Option
from annotate.tasktypes.options import PEOPLE_SHARE

OPTIONS = (
    LANGUAGES[0],
    replace(
        LANGUAGES[1],
        help="If empty, the same language as the first. With different languages, initial links start as “none”.",
    ),
    Option(
        "tokenise",
        "Split sentences into words",
        True,
        "boolean",
        locked=True,
        of_items=True,
        help="Separates attached punctuation from words. If off, only spaces separate words.",
    ),
    Option(
        "longest",
        "Maximum sentence length, in words",
        49,
        "integer",
        minimum=1,
        maximum=100,
        locked=True,
        help="Pairs that contain a longer sentence are excluded.",
        is_quiet=True,
    ),
    Option(
        "ratio",
        "Maximum ratio of the sentence lengths",
        9.0,
        "number",
        minimum=1,
        maximum=100,
        locked=True,
        help="Pairs with a higher ratio are excluded.",
        is_quiet=True,
    ),
    Option(
        "equivalent",
        "Column that marks equivalent pairs",
        "",
        locked=True,
        help="Annotators get only pairs with “yes”, “true” or “1” in this metadata column. If the field is empty, "
        "annotators get all pairs.",
        is_quiet=True,
    ),
    Option(
        "subcorpus",
        "Metadata column with the subcorpus",
        "subcorpus",
        locked=True,
        help="Accord samples pairs separately for each value in this column, and reports each value's results.",
        is_quiet=True,
    ),
    Option(
        "sample",
        "Pairs to sample from each subcorpus",
        0,
        "integer",
        minimum=0,
        locked=True,
        help="The seed determines the sample. 0 uses all pairs that are not excluded.",
        is_quiet=True,
    ),
    Option(
        "double",
        "Pairs per subcorpus with two annotations",
        -1,
        "integer",
        minimum=-1,
        unset=-1,
        locked=True,
        help="Agreement is calculated from the pairs that more than one annotator has aligned. Each of the other pairs "
        "is annotated once. If the value is −1, every pair gets the number of judgements set for the study.",
        is_quiet=True,
    ),
    Option(
        "prealign",
        "Initial links",
        "built-in",
        "choice",
        (
            ("built-in", "from the built-in aligner"),
            ("given", "from the imported file"),
            ("none", "none"),
        ),
        locked=True,
        help="The built-in aligner learns from the study’s sentences. Choose this option before you import gold and "
        "practice questions, because these questions show the same kind of initial links.",
    ),
    Option(
        "learn",
        "Learn from finished alignments",
        True,
        "boolean",
        help="When items are added to an open study, the built-in aligner also learns from the final alignments of the "
        "study’s pairs. The initial links of pairs that annotators have opened never change.",
        is_quiet=True,
    ),
    Option(
        "blank",
        "Share of pairs without initial links",
        0.0,
        "number",
        minimum=0,
        maximum=1,
        locked=True,
        help="Pairs without initial links are drawn at random. The report uses the pairs without initial links to "
        "measure how much the initial links influence annotators.",
        is_quiet=True,
    ),
    Option(
        "offers",
        "Offer likely matches",
        True,
        "boolean",
        locked=True,
        help="The key U, or the button for the next word, offers three likely matches by spelling and position. The "
        "edit log marks links drawn from an offer with “offer”.",
        is_quiet=True,
    ),
    Option(
        "doubtful",
        "Visit doubtful words first",
        False,
        "boolean",
        locked=True,
        help="The key U first visits the words about which the built-in aligner is least sure, and offers the "
        "matches that the aligner finds most probable. Applies only to initial links from the built-in aligner.",
        is_quiet=True,
    ),
    Option(
        "f1",
        "Minimum F1 to pass a gold question",
        0.7,
        "number",
        minimum=0.01,
        maximum=1,
        help="F1 compares the annotator’s links with the expected links.",
    ),
    Option(
        "ignore_identical",
        "Ignore links between identical words",
        True,
        "boolean",
        help="Grading and agreement ignore links between identical words, as is usual in the literature, "
        "because nearly all annotators draw them. If all expected links of a gold pair "
        "connect identical words, the pair is graded on all links.",
        is_quiet=True,
    ),
    Option(
        "third_below",
        "Minimum F1 of two annotators before a third is asked",
        0.0,
        "number",
        minimum=0,
        maximum=1,
        help="If the F1 between two annotators' links is below this value, a third annotator aligns the pair. 0 "
        "turns this off.",
        is_quiet=True,
    ),
    PEOPLE_SHARE,
)


def options_after(before: Mapping[str, Any], after: Mapping[str, Any], language: str) -> Mapping[str, str]:
    """Return no initial links for a pair of languages. The built-in aligner rarely learns a translation from the few
    sentences of a study.
    """
    became = crosses(after, language) and not crosses(before, language)
    return {"prealign": "none"} if became and before["prealign"] == after["prealign"] == "built-in" else {}
