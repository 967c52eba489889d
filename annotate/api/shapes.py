"""Serializers for the researchers' part of the API."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotate.exchange.layout import DELIMITERS, ENCODINGS
from annotate.models import (
    Annotator,
    Answer,
    Assignment,
    Consent,
    Decision,
    Event,
    Item,
    Job,
    Participation,
    Question,
    QuestionFigures,
    Report,
    Study,
    Upload,
)
from annotate.selectors.question_filters import SORTS, STATES
from annotate.services.settings import SETTINGS
from annotate.setting_steps import BY_SLUG

from .typed import AnswerField, ContentField, OptionsField, PayloadField, ValueField

SETTING_FIELDS = sorted(SETTINGS - {"title"})
PAYS_STOPPED = (
    "Whether the consent text promises payment for the HIT that is open when an annotator is stopped. "
    "`null` means that the text does not mention this case."
)

NAMES_ACTIVITY = "Whether the consent text states that the study collects activity summaries."


class StudyShape(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id", read_only=True)
    options = OptionsField(read_only=True, help_text="Options of the task type.")
    consent = serializers.SerializerMethodField(help_text="The current consent text.")
    consent_pays_stopped = serializers.SerializerMethodField(help_text=PAYS_STOPPED)
    consent_names_activity = serializers.SerializerMethodField(help_text=NAMES_ACTIVITY)

    class Meta:
        model = Study
        fields = [
            "id",
            "title",
            "task_type",
            "state",
            "created_at",
            "opened_at",
            "join_token",
            "options",
            "consent",
            "consent_pays_stopped",
            "consent_names_activity",
            "guidelines_version",
            *SETTING_FIELDS,
        ]
        read_only_fields = fields

    def get_consent(self, study: Study) -> str:
        consent = _latest_consent(study)
        return consent.text if consent else ""

    def get_consent_pays_stopped(self, study: Study) -> bool | None:
        consent = _latest_consent(study)
        return consent.pays_stopped if consent else None

    def get_consent_names_activity(self, study: Study) -> bool:
        consent = _latest_consent(study)
        return consent is not None and consent.names_activity


def _latest_consent(study: Study) -> Consent | None:
    """Return the latest version of the consent text from the prefetched versions."""
    versions = list(study.consents.all())
    return versions[-1] if versions else None


class StudyChange(serializers.ModelSerializer):
    """The settings to change. Settings that the request omits keep their values."""

    options = OptionsField(required=False, help_text="Options of the task type.")
    consent = serializers.CharField(required=False, allow_blank=True, help_text="A new version of the consent text.")
    consent_pays_stopped = serializers.BooleanField(required=False, allow_null=True, help_text=PAYS_STOPPED)
    consent_names_activity = serializers.BooleanField(required=False, help_text=NAMES_ACTIVITY)

    class Meta:
        model = Study
        fields = ["title", "options", "consent", "consent_pays_stopped", "consent_names_activity", *SETTING_FIELDS]
        extra_kwargs = {name: {"required": False} for name in ["title", *SETTING_FIELDS]}


class StudyDraft(StudyChange):
    class Meta(StudyChange.Meta):
        fields = ["task_type", *StudyChange.Meta.fields]
        extra_kwargs = {name: {"required": False} for name in SETTING_FIELDS}


class StateShape(serializers.Serializer):
    state = serializers.ChoiceField(["open", "paused", "closed", "archived"])


class CopyRequest(serializers.Serializer):
    title = serializers.CharField(max_length=200, default="", allow_blank=True, help_text="The default is “Copy of …”.")
    items = serializers.BooleanField(default=True)
    gold = serializers.BooleanField(
        default=True, help_text="Also copy gold and practice questions. Without the items, no questions are copied."
    )
    members = serializers.BooleanField(default=False, help_text="Also copy the other members, with their roles.")


class SettingsImportRequest(serializers.Serializer):
    from_study = serializers.CharField(help_text="ID of a study that you manage and that has the same task type.")
    steps = serializers.ListField(
        child=serializers.ChoiceField(choices=list(BY_SLUG)),
        allow_empty=False,
        help_text="Groups of settings to import. The possible values are the names of the settings pages in the "
        "console.",
    )


class SettingsImportShape(serializers.Serializer):
    changed = serializers.ListField(child=serializers.CharField(), help_text="Names of the changed settings.")
    locked = serializers.ListField(
        child=serializers.CharField(),
        help_text="Names of settings that differ but have not changed, because the study has been opened.",
    )


class QuestionFilterShape(serializers.Serializer):
    kind = serializers.ChoiceField(choices=Question.Kind.choices, required=False)
    search = serializers.CharField(required=False, help_text="Part of an ID, a text or metadata.")
    state = serializers.ChoiceField(choices=[name for name in STATES if name], required=False)
    annotator = serializers.CharField(required=False, help_text="Pseudonym of an annotator who answered the question.")
    column = serializers.CharField(required=False, help_text="Name of a metadata column. Also send `value`.")
    value = serializers.CharField(required=False, help_text="Value of the metadata column.")
    sort = serializers.ChoiceField(choices=[name for name in SORTS if name], required=False)


class RemovedShape(serializers.Serializer):
    removed = serializers.IntegerField(help_text="Number of removed items or questions.")


class FaultShape(serializers.Serializer):
    line = serializers.IntegerField(allow_null=True)
    column = serializers.CharField(allow_null=True)
    message = serializers.CharField()


class LayoutShape(serializers.Serializer):
    """The settings for reading a table."""

    sheet = serializers.CharField(default="", allow_blank=True, help_text="The sheet of an Excel workbook.")
    encoding = serializers.ChoiceField(list(ENCODINGS), default="utf-8")
    delimiter = serializers.ChoiceField(list(DELIMITERS), default=",", help_text="A comma, a semicolon or a tab.")
    columns = serializers.DictField(
        child=serializers.CharField(allow_blank=True),
        default=dict,
        help_text="The name that Accord uses for each column of the file. An empty name excludes the column. If "
        "the request names no columns, Accord matches the columns by their names.",
    )
    skipped = serializers.ListField(
        child=serializers.IntegerField(min_value=2),
        default=list,
        max_length=1000,
        help_text="Line numbers of the rows that are skipped.",
    )


class UploadDraft(serializers.Serializer):
    purpose = serializers.ChoiceField(Upload.Purpose.choices)
    filename = serializers.CharField(max_length=255)
    content = serializers.CharField(
        trim_whitespace=False, required=False, help_text="The text of the file, as CSV or JSON Lines."
    )
    file = serializers.FileField(
        required=False, help_text="The file, as part of a multipart form. Send either `content` or `file`."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require that the request contains either the text or the file, but not both."""
        if ("content" in attrs) == ("file" in attrs):
            raise serializers.ValidationError({"content": "Send either content or file."})
        return attrs


