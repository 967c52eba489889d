"""The JSON formats for best–worst scaling, for the API reference."""

from __future__ import annotations

from annotate.tasktypes import Formats
from annotate.tasktypes.formats import TEXT, integer, listed, record

_PAIRS = [
    ["A dog sleeps.", "A puppy is asleep."],
    ["A man cooks.", "A car is red."],
    ["Two boys play.", "Children are outside."],
    ["It rains.", "The weather is bad."],
]

FORMATS = Formats(
    content={
        "anyOf": [record(text=TEXT), record(sentence1=TEXT, sentence2=TEXT)],
        "example": {"sentence1": _PAIRS[0][0], "sentence2": _PAIRS[0][1]},
    },
    payload=record({"items": ["pair-1", "pair-2", "pair-3", "pair-4"]}, items=listed(TEXT, minItems=2)),
    question=record(
        {
            "items": [{"sentences": pair} for pair in _PAIRS],
            "ask": {"most": "most related", "least": "least related", "noun": "pair"},
        },
        items=listed(record(sentences=listed(TEXT, minItems=1, maxItems=2)), minItems=2),
        ask=record(most=TEXT, least=TEXT, noun=TEXT),
    ),
    answer=record({"best": 1, "worst": 2}, best=integer(1), worst=integer(1)),
    value=record({"best": "pair-1", "worst": "pair-2"}, best=TEXT, worst=TEXT),
)
