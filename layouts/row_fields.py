"""The fields of the files of a layout study."""

from __future__ import annotations

from accord_core.exchange.mturk_results import COLUMNS
from annotate.tasktypes.common_fields import DECIDED, REVIEWED, SOFT_LABEL_FIELDS
from annotate.tasktypes.row_fields import Field, Rows

_INPUT = Field(r"^Input\.", "text", "cells of the question's row in the batch", can_be_empty=True, is_pattern=True)

LABELS = Rows(
    (
        Field("question", "text", "ID of the question"),
        Field("item", "text", "ID of the item", can_be_empty=True),
        _INPUT,
        Field(" votes$", "integer", "number of votes for the field's label", is_pattern=True),
        Field(" judgements$", "integer", "number of judgements on the field", is_pattern=True),
        Field(" mean$", "number", "mean of the annotators' numbers", can_be_empty=True, is_pattern=True),
        Field("decided_by_reviewer", "text", DECIDED, can_be_empty=True, values=REVIEWED),
    ),
    further="the label of each field",
)

RESULTS = Rows(
    (
        *(
            Field(name, "text", "the column of Mechanical Turk's results with this name", can_be_empty=True)
            for name in COLUMNS
        ),
        _INPUT,
        Field(r"^Answer\.", "text", "the answer in each field", can_be_empty=True, is_pattern=True),
        *(Field(name, "text", "always empty", can_be_empty=True) for name in ("Approve", "Reject")),
    )
)

SOFT_LABELS = Rows((*SOFT_LABEL_FIELDS, Field("field", "text", "the layout's field")))

BATCH = Rows(further="the cells of the question's row in the batch")
