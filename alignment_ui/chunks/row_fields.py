"""The fields of the files of a chunk alignment study."""

from __future__ import annotations

from annotate.tasktypes.common_fields import DECIDED, REVIEWED
from annotate.tasktypes.row_fields import Field, Lines, Rows

_PAIR = Field("pair", "text", "ID of the pair")
_DATASET = Field("dataset", "text", "dataset of the pair", can_be_empty=True)
_NUMBERS = "numbers of the {} chunk's tokens, starting at 1, empty if there is no such chunk"
_WORDS = "tokens of the {} chunk, separated by spaces, empty if there is no such chunk"

PAIRS = Rows(
    (
        Field("id", "text", "ID of the pair"),
        _DATASET,
        Field("annotators", "integer", "number of annotators of the pair"),
        Field("decided", "text", DECIDED, can_be_empty=True, values=REVIEWED),
        Field("source", "text", "tokens of the first sentence, separated by spaces"),
        Field("target", "text", "tokens of the second sentence, separated by spaces"),
        Field("links", "text", "all links in the notation of `.wa` files, separated by `;;`", can_be_empty=True),
    ),
    further="the other columns of the pair's file",
)

LINKS = Rows(
    (
        _PAIR,
        _DATASET,
        Field("type", "text", "type of the link, such as `EQUI`"),
        Field("flags", "text", "flags of the link, separated by spaces", can_be_empty=True),
        Field("score", "number", "score of the link from 0 to 5, empty for types without a score", can_be_empty=True),
        Field("source", "text", _WORDS.format("first"), can_be_empty=True),
        Field("target", "text", _WORDS.format("second"), can_be_empty=True),
        Field("source_tokens", "text", _NUMBERS.format("first"), can_be_empty=True),
        Field("target_tokens", "text", _NUMBERS.format("second"), can_be_empty=True),
    )
)

SOFT_LINKS = Rows(
    (
        _PAIR,
        _DATASET,
        Field("source", "text", _NUMBERS.format("first"), can_be_empty=True),
        Field("target", "text", _NUMBERS.format("second"), can_be_empty=True),
        Field("drawn", "integer", "number of annotators who drew the link"),
        Field("annotators", "integer", "number of annotators of the pair"),
        Field("share", "number", "share of the annotators who drew the link"),
        Field("types", "text", "types that annotators chose, with their numbers, such as `EQUI:2`", can_be_empty=True),
        Field("mean_score", "number", "mean score", can_be_empty=True),
        Field("model_linked", "number", "probability of the link under a model of the annotators' errors", True),
        Field("model_types", "text", "the types' probabilities under the same model", can_be_empty=True),
        Field("model_score", "number", "the expected score under the same model", can_be_empty=True),
    )
)

ANNOTATIONS = Rows(
    (
        _PAIR,
        Field("annotator", "text", "pseudonym of the annotator"),
        Field("source", "list", "tokens of the first sentence"),
        Field("target", "list", "tokens of the second sentence"),
        Field("chunks", "object", "token numbers of each sentence's chunks, starting at 0"),
        Field("links", "list", "links between chunks, with type, flags and score"),
        Field("left", "list", "chunks without a link, with their type"),
        Field("log", "list", "the edit log", is_optional=True),
        Field("seconds", "number", "time on the question in seconds", can_be_empty=True),
    )
)

CHUNKS = Lines(r"^(\[ [^\[\]]+ \] ?)*$")
