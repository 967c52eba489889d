"""Assignments of HITs to annotators, and their answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import models
from django.db.models import Q

from .annotator import Participation
from .hit import Hit, Slot
from .ids import public_id
from .question import Question
from .study import Study
from .times import DatabaseTimeField


class Assignment(models.Model):
    """The assignment of a HIT to the annotator who claimed it, and the outcome. docs/allocation.md shows the states of
    an assignment.
    """

    class Kind(models.TextChoices):
        REGULAR = "regular"
        PRACTICE = "practice"
        TRY = "try", "try-out by a researcher"
        PROGRAM = "program", "HIT of a program"

    # Answers in assignments of these kinds are not part of results, exports and releases.
    NOT_BY_PEOPLE = (Kind.TRY, Kind.PROGRAM)

    class State(models.TextChoices):
        LEASED = "leased"
        LAPSED = "lapsed"
        DONE = "done"
        SURPLUS = "surplus"
        VOID = "void"

    class Source(models.TextChoices):
        WEB = "web"
        MTURK = "mturk"
        PROLIFIC = "prolific"
        API = "api"

    # Values of `reason` for a lapsed assignment that the annotator gave up. The annotator's next claim leases a
    # returned HIT again before any other HIT, but never a HIT that was put aside.
    RETURNED = "returned"
    PUT_ASIDE = "put aside"
    WITHDRAWN = "withdrawn"
    GIVEN_UP = (RETURNED, PUT_ASIDE, WITHDRAWN)
    # The value of `reason` for a void imported assignment if its answers are being deleted together with the import.
    REMOVED = "removed with its import"

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="assignments")
    participation = models.ForeignKey(Participation, on_delete=models.PROTECT, related_name="assignments")
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.REGULAR)
    hit = models.ForeignKey(Hit, null=True, blank=True, on_delete=models.PROTECT, related_name="assignments")
    slot = models.ForeignKey(Slot, null=True, blank=True, on_delete=models.PROTECT, related_name="assignments")
    source = models.CharField(max_length=8, choices=Source, default=Source.WEB)
    external_id = models.CharField(max_length=200, blank=True)
    state = models.CharField(max_length=7, choices=State, default=State.LEASED)
    reason = models.CharField(max_length=500, blank=True)
    lease_until = models.DateTimeField()
    reward = models.DecimalField(max_digits=12, decimal_places=4, default=Decimal(0))
    credited = models.BooleanField(default=False, help_text="Whether the annotator has earned the reward for the HIT.")
    open_at_stop = models.BooleanField(
        default=False,
        help_text="Whether the annotator had begun the HIT, but had not submitted it, at the time of the stop. After a "
        "stop, this is the only HIT that can still be credited.",
    )
    claimed_at = DatabaseTimeField(auto_now_add=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    skipped = models.PositiveSmallIntegerField(
        default=0, help_text="The number of skipped questions in a submitted HIT, as the annotator left them."
    )
    seconds = models.FloatField(
        null=True,
        blank=True,
        help_text="The total time that the annotator spent on the questions of a submitted HIT, in seconds. This "
        "field is empty if the time for any of the answers is unknown.",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["participation", "hit"], name="assignment_hit_once"),
            # This index guarantees that two assignments never hold the same slot.
            models.UniqueConstraint(
                fields=["slot"], condition=Q(state__in=["leased", "done"]), name="assignment_slot_held_once"
            ),
            models.UniqueConstraint(
                fields=["participation"],
                condition=Q(state="leased", source="web"),
                name="assignment_one_web_lease",
            ),
            # Together with a trigger (`triggers.py`), this index guarantees that a stop never earns more than one HIT.
            models.UniqueConstraint(
                fields=["participation"], condition=Q(open_at_stop=True), name="assignment_open_at_stop_once"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["leased", "lapsed", "done", "surplus", "void"]),
                name="assignment_state",
            ),
            models.CheckConstraint(
                condition=~Q(kind="regular", state__in=["leased", "done"]) | Q(hit__isnull=False, slot__isnull=False),
                name="assignment_has_slot",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["leased", "lapsed"], submitted_at__isnull=True)
                | Q(state__in=["done", "surplus"], submitted_at__isnull=False)
                | Q(state="void"),
                name="assignment_submitted",
            ),
        ]
        indexes = [
            models.Index(fields=["study", "lease_until"], condition=Q(state="leased"), name="assignment_overdue"),
            models.Index(fields=["study", "state", "kind"], name="assignment_by_state"),
            # The claim reads the annotator's oldest HIT whose questions may be repeated.
            models.Index(
                fields=["participation", "id"],
                condition=Q(kind="regular", submitted_at__isnull=False),
                name="assignment_submitted_by",
            ),
            # The query for the median HIT time reads only this index, not the assignments.
            models.Index(fields=["study", "seconds"], condition=Q(seconds__isnull=False), name="assignment_by_time"),
        ]

    def __str__(self) -> str:
        return self.public_id

    @property
    def is_given_up(self) -> bool:
        """Whether the annotator returned the HIT or put it aside, or withdrew from the study before submitting it."""
        return self.state == self.State.LAPSED and self.reason in self.GIVEN_UP

    @property
    def is_practice(self) -> bool:
        """Whether the assignment contains practice questions, for an annotator or in a try-out."""
        return self.kind == self.Kind.PRACTICE or (self.kind == self.Kind.TRY and self.hit_id is None)

    @property
    def comes_back(self) -> bool:
        """Whether the annotator's next claim leases this lapsed HIT again if one of its slots is open."""
        return self.state == self.State.LAPSED and self.reason not in (self.PUT_ASIDE, self.WITHDRAWN)

    @property
    def longest_lease(self) -> datetime:
        """The end of the lease if its annotator saves an answer in time: the time limit, counted from the claim."""
        return max(self.lease_until, self.claimed_at + timedelta(minutes=self.study.lease_minutes))


