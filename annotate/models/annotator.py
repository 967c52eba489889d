"""Annotators and their participation in studies."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from .batch import AnnotatorBatch
from .group import AnnotatorGroup
from .ids import public_id, random_seed
from .study import Study
from .study_texts import Consent
from .times import DatabaseTimeField

NOT_QUALIFIED = "not qualified: "  # the beginning of the reason for a stop after the last try of the qualification
ParticipationKey = int | str  # the primary key inside the server, the public ID in tokens and cookies


class Annotator(models.Model):
    """A person's identity on a platform, for a single study. An annotator's identity is never shared between studies or
    between owners.

    Removing personal data empties `external_id` and `contact`. The answers stay.
    """

    class Platform(models.TextChoices):
        WEB = "web", "invited"
        ACCOUNT = "account", "account"
        NAMED = "named", "personal link"
        MTURK = "mturk", "Mechanical Turk"
        PROLIFIC = "prolific", "Prolific"
        PANEL = "panel", "another panel"
        SIMULATED = "simulated", "simulated"
        SYSTEM = "system", "system"
        TRY = "try", "a researcher trying the study"

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="annotators")
    platform = models.CharField(max_length=10, choices=Platform)
    external_id = models.CharField(max_length=200, blank=True, help_text="The annotator's ID on the platform.")
    verified = models.BooleanField(
        default=False, help_text="Whether the platform or a sign-in has confirmed the annotator's ID."
    )
    contact = models.CharField(max_length=254, blank=True)
    is_program = models.BooleanField(
        default=False,
        help_text="Whether the annotator is a program that joined through the API. A program's answers never count.",
    )
    created_at = DatabaseTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["study", "platform", "external_id"], condition=~Q(external_id=""), name="annotator_study_once"
            )
        ]
        indexes = [
            # This index is used to find the same person in several studies. The index is needed to remove personal
            # data, and to exclude or admit people.
            models.Index(fields=["platform", "external_id"], condition=~Q(external_id=""), name="annotator_identity")
        ]

    def __str__(self) -> str:
        return f"{self.platform} annotator {self.pk}"


class ParticipationQuerySet(models.QuerySet["Participation"]):
    """Queries for participations."""

    def locked(self) -> ParticipationQuerySet:
        """Return participations with their study and annotator, locked until the transaction ends.

        A query for several participations must have an order, so that two transactions lock them in the same order.
        """
        return self.select_for_update(no_key=True, of=("self",)).select_related("study", "annotator")

    def annotators(self) -> ParticipationQuerySet:
        """Return the participations whose answers can count: people and simulated annotators.

        Researchers' try-outs and programs that joined through the API are excluded.
        """
        return self.exclude(annotator__platform=Annotator.Platform.TRY).exclude(annotator__is_program=True)

    def people(self) -> ParticipationQuerySet:
        """Return the participations of people, without simulated annotators, try-outs and programs."""
        return self.annotators().exclude(annotator__platform=Annotator.Platform.SIMULATED)

    def simulated(self) -> ParticipationQuerySet:
        """Return the participations of simulated annotators. Their answers count although they are not people."""
        return self.annotators().filter(annotator__platform=Annotator.Platform.SIMULATED)

    def identified(self, key: ParticipationKey) -> ParticipationQuerySet:
        """Return the participation with this primary key (`int`) or public ID (`str`).

        Tokens contain the public ID, and services use it in a query that they need anyway. Authentication therefore
        needs no additional query.
        """
        return self.filter(public_id=key) if isinstance(key, str) else self.filter(pk=key)


class Participation(models.Model):
    """One annotator's participation in one study, under a pseudonym that is unique within the study."""

    class Standing(models.TextChoices):
        PRACTISING = "practising"
        ACTIVE = "active"
        STOPPED = "stopped"
        DONE = "done"
        WITHDRAWN = "withdrawn"

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="participations")
    annotator = models.ForeignKey(Annotator, on_delete=models.PROTECT, related_name="participations")
    group = models.ForeignKey(
        AnnotatorGroup,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="participations",
        help_text="The annotator joined through this group's link.",
    )
    batch = models.ForeignKey(AnnotatorBatch, null=True, blank=True, on_delete=models.PROTECT, related_name="members")
    pseudonym = models.CharField(max_length=60)
    seed = models.BigIntegerField(default=random_seed)
    standing = models.CharField(max_length=10, choices=Standing, default=Standing.ACTIVE)
    standing_reason = models.CharField(max_length=500, blank=True)
    restored_at = models.DateTimeField(null=True, blank=True)
    cursor = models.BigIntegerField(default=0, help_text="The position of the last slot that the annotator claimed.")
    repeated_to = models.BigIntegerField(
        default=0,
        help_text="The primary key of the annotator's last assignment whose questions were considered for repetition.",
    )
    dry_at = models.BigIntegerField(
        null=True,
        blank=True,
        help_text="The study's counter of slot openings had this value when Accord last found no free slot for the "
        "annotator. Accord searches again when the counter increases.",
    )
    consent = models.ForeignKey(Consent, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    consented_at = models.DateTimeField(null=True, blank=True)
    declared_eligible = models.BooleanField(default=False)
    resume_hash = models.CharField(max_length=64, null=True, blank=True, unique=True)
    tallies = models.JSONField(
        default=dict, blank=True, help_text="Totals of the annotator's graded gold answers, by the name of the count."
    )
    graded = models.PositiveIntegerField(
        default=0, help_text="The number of the annotator's gold answers that have been graded."
    )
    forgiven = models.JSONField(
        default=dict,
        blank=True,
        help_text="The annotator's gold totals at the time when a researcher last restored the annotator. The quality "
        "rule ignores the answers in these totals.",
    )
    forgiven_graded = models.PositiveIntegerField(default=0)
    gold_skips = models.PositiveIntegerField(
        default=0, help_text="The number of gold questions that the annotator has skipped."
    )
    guidelines_read = models.PositiveIntegerField(
        default=1, help_text="The latest version of the guidelines that the annotator has read."
    )
    excludes_answers = models.BooleanField(
        default=False,
        help_text="Whether the annotator withdrew and asked to exclude the answers from results, exports and releases.",
    )
    joined_at = DatabaseTimeField(auto_now_add=True)

    # The query in core/services/locks.py adds these values to the locked row.
    present_consent: int | None
    state_of_study: str
    leases_overdue: bool

    objects = ParticipationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["annotator"], name="participation_annotator_once"),
            models.UniqueConstraint(fields=["study", "pseudonym"], name="participation_pseudonym"),
            models.CheckConstraint(
                condition=Q(standing__in=["practising", "active", "stopped", "done", "withdrawn"]),
                name="participation_standing",
            ),
        ]

    def __str__(self) -> str:
        return self.pseudonym

    @property
    def is_unqualified(self) -> bool:
        """Whether the annotator was stopped for failing the qualification."""
        return self.standing == self.Standing.STOPPED and self.standing_reason.startswith(NOT_QUALIFIED)

    @property
    def has_ended(self) -> bool:
        """Whether the annotator was stopped or has withdrawn, and so cannot claim any more HITs."""
        return self.standing in (self.Standing.STOPPED, self.Standing.WITHDRAWN)
