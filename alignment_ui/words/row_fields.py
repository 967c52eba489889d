"""The fields of the files of a word alignment study."""

from __future__ import annotations

from annotate.tasktypes.common_fields import DECIDED, REVIEWED
from annotate.tasktypes.row_fields import Field, Lines, Rows

_PAIR = Field("pair", "text", "ID of the pair")
_SUBCORPUS = Field("subcorpus", "text", "subcorpus of the pair", can_be_empty=True)
_ANNOTATOR = Field("annotator", "text", "pseudonym of the annotator")

JACANA = Rows(
    (
        Field("id", "text", "ID of the pair"),
        Field("name", "text", "ID of the pair"),
        Field("source", "text", "tokens of the first sentence, separated by spaces"),
        Field("target", "text", "tokens of the second sentence, separated by spaces"),
        Field("sureAlign", "text", "sure links such as `0-0 1-2`. Token numbers start at 0"),
        Field("possibleAlign", "text", "possible links in the same notation"),
    )
)

WPT = Lines(r"^\S+ \d+ \d+ [SP]$")
PHARAOH = Lines(r"^(\d+-\d+( \d+-\d+)*)?$")

PAIRS = Rows(
    (
        Field("id", "text", "ID of the pair"),
        _SUBCORPUS,
        Field("annotators", "integer", "number of annotators of the pair"),
        Field("decided", "text", DECIDED, can_be_empty=True, values=REVIEWED),
        Field("source", "text", "tokens of the first sentence, separated by spaces"),
        Field("target", "text", "tokens of the second sentence, separated by spaces"),
        Field("alignment", "text", "sure links such as `0-0` and possible links such as `1?2`", can_be_empty=True),
    ),
    further="metadata of the pair",
)

SOFT_LINKS = Rows(
    (
        _PAIR,
        _SUBCORPUS,
        Field("source", "integer", "number of the first sentence's token, starting at 0"),
        Field("target", "integer", "number of the second sentence's token, starting at 0"),
        Field("source_word", "text", "token of the first sentence"),
        Field("target_word", "text", "token of the second sentence"),
        Field("drawn", "integer", "number of annotators who drew the link"),
        Field("sure", "integer", "number of annotators who drew it as a sure link"),
        Field("annotators", "integer", "number of annotators of the pair"),
        Field("share", "number", "share of the annotators who drew the link"),
        Field("model_possible", "number", "probability of a possible link under a model of the annotators' errors"),
        Field("model_sure", "number", "probability of a sure link under the same model"),
    )
)

ANNOTATIONS = Rows(
    (
        _PAIR,
        _ANNOTATOR,
        Field("sure", "list", "sure links as pairs of token numbers, starting at 0"),
        Field("possible", "list", "possible links in the same form"),
        Field("prealignment", "object", "the annotator's initial links", can_be_empty=True),
        Field("seconds", "number", "time on the question in seconds", can_be_empty=True),
        Field("log", "list", "the edit log, with milliseconds, operation, input method and links of each entry"),
    )
)

PHRASES = Rows(
    (
        _PAIR,
        _SUBCORPUS,
        Field("links", "text", "the links that define the phrase pair", values=("sure", "all")),
        Field("kind", "text", "whether the phrase pair contains no smaller one", values=("atomic", "composite")),
        Field("identical", "text", "`yes` if both phrases are the same", can_be_empty=True, values=("yes",)),
        Field("source", "text", "tokens of the first phrase, separated by spaces"),
        Field("target", "text", "tokens of the second phrase, separated by spaces"),
        Field("source_tokens", "text", "numbers of the first and the last token, such as `0-2`"),
        Field("target_tokens", "text", "the same for the second phrase"),
    )
)

EDITS = Rows(
    (
        _PAIR,
        _ANNOTATOR,
        Field("entry", "integer", "number of the entry in the annotator's log, starting at 1"),
        Field("milliseconds", "integer", "time since the question was shown"),
        Field("operation", "text", "the operation, such as `sure` or `remove`"),
        Field("means", "text", "the input method, such as `drag` or `tap`"),
        Field("links", "text", "the links that changed, such as `0-0 1-2`", can_be_empty=True),
    )
)