class AnswerQuerySet(models.QuerySet["Answer"]):
    """Queries for answers."""

    def first_answers(self) -> AnswerQuerySet:
        """Return each annotator's first answer to each question, whether or not the answer counts."""
        return self.filter(repeat=False)

    def counting(self, *, with_gold: bool = False) -> AnswerQuerySet:
        """Return the judgements: answers in assignments with the state `done`, except excluded answers, repeated
        answers, try-outs and practice answers.

        Judgements answer regular questions. If `with_gold` is true, answers to gold questions are also included. A
        pilot that a study excludes from its scores is included, because only its study determines this.
        """
        answers = self.filter(
            assignment__state=Assignment.State.DONE,
            assignment__kind=Assignment.Kind.REGULAR,
            repeat=False,
            excluded="",
            given_at__isnull=False,
        )
        return answers if with_gold else answers.filter(question__kind=Question.Kind.REGULAR)


@dataclass(frozen=True)
class LatestAnswer:
    """An answer as the annotator last gave it, with the earlier answers in the format of `Answer.trace`."""

    value: Any
    given_at: datetime | None
    skipped: str
    skipped_at: datetime | None
    seconds: float | None
    trace: list[dict[str, Any]]


class Answer(models.Model):
    """One annotator's answer to one question.

    Graded and submitted values are frozen by a trigger (`triggers.py`), so that no code path can rewrite them. Only a
    new version of the expected answer can change a grade.
    """

    # The indexes below begin with these three keys.
    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="answers", db_index=False)
    participation = models.ForeignKey(Participation, on_delete=models.PROTECT, related_name="answers", db_index=False)
    question = models.ForeignKey(Question, on_delete=models.PROTECT, related_name="answers", db_index=False)
    position = models.PositiveSmallIntegerField(
        help_text="The position of the question in the assignment, starting at 1."
    )
    shown = models.JSONField(
        default=list,
        help_text="The order in which the annotator saw the parts of the question, in the format of the task type.",
    )
    draft = models.JSONField(null=True, blank=True)
    revision = models.PositiveIntegerField(
        default=0, help_text="The revision number of the draft. Accord rejects drafts with an older number."
    )
    value = models.JSONField(null=True, blank=True)
    given_at = models.DateTimeField(null=True, blank=True)
    seconds = models.FloatField(
        null=True, blank=True, help_text="The time spent on the question, in seconds, as measured by the page."
    )
    skipped = models.CharField(
        max_length=500,
        blank=True,
        help_text="The annotator's reason for skipping the question. This field is empty if the annotator did not "
        "skip the question.",
    )
    skipped_at = models.DateTimeField(null=True, blank=True)
    guidelines_version = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="The version of the guidelines that the annotator had read before answering the question.",
    )
    trace = models.JSONField(
        default=list,
        blank=True,
        help_text="The annotator's earlier answers to the question, with the time of each answer.",
    )
    later = models.JSONField(
        default=list,
        blank=True,
        help_text="The annotator's changes to an answer that had already been graded, oldest first. Changes do not "
        "affect the grade, but the annotator sees the latest change, as for any other question.",
    )
    tally = models.JSONField(
        null=True, blank=True, help_text="The grading results of an answer to a gold or practice question, by name."
    )
    passed = models.BooleanField(null=True, blank=True)
    graded_version = models.PositiveIntegerField(
        default=1, help_text="The answer is graded against this version of the expected answer."
    )
    feedback_version = models.PositiveIntegerField(
        default=1,
        help_text="The answer was first graded against this version of the expected answer, and the annotator saw "
        "this version.",
    )
    always_missed = models.BooleanField(
        default=False,
        help_text="Whether the answer counts as missed regardless of its value. This happens if the gold question was "
        "not part of the HIT in the Mechanical Turk batch.",
    )
    disputed = models.BooleanField(default=False, help_text="Whether the annotator disputes the expected answer.")
    dispute_note = models.CharField(max_length=1000, blank=True)
    acknowledged_at = models.DateTimeField(null=True, blank=True)
    repeat = models.BooleanField(
        default=False,
        help_text="Whether the annotator had already answered the question. Repeated answers never count.",
    )
    replaces = models.ForeignKey(
        Question,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="replaced_by",
        db_index=False,
        help_text="The question of the HIT that was left out because this answer repeats an earlier question of the "
        "same annotator. The question that was left out is asked again in another HIT.",
    )
    excluded = models.CharField(
        max_length=500,
        blank=True,
        help_text="The researcher's reason for excluding the answer. Excluded answers do not count. This field is "
        "empty if the answer is not excluded.",
    )

    objects = AnswerQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["participation", "question"], condition=Q(repeat=False), name="answer_question_once"
            ),
            models.UniqueConstraint(fields=["assignment", "position"], name="answer_position_once"),
            models.UniqueConstraint(
                fields=["participation", "question"],
                condition=Q(replaces__isnull=False),
                name="answer_question_repeated_once",
            ),
            models.UniqueConstraint(
                fields=["assignment", "replaces"],
                condition=Q(replaces__isnull=False),
                name="answer_replaces_once",
            ),
            models.CheckConstraint(
                condition=Q(replaces__isnull=True) | Q(repeat=True, tally__isnull=True),
                name="answer_replaces_only_as_ungraded_repeat",
            ),
            models.CheckConstraint(
                condition=Q(value__isnull=True, given_at__isnull=True) | Q(value__isnull=False, given_at__isnull=False),
                name="answer_given_has_time",
            ),
            models.CheckConstraint(
                condition=Q(skipped="", skipped_at__isnull=True)
                | (~Q(skipped="") & Q(skipped_at__isnull=False, value__isnull=True)),
                name="answer_skipped_has_time_and_no_value",
            ),
            models.CheckConstraint(
                condition=Q(later=[]) | Q(tally__isnull=False), name="answer_changed_later_only_if_graded"
            ),
        ]
        indexes = [
            # The search for a slot looks up the annotator's answer to each question. With an index on one column, old
            # statistics could lead PostgreSQL to read all answers of the annotator or all answers to the question.
            models.Index(fields=["participation", "question"], name="answer_by_participation"),
            models.Index(fields=["question", "participation"], name="answer_by_question"),
            models.Index(fields=["participation"], condition=Q(tally__isnull=False), name="answer_graded"),
            models.Index(
                fields=["replaces", "participation"], condition=Q(replaces__isnull=False), name="answer_left_out"
            ),
            models.Index(fields=["question"], condition=Q(disputed=True), name="answer_disputed"),
            models.Index(fields=["participation"], condition=Q(disputed=True), name="answer_disputed_by"),
            models.Index(fields=["participation"], condition=Q(skipped_at__isnull=False), name="answer_skipped"),
        ]

    def __str__(self) -> str:
        return f"{self.assignment_id}/{self.position}"

    @property
    def latest(self) -> LatestAnswer:
        """The answer as the annotator last gave it. Everything that annotators see must use this answer, because a
        change that is not visible would reveal a gold question.
        """
        if not self.later:
            return LatestAnswer(self.value, self.given_at, self.skipped, self.skipped_at, self.seconds, self.trace)
        graded = {"value": self.value, "given_at": self.given_at.isoformat() if self.given_at else None}
        *earlier, last = self.later
        at = datetime.fromisoformat(last["given_at"])
        return LatestAnswer(
            value=last["value"],
            given_at=None if last["skipped"] else at,
            skipped=last["skipped"],
            skipped_at=at if last["skipped"] else None,
            seconds=last["seconds"],
            trace=[
                *self.trace,
                *(
                    {"value": each["value"], "given_at": each["given_at"]}
                    for each in (graded, *earlier)
                    if each["value"] is not None
                ),
            ],
        )
