"""Questionnaires for annotators, screening results, and survey answers."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotate.models.questionnaire_definition import FormQuestion, stored_questions

from .annotator import Participation
from .group import AnnotatorGroup
from .ids import public_id
from .study import Study
from .times import DatabaseTimeField


class Questionnaire(models.Model):
    """One version of the questions that a study asks its annotators for a particular purpose.

    A version can change until it is answered for the first time. A later change is stored as a new version. A version
    without questions turns the questionnaire off.
    """

    class Purpose(models.TextChoices):
        SCREENING = "screening", "Screening questions"
        SURVEY = "survey", "Survey"

    class Timing(models.TextChoices):
        BEFORE = "before", "before the first HIT"
        AFTER = "after", "after the last HIT"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="questionnaires")
    purpose = models.CharField(max_length=10, choices=Purpose)
    version = models.PositiveIntegerField(default=1)
    revision = models.PositiveIntegerField(
        default=1,
        help_text="This number increases with each change, so that two editors cannot overwrite each other's changes.",
    )
    introduction = models.TextField(
        blank=True, help_text="This text appears above the questions. You can use Markdown."
    )
    ending = models.TextField(
        blank=True,
        help_text="People who cannot take part see this text. You can use Markdown. Leave this field empty to show "
        "the default text.",
    )
    stores_answers = models.BooleanField(
        default=False, help_text="Whether Accord stores the answers to the screening questions."
    )
    timing = models.CharField(
        max_length=6, choices=Timing, default=Timing.AFTER, help_text="When annotators answer the survey."
    )
    questions = models.JSONField(default=list, blank=True)
    totals = models.JSONField(
        null=True,
        editable=False,
        help_text="The counts of survey answers that Accord deleted after the retention period.",
    )
    created_at = DatabaseTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "purpose", "version"], name="questionnaire_version"),
        ]
        ordering = ["study", "purpose", "version"]

    def __str__(self) -> str:
        return f"{self.purpose} version {self.version}"

    @property
    def entries(self) -> list[FormQuestion]:
        """The questionnaire's questions, in order."""
        return stored_questions(self.questions)

    @property
    def assigns_groups(self) -> bool:
        """Whether people join a group by their answers."""
        return any(question.groups for question in self.entries)


class Screening(models.Model):
    """The outcome of one person's answers to the screening questions.

    `person_hash` is a keyed hash of the person's platform ID. It is empty for people who join through an open link.
    """

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    questionnaire = models.ForeignKey(Questionnaire, on_delete=models.CASCADE, related_name="screenings")
    is_admitted = models.BooleanField()
    person_hash = models.CharField(max_length=64, blank=True)
    group = models.ForeignKey(
        AnnotatorGroup,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The group that the person joins, according to the answers.",
    )
    answers = models.JSONField(
        null=True,
        blank=True,
        help_text="The person's answers to the screening questions. This field is empty if the questionnaire does not "
        "store answers.",
    )
    participation = models.OneToOneField(
        Participation, null=True, blank=True, on_delete=models.PROTECT, related_name="screening"
    )
    created_at = DatabaseTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["questionnaire", "person_hash"], condition=~Q(person_hash=""), name="screening_person_once"
            )
        ]

    def __str__(self) -> str:
        return "admitted" if self.is_admitted else "screened out"


class SurveyResponse(models.Model):
    """An annotator's answers to a survey. Exports of these answers contain no pseudonyms."""

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    questionnaire = models.ForeignKey(Questionnaire, on_delete=models.CASCADE, related_name="responses")
    participation = models.OneToOneField(Participation, on_delete=models.PROTECT, related_name="survey_response")
    answers = models.JSONField(default=dict)
    created_at = DatabaseTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"response to {self.questionnaire}"
