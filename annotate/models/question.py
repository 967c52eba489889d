"""Questions, and authors' answers to gold candidates."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from .ids import public_id
from .study import Study
from .times import DatabaseTimeField


class Question(models.Model):
    """One question. The task type defines the format of `payload` and `gold`. Accord never normalises stored text."""

    class Kind(models.TextChoices):
        REGULAR = "regular"
        GOLD = "gold"
        PRACTICE = "practice"
        CANDIDATE = "candidate", "gold candidate"
        RETIRED = "retired", "excluded gold question"
        PROGRAM = "program", "question only for programs"
        TRIED = "tried", "question of an earlier design that a researcher tried"

    # Questions that the design builds from the items, as opposed to gold and practice questions.
    OF_DESIGN = (Kind.REGULAR, Kind.PROGRAM, Kind.TRIED)

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="questions")
    ref = models.CharField(max_length=200)
    kind = models.CharField(max_length=9, choices=Kind, default=Kind.REGULAR)
    payload = models.JSONField()
    gold = models.JSONField(null=True, blank=True)
    explanation = models.TextField(blank=True)
    gold_version = models.PositiveIntegerField(
        default=1,
        help_text="The version of the expected answer and its explanation. The audit log contains earlier versions.",
    )

    # Few questions come from files, so the index excludes all others.
    upload = models.ForeignKey(
        "Upload",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="questions",
        db_index=False,
        help_text="The file with gold or practice questions from which the question was imported.",
    )

    # The foreign key has no index, because only reports read the round, together with the answers.
    adaptive_round = models.ForeignKey(
        "AdaptiveRound",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="questions",
        db_index=False,
        help_text="The adaptive round that added the question. This field is empty if the question belongs to the "
        "original design.",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "ref"], name="question_ref"),
            models.CheckConstraint(
                condition=Q(kind__in=["regular", "candidate", "program", "tried"]) | Q(gold__isnull=False),
                name="question_gold_is_known",
            ),
        ]
        indexes = [
            models.Index(fields=["study", "kind", "id"], name="question_by_kind"),
            models.Index(fields=["upload"], condition=Q(upload__isnull=False), name="question_of_file"),
        ]

    def __str__(self) -> str:
        return self.ref


class GoldJudgement(models.Model):
    """One author's answer to a gold candidate."""

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="judgements")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    value = models.JSONField()
    explanation = models.TextField(blank=True)
    given_at = DatabaseTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["question", "user"], name="gold_judgement_once")]

    def __str__(self) -> str:
        return f"{self.user} on {self.question}"
