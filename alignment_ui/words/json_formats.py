"""The JSON formats for word alignment, for the API reference."""

from __future__ import annotations

from alignment_ui.pairs.json_formats import LOG, NUMBER, TOKENS
from annotate.tasktypes import Formats
from annotate.tasktypes.formats import BOOLEAN, TEXT, integer, listed, record

_LINKS = listed(listed(NUMBER, minItems=2, maxItems=2))
_ALIGNMENT = record(sure=_LINKS, possible=_LINKS)
_START = {
    **record(
        sure=_LINKS, possible=_LINKS, optional={"likely": listed(listed({"type": "number"}, minItems=3, maxItems=3))}
    ),
    "nullable": True,
}
_SOURCE, _TARGET = ["A", "dog", "sleeps", "."], ["The", "dog", "is", "asleep", "."]
_SUGGESTED = {"sure": [[1, 1], [3, 4]], "possible": []}
_LINKED = {"sure": [[1, 1], [2, 3], [3, 4]], "possible": [[0, 0]], "log": [[1840, "sure", "drag", [[2, 3]]]]}

FORMATS = Formats(
    content=record(
        {"source": _SOURCE, "target": _TARGET},
        source=TOKENS,
        target=TOKENS,
        optional={"prealignment": _ALIGNMENT, "_texts": listed(TEXT)},
    ),
    payload=record(
        {"item": "pair-1", "source": _SOURCE, "target": _TARGET, "prealignment": _SUGGESTED},
        item=TEXT,
        source=TOKENS,
        target=TOKENS,
        optional={
            "prealignment": _START,
            "withheld": _ALIGNMENT,
            "round": integer(1),
            "starts": {"type": "object", "additionalProperties": _START},
        },
    ),
    question=record(
        {
            "source": _SOURCE,
            "target": _TARGET,
            "prealignment": _SUGGESTED,
            "f1": 0.8,
            "ignore_identical": False,
            "offers": True,
        },
        source=TOKENS,
        target=TOKENS,
        prealignment=_START,
        f1={"type": "number"},
        ignore_identical=BOOLEAN,
        offers=BOOLEAN,
        optional={"languages": listed(TEXT, minItems=2, maxItems=2)},
    ),
    answer=record(_LINKED, optional={"sure": _LINKS, "possible": _LINKS, "log": LOG}),
    value=record(_LINKED, sure=_LINKS, possible=_LINKS, optional={"log": LOG}),
)
