"""HITs with their questions and slots."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from .group import AnnotatorGroup
from .question import Question
from .study import Study


class GoldSet(models.Model):
    """Gold questions that are asked together. Every annotator who takes a HIT gets the HIT's gold set.

    The sets with a number are dealt to the HITs in turn. A HIT with fewer questions than others gets a set of its own,
    which has no number. This set is longer or, in a HIT for skipped questions, shorter.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="gold_sets")
    number = models.PositiveIntegerField(null=True, blank=True)
    questions: models.ManyToManyField[Question, models.Model] = models.ManyToManyField(
        Question, through="GoldSetQuestion", related_name="gold_sets"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="gold_set_number")]

    def __str__(self) -> str:
        return f"gold set {self.number or 'of one HIT'}"


class GoldSetQuestion(models.Model):
    gold_set = models.ForeignKey(GoldSet, on_delete=models.CASCADE, related_name="+")
    question = models.ForeignKey(Question, on_delete=models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["gold_set", "question"], name="gold_set_question_once"),
            models.UniqueConstraint(fields=["gold_set", "position"], name="gold_set_position_once"),
        ]

    def __str__(self) -> str:
        return f"{self.gold_set_id}/{self.position}"


class Hit(models.Model):
    """Several questions that are answered and paid for together."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="hits")
    number = models.PositiveIntegerField()
    for_skipped = models.BooleanField(
        default=False,
        help_text="Whether the HIT asks questions again that annotators skipped, whose answers were excluded, or that "
        "were left out of a HIT for repeated questions.",
    )
    left_out_for = models.ForeignKey(
        "Participation",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        help_text="The annotator whose repeated questions took the place of this HIT's questions. While nobody has "
        "claimed the HIT, it contains no other questions.",
    )
    gold_set = models.ForeignKey(GoldSet, null=True, blank=True, on_delete=models.PROTECT, related_name="hits")
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
    # The HIT's gold set. An index uses it to find the next slot with new gold questions for an annotator.
    gold_set = models.ForeignKey(
        GoldSet, null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
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

    group = models.ForeignKey(
        AnnotatorGroup,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="slots",
        db_index=False,
        help_text="Only annotators in this group can hold the slot. This field is empty in studies without quotas.",
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(open__in=[0, 1]), name="slot_open_is_0_or_1"),
        ]
        # These indexes contain only the queue of open slots, so searching an index never reads closed slots. SQLite
        # uses the first index, and PostgreSQL can use both. The table has no unique index on (study, place). If
        # statistics suggested that most slots were open, PostgreSQL would use such an index and read every closed slot.
        # The places of slots are unique because the study is locked while places are assigned.
        indexes = [
            models.Index(fields=["study", "open", "place"], name="slot_queue"),
            models.Index(fields=["study", "place"], name="slot_open", condition=Q(open=1)),
            models.Index(fields=["gold_set", "place"], name="slot_open_in_set", condition=Q(open=1)),
            # The queue of one group in a study with quotas. Slots without a group are not in this index.
            models.Index(
                fields=["group", "place"], name="slot_open_in_group", condition=Q(open=1, group__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"slot {self.place}"
