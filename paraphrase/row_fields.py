"""The fields of the files of a paraphrase study."""

from __future__ import annotations

from annotate.tasktypes.common_fields import DECIDED, REVIEWED, SOFT_LABEL_FIELDS
from annotate.tasktypes.row_fields import Field, Rows

LABELS = ("good", "bad", "undecided")
_ITEM = Field("item", "text", "ID of the item, which is a sentence with a phrase")
_DOMAIN = Field("domain", "text", "domain of the sentence")
_PHRASE = Field("phrase", "text", "the phrase")
_PARAPHRASE = Field("paraphrase", "text", "the candidate")
_SENTENCE_ID = Field("sentence", "text", "ID of the item without the candidate")
_SENTENCE = Field("sentence", "text", "the sentence")
_YES = Field("yes", "integer", "number of votes for the candidate")
_VOTES = Field("votes", "integer", "number of votes")
_NO_VOTES = "empty without votes"

LABELS_BY_SENTENCE = Rows(
    (
        _ITEM,
        _DOMAIN,
        _PHRASE,
        _PARAPHRASE,
        Field("label", "text", f"label of the candidate in the sentence, {_NO_VOTES}", True, values=LABELS),
        _YES,
        _VOTES,
        Field("decided_by_reviewer", "text", DECIDED, can_be_empty=True, values=REVIEWED),
        *(
            Field(name, "text", f"label under the {model} model, {_NO_VOTES}", True, is_optional=True, values=LABELS)
            for name, model in (("weighted", "weighted-vote"), ("one_coin", "one-coin"), ("dawid_skene", "Dawid–Skene"))
        ),
        _SENTENCE,
        Field("start", "integer", "position of the phrase's first character in the sentence, counted from 0"),
    ),
    further="metadata of the item",
)

LABELS_BY_DOMAIN = Rows(
    (
        _PHRASE,
        _PARAPHRASE,
        _DOMAIN,
        Field("label", "text", "label of the candidate in the domain", values=LABELS),
        *(Field(f"sentences_{label}", "integer", f"number of sentences with the label {label}") for label in LABELS),
    )
)

DOMAIN_AGAINST_DOMAIN = Rows(
    (
        Field("contrast", "integer", "number of the contrast between domains, starting at 1"),
        _PHRASE,
        _PARAPHRASE,
        Field("label", "text", "label of the candidate in the domain", values=LABELS),
        _DOMAIN,
        Field("label_in_sentence", "text", "label of the candidate in the sentence", values=LABELS),
        _YES,
        _VOTES,
        _ITEM,
        _SENTENCE,
    )
)

VOTES = Rows(
    (
        Field("item", "text", "ID of the item and the candidate, separated by a slash"),
        Field("annotator", "text", "pseudonym of the annotator"),
        Field("label", "text", "the vote", values=("yes", "no")),
        _SENTENCE_ID,
        _PHRASE,
        _PARAPHRASE,
        _DOMAIN,
        Field("seconds", "number", "time on the question in seconds", can_be_empty=True),
    )
)

SOFT_LABELS = Rows(
    (
        *SOFT_LABEL_FIELDS,
        _SENTENCE_ID,
        _PHRASE,
        _PARAPHRASE,
        _DOMAIN,
    )
)

QUALITY_CONTROL_ANSWERS = Rows(
    (
        Field("annotator", "text", "pseudonym of the annotator"),
        Field("hit", "integer", "number of the HIT, empty for practice questions", can_be_empty=True),
        Field("question", "text", "ID of the quality-control question"),
        _PHRASE,
        Field("candidate", "text", "the candidate"),
        Field("kind", "text", "kind of the candidate", values=("synonym", "random word")),
        Field("label", "text", "the vote", values=("yes", "no")),
        Field("as_expected", "text", "whether the vote was the expected one", values=("yes", "no")),
    )
)
