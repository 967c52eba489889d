"""The fields of the files of a best–worst study."""

from __future__ import annotations

from annotate.tasktypes.row_fields import Field, Lines, Rows

TEXT = "the item's text"
_ITEM = Field("item", "text", "ID of the item")
_UNIT = Field("score", "number", "score from 0 to 1, empty without judgements", can_be_empty=True)

SCORES = Rows((_ITEM, _UNIT), further=TEXT)

SCORES_IN_FULL = Rows(
    (
        _ITEM,
        _UNIT,
        Field("standard_error", "number", "standard error of the score", can_be_empty=True),
        Field("signed_score", "number", "the same score from −1 to 1", can_be_empty=True),
        Field("rank", "number", "rank of the item, starting at 1. Items with equal scores share a rank", True),
        Field("appearances", "integer", "number of judgements on questions that contain the item"),
        Field("best", "integer", "number of judgements that chose the item as best"),
        Field("worst", "integer", "number of judgements that chose the item as worst"),
        Field("maxdiff", "number", "the item's parameter in the MaxDiff model", can_be_empty=True),
        Field("maxdiff_standard_error", "number", "standard error of this parameter", can_be_empty=True),
    ),
    further=f"{TEXT} and its metadata",
)

FOLDS = Rows((_ITEM, Field("fold", "integer", "number of the test fold, starting at 1")))

TUPLES = Lines(r"^[^\t]+(\t[^\t]+){2,5}$")

ANNOTATIONS = Rows(
    (
        Field("^Item[1-6]$", "text", "IDs of the question's items in the order shown", is_pattern=True),
        Field("BestItem", "text", "ID of the item chosen as best"),
        Field("WorstItem", "text", "ID of the item chosen as worst"),
        Field("Annotator", "text", "pseudonym of the annotator"),
        Field("Tuple", "text", "ID of the question"),
        Field("Seconds", "number", "time on the question in seconds", can_be_empty=True),
    )
)