class UploadShape(serializers.Serializer):
    id = serializers.CharField()
    purpose = serializers.ChoiceField(Upload.Purpose.choices)
    filename = serializers.CharField()
    rows = serializers.IntegerField()
    importable = serializers.BooleanField()
    layout = LayoutShape(
        allow_null=True, help_text="The layout with which the file is read, or `null` if the file is not a table."
    )
    faults = FaultShape(many=True)
    warnings = FaultShape(many=True)


class JobReportShape(serializers.Serializer):
    """The report that a job has created."""

    kind = serializers.CharField()
    number = serializers.IntegerField()


class JobShape(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")
    report = serializers.SerializerMethodField()

    class Meta:
        model = Job
        fields = [
            "id",
            "kind",
            "state",
            "progress",
            "message",
            "error",
            "created_at",
            "started_at",
            "finished_at",
            "report",
        ]

    @extend_schema_field(JobReportShape(allow_null=True))
    def get_report(self, job: Job) -> dict[str, Any] | None:
        return {"kind": job.report.kind, "number": job.report.number} if job.report else None


class CopyShape(serializers.Serializer):
    study = StudyShape()
    job = JobShape(allow_null=True, help_text="The job that copies the items, or `null` if no items are copied.")


class PendingUpload(serializers.Serializer):
    id = serializers.CharField()
    purpose = serializers.ChoiceField(Upload.Purpose.choices)
    filename = serializers.CharField()
    job = JobShape(help_text="The job that reads the file. Request the upload again after the job has finished.")


class ItemShape(serializers.ModelSerializer):
    id = serializers.CharField(source="key")
    content = ContentField()

    class Meta:
        model = Item
        fields = ["id", "content", "metadata", "held_out"]


class QuestionShape(serializers.ModelSerializer):
    payload = PayloadField()
    gold = ValueField(allow_null=True, help_text="Expected answer of a gold or practice question.")

    class Meta:
        model = Question
        fields = ["ref", "kind", "payload", "gold", "explanation"]


class AnswerShape(serializers.ModelSerializer):
    question = serializers.CharField(source="question.ref")
    kind = serializers.ChoiceField(Question.Kind.choices, source="question.kind")
    value = ValueField(allow_null=True, help_text="The answer, or null for a skipped question.")
    annotator = serializers.CharField(source="participation.pseudonym")
    assignment = serializers.CharField(source="assignment.public_id")
    state = serializers.ChoiceField(Assignment.State.choices, source="assignment.state")
    reason = serializers.CharField(source="assignment.reason")
    answered_at = serializers.DateTimeField(source="given_at", allow_null=True)

    class Meta:
        model = Answer
        fields = [
            "question",
            "kind",
            "annotator",
            "assignment",
            "position",
            "shown",
            "value",
            "answered_at",
            "seconds",
            "passed",
            "disputed",
            "dispute_note",
            "repeat",
            "excluded",
            "skipped",
            "skipped_at",
            "guidelines_version",
            "state",
            "reason",
        ]


class AnnotatorAnswerShape(AnswerShape):
    """An annotator's answer, with figures that help to judge it."""

    words = serializers.CharField(
        help_text="The answer in words, with the items in the order on the annotator's screen."
    )
    counts = serializers.BooleanField(help_text="Whether the answer counts towards the results.")
    reason_not_counted = serializers.CharField(help_text="The reason why the answer does not count.")
    agreement = serializers.FloatField(
        allow_null=True, help_text="Mean similarity to the answers of other annotators, from 0 to 1."
    )
    others = serializers.IntegerField(help_text="Number of other annotators' answers that count.")
    usual_seconds = serializers.FloatField(
        allow_null=True, help_text="Median time of other annotators on the question, in seconds."
    )

    class Meta(AnswerShape.Meta):
        fields = [
            *AnswerShape.Meta.fields,
            "words",
            "counts",
            "reason_not_counted",
            "agreement",
            "others",
            "usual_seconds",
        ]


class DecisionShape(serializers.ModelSerializer):
    question = serializers.CharField(source="question.ref")
    value = ValueField(allow_null=True)
    user = serializers.CharField(source="user.email")

    class Meta:
        model = Decision
        fields = ["question", "value", "keep_both", "note", "user", "decided_at"]


class DecisionDraft(serializers.Serializer):
    value = AnswerField(
        required=False,
        allow_null=True,
        default=None,
        help_text="The answer that the decision records, in the task type's answer format and in the order of the "
        "payload.",
    )
    keep_both = serializers.BooleanField(
        default=False,
        help_text="Whether all answers are acceptable. A decision that accepts all answers must not contain a value.",
    )
    note = serializers.CharField(required=False, allow_blank=True, default="", max_length=2_000)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require either a value or `keep_both`."""
        if attrs["keep_both"] and attrs["value"] is not None:
            raise serializers.ValidationError({"value": "A decision that keeps all answers has no value."})
        if not attrs["keep_both"] and attrs["value"] is None:
            raise serializers.ValidationError({"value": "This field is required."})
        return attrs


class AdjudicationShape(serializers.Serializer):
    """A question in the adjudication queue."""

    question = serializers.CharField(source="question.ref")
    judgements = serializers.IntegerField()
    agreement = serializers.FloatField(
        help_text="Mean similarity, according to the task type's measure, over all pairs of answers, from 0 to 1."
    )
    seconds = serializers.FloatField(allow_null=True, help_text="Median time per answer in seconds.")
    decided = serializers.SerializerMethodField()

    def get_decided(self, figures: QuestionFigures) -> bool:
        return hasattr(figures.question, "decision")


class SignShape(serializers.Serializer):
    title = serializers.CharField()
    detail = serializers.CharField()
    p = serializers.FloatField(
        allow_null=True,
        default=None,
        help_text="The probability that a careful annotator's answers show this sign by chance.",
    )


class AnnotatorShape(serializers.ModelSerializer):
    platform = serializers.ChoiceField(Annotator.Platform.choices, source="annotator.platform")
    is_program = serializers.BooleanField(
        source="annotator.is_program",
        help_text="Whether the annotator is a program that joined through the API. Its answers never count.",
    )

    class Meta:
        model = Participation
        fields = [
            "pseudonym",
            "platform",
            "is_program",
            "standing",
            "standing_reason",
            "graded",
            "tallies",
            "joined_at",
        ]


class NeedsLookShape(serializers.Serializer):
    pseudonym = serializers.CharField(source="participation.pseudonym")
    standing = serializers.ChoiceField(Participation.Standing.choices, source="participation.standing")
    signs = SignShape(many=True, help_text="The signs of careless answers, with the strongest evidence first.")
    agreement = serializers.FloatField(source="figures.agreement", allow_null=True, default=None)
    median_seconds = serializers.FloatField(source="figures.median_seconds", allow_null=True, default=None)


class ReasonShape(serializers.Serializer):
    reason = serializers.CharField(max_length=500)


class RestoredShape(serializers.Serializer):
    counted = serializers.IntegerField()
    surplus = serializers.IntegerField()
    resumable = serializers.IntegerField()


class ReportRow(serializers.ModelSerializer):
    class Meta:
        model = Report
        fields = ["kind", "number", "created_at", "parameters", "seed", "versions", "input_sha256"]


class ReportShape(ReportRow):
    result = serializers.JSONField()

    class Meta(ReportRow.Meta):
        fields = [*ReportRow.Meta.fields, "result"]


class ReportRequest(serializers.Serializer):
    kind = serializers.SlugField(default="results", max_length=30)
    splits = serializers.IntegerField(default=1000, min_value=1, max_value=100_000)


class ExportRow(serializers.Serializer):
    filename = serializers.CharField()
    content_type = serializers.CharField()
    description = serializers.CharField()
    note = serializers.CharField()


class EventShape(serializers.ModelSerializer):
    user = serializers.CharField(source="user.email", default=None, allow_null=True)
    annotator = serializers.CharField(source="participation.pseudonym", default=None, allow_null=True)

    class Meta:
        model = Event
        fields = ["at", "verb", "user", "annotator", "reason", "detail"]


class FigureValueShape(serializers.Serializer):
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True, help_text="Lower end of the 95% interval.")
    high = serializers.FloatField(allow_null=True, help_text="Upper end of the 95% interval.")


class ComparedFigureShape(serializers.Serializer):
    name = serializers.CharField(source="row.name")
    first = FigureValueShape()
    second = FigureValueShape()
    difference = serializers.FloatField(allow_null=True, help_text="The second value minus the first value.")


class ComparedTableShape(serializers.Serializer):
    title = serializers.CharField()
    rows = ComparedFigureShape(many=True)
