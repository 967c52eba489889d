"""The JSON formats of layout studies, for the API reference."""

from __future__ import annotations

from annotate.tasktypes import Formats
from annotate.tasktypes.formats import BOOLEAN, TEXT, listed, record

_TEXTS = {"type": "object", "additionalProperties": {"type": "string"}}
_VALUES = {"type": "object", "additionalProperties": {}}
_ANSWER = record({"fields": {"topic": "politics", "certain": True}}, fields=_VALUES)

FORMATS = Formats(
    content={**_TEXTS, "example": {"text": "The parliament votes on Monday."}},
    payload={
        "anyOf": [record(item=TEXT, optional={"choices": _TEXTS}), record(content=_TEXTS)],
        "example": {"item": "batch-1"},
    },
    question=record(
        {
            "frame": "/layouts/frame/eyJzY3JpcHRzIjpmYWxzZX0:signature/",
            "html": '<form><p>The parliament votes on Monday.</p><input type="radio" name="topic" value="politics">…',
            "hosts": [],
            "scripts": False,
            "fields": [
                {"name": "topic", "kind": "choice", "required": True},
                {"name": "certain", "kind": "flag", "required": False},
            ],
            "heading": "",
        },
        frame=TEXT,
        html=TEXT,
        hosts=listed(TEXT),
        scripts=BOOLEAN,
        fields=listed(record(name=TEXT, kind=TEXT, required=BOOLEAN, optional={"choices": listed(TEXT)})),
        heading=TEXT,
    ),
    answer=_ANSWER,
    value=_ANSWER,
)
