"""The JSON formats for paraphrase in context, for the API reference."""

from __future__ import annotations

from annotate.tasktypes import Formats
from annotate.tasktypes.formats import BOOLEAN, TEXT, integer, listed, record

_CONTENT = {"sentence": "It was a bright day.", "start": 9, "phrase": "bright", "paraphrases": ["sunny", "clever"]}
_VOTES = record({"votes": [True, False]}, votes=listed(BOOLEAN, minItems=1))

_phrase = record(_CONTENT, sentence=TEXT, start=integer(0), phrase=TEXT, paraphrases=listed(TEXT, minItems=1))

FORMATS = Formats(
    content=_phrase,
    payload={
        "anyOf": [record(item=TEXT, paraphrases=listed(TEXT, minItems=1)), record(content=_phrase)],
        "example": {"item": "bright-1", "paraphrases": ["sunny", "clever"]},
    },
    question=record(
        {"before": "It was a ", "phrase": "bright", "after": " day.", "candidates": ["sunny", "clever"]},
        before=TEXT,
        phrase=TEXT,
        after=TEXT,
        candidates=listed(TEXT, minItems=1),
    ),
    answer=_VOTES,
    value=_VOTES,
)
