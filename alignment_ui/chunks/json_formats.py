"""The JSON formats for chunk alignment, for the API reference."""

from __future__ import annotations

from typing import Any

from accord_core.chunks.numerics.chunks import FLAGS, RELATIONS, TOP_SCORE, UNLINKED
from alignment_ui.pairs.json_formats import LOG, NUMBER, TOKENS
from annotate.tasktypes import Formats
from annotate.tasktypes.formats import BOOLEAN, TEXT, listed, record

_CHUNKS_OF_SENTENCE = listed(listed(NUMBER, minItems=1))
_CHUNKS = record(source=_CHUNKS_OF_SENTENCE, target=_CHUNKS_OF_SENTENCE)
_LINKS = listed(
    record(
        source=NUMBER,
        target=NUMBER,
        type={"type": "string", "enum": list(RELATIONS)},
        flags=listed({"type": "string", "enum": list(FLAGS)}),
        score={"type": "number", "minimum": 0, "maximum": TOP_SCORE},
    )
)
_LEFT = listed(
    record(
        side={"type": "string", "enum": ["source", "target"]},
        chunk=NUMBER,
        type={"type": "string", "enum": list(UNLINKED)},
    )
)


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {**schema, "nullable": True}


_SOURCE, _TARGET = ["A", "dog", "sleeps"], ["The", "dog", "is", "asleep"]
_LINKED = {
    "chunks": {"source": [[0, 1], [2]], "target": [[0, 1], [2, 3]]},
    "links": [
        {"source": 0, "target": 0, "type": "EQUI", "flags": [], "score": 5},
        {"source": 1, "target": 1, "type": "EQUI", "flags": [], "score": 5},
    ],
    "left": [],
}
_ANSWERED = {**_LINKED, "log": [[1840, "link", "drag", [0, 0]]]}
_START = {"chunks": _or_null(_CHUNKS), "links": _or_null(_LINKS), "left": _or_null(_LEFT)}

FORMATS = Formats(
    content=record({"source": _SOURCE, "target": _TARGET}, source=TOKENS, target=TOKENS, optional=_START),
    payload=record(
        {"item": "pair-1", "source": _SOURCE, "target": _TARGET, **_LINKED},
        item=TEXT,
        source=TOKENS,
        target=TOKENS,
        optional=_START,
    ),
    question=record(
        {
            "source": _SOURCE,
            "target": _TARGET,
            **_LINKED,
            "many": False,
            "f1": 0.8,
            "offers": "/static/chunks/dist/visits.js",
        },
        source=TOKENS,
        target=TOKENS,
        many=BOOLEAN,
        f1={"type": "number"},
        offers=TEXT,
        **_START,
        optional={"languages": listed(TEXT, minItems=2, maxItems=2)},
    ),
    answer=record(_ANSWERED, chunks=_CHUNKS, links=_LINKS, optional={"left": _LEFT, "log": LOG}),
    value=record(_ANSWERED, chunks=_CHUNKS, links=_LINKS, left=_LEFT, optional={"log": LOG}),
)
