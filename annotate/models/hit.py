"""HITs with their questions and slots."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from .question import Question
from .study import Study


class Hit(models.Model):
    """Several questions that are answered and paid for together."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="hits")
    number = models.PositiveIntegerField()
    for_skipped = models.BooleanField(
        default=False,
        help_text="Whether the HIT repeats questions that annotators skipped or whose answers were excluded.",
    )
    questions: models.ManyToManyField[Question, models.Model] = models.ManyToManyField(Question, through="HitQuestion")

    class Meta:
        verbose_name = "HIT"
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="hit_number")]

    def __str__(self) -> str:
        return f"HIT {self.number}"


class HitQuestion(models.Model):
    hit = models.ForeignKey(Hit, on_delete=models.CASCADE, related_name="hit_questions")
    question = models.ForeignKey(Question, on_delete=models.PROTECT, related_name="hit_questions")
    position = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hit", "question"], name="hit_question_once"),
            models.UniqueConstraint(fields=["hit", "position"], name="hit_position_once"),
        ]

    def __str__(self) -> str:
        return f"{self.hit_id}/{self.position}"


class Slot(models.Model):
    """A slot in a HIT that can be held by one assignment. `place` is the slot's position in the study's queue.

    `open` is a SMALLINT because SQLite uses the index for `open = 1` and not for a boolean.
    """

    # The foreign key has no index, because a query that used such an index would also read closed slots.
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="slots", db_index=False)
    hit = models.ForeignKey(Hit, on_delete=models.CASCADE, related_name="slots")
    place = models.BigIntegerField()
    open = models.SmallIntegerField(default=1)
    # An index on this column would slow down every claim. Only pages about named annotators search by this column.
    reserved_for = models.ForeignKey(
        "NamedAnnotator",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="slots",
        db_index=False,
        help_text="Only this annotator can take the slot. If this field is empty, any annotator can take the slot.",
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(open__in=[0, 1]), name="slot_open_is_0_or_1"),
        ]
        # Both indexes contain only the queue of open slots, so searching either index never reads closed slots. SQLite
        # uses the first index, and PostgreSQL can use both. The table has no unique index on (study, place). If
        # statistics suggested that most slots were open, PostgreSQL would use such an index and read every closed slot.
        # The places of slots are unique because the study is locked while places are assigned.
        indexes = [
            models.Index(fields=["study", "open", "place"], name="slot_queue"),
            models.Index(fields=["study", "place"], name="slot_open", condition=Q(open=1)),
        ]

    def __str__(self) -> str:
        return f"slot {self.place}"
