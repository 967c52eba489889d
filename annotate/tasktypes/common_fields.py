"""The fields of files that several task types have."""

from __future__ import annotations

from .row_fields import Field, Rows

REVIEWED = ("yes", "kept")
DECIDED = "`yes` for a reviewer's decision, `kept` if a reviewer accepted all answers, and otherwise empty"

ANSWER_LINES = Rows(
    (
        Field("question", "text", "ID of the question"),
        Field("kind", "text", "kind of the question, such as `regular`, `gold` or `practice`"),
        Field("annotator", "text", "pseudonym of the annotator"),
        Field("hit", "integer", "number of the HIT, or `null` for practice questions", can_be_empty=True),
        Field("position", "integer", "position of the question in the assignment, starting at 1"),
        Field("value", "answer", "the answer in the task type's format, or `null` for a skipped question", True),
        Field("shown", "list", "the order in which the question's items were shown"),
        Field("seconds", "number", "time on the question in seconds", can_be_empty=True),
        Field("answered_at", "time", "time of the answer", can_be_empty=True),
        Field("counts", "boolean", "whether the answer is a judgement"),
        Field("reason", "text", "the reason why the answer is not a judgement, such as `repeat`", can_be_empty=True),
        Field("passed", "boolean", "whether the answer to a gold question was correct", can_be_empty=True),
        Field("pilot", "boolean", "whether the HIT belongs to the pilot"),
        Field("round", "integer", "number of the adaptive round that asked the question, or 0"),
        Field(
            "guidelines_version", "integer", "version of the guidelines that the annotator had read", can_be_empty=True
        ),
        Field("skipped", "text", "the annotator's reason for skipping the question", can_be_empty=True),
        Field("skipped_at", "time", "time of the skip", can_be_empty=True),
        Field("simulated", "boolean", "whether the annotator is a simulated annotator"),
    )
)

MESSAGE_ROWS = Rows(
    (
        Field("id", "text", "ID of the entry"),
        Field(
            "kind",
            "text",
            "kind of the entry",
            values=("objection", "problem", "comment", "skip", "dispute", "return", "withdrawal"),
        ),
        Field("annotator", "text", "pseudonym of the annotator"),
        Field("question", "text", "ID of the question, if the entry is about one", can_be_empty=True),
        Field("hit", "integer", "number of the HIT, if the entry is about one", can_be_empty=True),
        Field("sent_at", "time", "time of the entry"),
        Field("text", "text", "the annotator's message", can_be_empty=True),
        Field("state", "text", "what has become of the entry, such as `unanswered`"),
        Field("reply", "text", "the reply", can_be_empty=True),
        Field("replied_by", "text", "author of the reply", can_be_empty=True),
        Field("replied_at", "time", "time of the reply", can_be_empty=True),
    )
)

_PROBABILITY = "the label's probability under the {} model, empty if the model could not be fitted"
SOFT_LABEL_FIELDS = (
    Field("item", "text", "ID of the item"),
    Field("label", "text", "one of the possible labels"),
    Field("votes", "integer", "number of annotators who chose the label"),
    Field("share", "number", "the label's share of the votes"),
    Field("smoothed", "number", "the label's share after adding half a vote to each label"),
    Field("one_coin", "number", _PROBABILITY.format("one-coin"), can_be_empty=True, is_optional=True),
    Field("dawid_skene", "number", _PROBABILITY.format("Dawid–Skene"), can_be_empty=True, is_optional=True),
)

LEWIDI_OBJECTS = Rows(
    (
        Field("annotation task", "text", "name of the task"),
        Field("text", "object", "the texts of the item by name"),
        Field("number of annotators", "integer", "number of annotators"),
        Field("annotators", "text", "pseudonyms of the annotators, separated by commas"),
        Field("number of annotations", "integer", "number of labels"),
        Field("annotations", "object", "the label of each annotator by pseudonym"),
        Field("soft_label", "object", "the share of each label"),
        Field("lang", "text", "code of the language"),
        Field("other_info", "object", "further facts about the item"),
    )
)

LABEL_STUDIO_TASKS = Rows(
    (
        Field("data", "object", "the texts and IDs of the item"),
        Field("annotations", "list", "the annotations, whose `result` contains regions, relations or choices"),
    )
)
