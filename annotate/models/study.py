"""Studies and their settings."""

from __future__ import annotations

from decimal import Decimal

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from . import ids
from .ids import public_id, random_seed
from .study_target import StudyTarget
from .times import DatabaseTimeField, validate_time_zone


class Study(StudyTarget):
    """A study with its task type, settings and members."""

    class State(models.TextChoices):
        DRAFT = "draft"
        OPEN = "open"
        PAUSED = "paused"
        CLOSED = "closed"
        ARCHIVED = "archived"

    class Direction(models.TextChoices):
        AUTO = "auto", "from the text"
        LTR = "ltr", "left to right"
        RTL = "rtl", "right to left"

    class Admission(models.TextChoices):
        ANONYMOUS = "anonymous", "anyone with the link, under a pseudonym"
        ACCOUNT = "account", "anyone with the link and an account"
        NAMED = "named", "only named annotators, each with a personal link"

    class Recruitment(models.TextChoices):
        LINKS = "links", "your own links"
        PROLIFIC = "prolific", "Prolific"

    class Order(models.TextChoices):
        ROUNDS = "rounds", "every HIT once before any HIT twice"
        HITS = "hits", "one HIT after the other"

    class RuleUnit(models.TextChoices):
        GOLD = "gold", "gold answers"
        HITS = "hits", "submitted HITs"

    class GoldExhausted(models.TextChoices):
        CONTINUE = "continue", "continues without gold questions"
        FINISH = "finish", "is finished"

    public_id = models.CharField(max_length=22, unique=True, default=public_id, editable=False)
    title = models.CharField(max_length=200)
    task_type = models.SlugField(max_length=40)
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    seed = models.BigIntegerField(default=random_seed)
    supply = models.BigIntegerField(default=0, help_text="Increases when slots open. See services/claim.py.")
    created_at = DatabaseTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    personal_data_removed_at = models.DateTimeField(null=True, blank=True, editable=False)

    # texts for annotators
    language = models.CharField(
        max_length=35, default="en", help_text="Language of the texts as a BCP 47 tag, such as en or pt-BR."
    )
    direction = models.CharField(max_length=4, choices=Direction, default=Direction.AUTO)
    instructions = models.TextField(blank=True, help_text="Markdown.")
    examples = models.TextField(blank=True, help_text="Worked examples, Markdown.")
    guidelines_version = models.PositiveIntegerField(
        default=1, editable=False, help_text="Version of the instructions and worked examples. See Guidelines."
    )

    # ethics, privacy and pay
    protocol_number = models.CharField(max_length=80, blank=True, help_text="Approval number from the ethics board.")
    privacy_notice = models.TextField(
        blank=True,
        help_text="Markdown text that states who is responsible, which personal data is processed, for what purpose "
        "and for how long, and what rights annotators have. A study without a notice cannot be opened.",
    )
    retention_days = models.PositiveIntegerField(
        default=365,
        validators=[MinValueValidator(1), MaxValueValidator(3650)],
        help_text="Number of days after closing until platform IDs, contacts and resume codes are removed. "
        "Pay all annotators before Accord removes this data.",
    )
    eligibility = models.TextField(blank=True, help_text="Conditions that annotators must confirm when they join.")
    reward = models.DecimalField(
        max_digits=12,
        decimal_places=4,
        default=Decimal(0),
        validators=[MinValueValidator(Decimal(0))],
        help_text="Pay per HIT.",
    )
    currency = models.CharField(max_length=3, default="USD")
    payment_terms = models.TextField(
        blank=True,
        help_text="How, when and by whom annotators are paid. Annotators see this text next to the "
        "amount that they are paid.",
    )
    contact = models.CharField(
        max_length=254, blank=True, help_text="Name and email address of a researcher whom annotators can contact."
    )
    planned_hourly_wage = models.DecimalField(
        max_digits=12, decimal_places=4, null=True, blank=True, validators=[MinValueValidator(Decimal(0))]
    )
    minimum_hourly_wage = models.DecimalField(
        max_digits=12,
        decimal_places=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0))],
        help_text="The overview warns if the actual hourly wage is lower. Empty means no warning.",
    )
    budget_cap = models.DecimalField(
        max_digits=14,
        decimal_places=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0))],
        help_text="Annotators get no new HIT if credited rewards, open HITs and bonuses would exceed this amount. "
        "Empty means no cap.",
    )

    has_webhooks = models.BooleanField(default=False, editable=False)

    # admission of annotators, and allocation of HITs
    join_token = models.CharField(max_length=22, unique=True, default=ids.public_id, editable=False)
    admission = models.CharField(max_length=10, choices=Admission, default=Admission.ANONYMOUS)
    recruitment = models.CharField(
        max_length=10,
        choices=Recruitment,
        default=Recruitment.LINKS,
        help_text="With Prolific, the join page reads the participant ID from the link and requires it.",
    )
    network_check = models.BooleanField(
        default=False,
        help_text="Store a keyed hash of annotators' networks for 30 days. The consent text must mention this "
        "network check.",
    )
    activity_summaries = models.BooleanField(
        default=False,
        help_text="Collect a summary of the annotator's activity with each answer. The consent text must mention "
        "these summaries.",
    )
    excluded_studies = models.JSONField(
        default=list,
        blank=True,
        help_text="IDs of studies that have the same owner. People who took part in one of these studies cannot join "
        "this study.",
    )
    admitted_studies = models.JSONField(
        default=list,
        blank=True,
        help_text="IDs of studies that have the same owner. Only people who took part in one of these studies can join "
        "this study.",
    )
    annotator_limit = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="Maximum number of annotators. Stopped and withdrawn annotators do not count. Empty means no limit.",
    )
    waiting_list = models.BooleanField(
        default=False, help_text="People can wait for a place if the maximum number of annotators is reached."
    )
    joining_ends_at = models.DateTimeField(
        null=True, blank=True, help_text="The time after which nobody can join. Empty means no deadline."
    )
    claiming_ends_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="The time after which annotators get no new HITs. They can still submit HITs that they have "
        "started. Empty means no deadline.",
    )
    time_zone = models.CharField(
        max_length=60,
        default="UTC",
        validators=[validate_time_zone],
        help_text="The time zone in which deadlines are shown, as an IANA name such as Europe/Berlin.",
    )
    judgements = models.PositiveSmallIntegerField(
        default=2,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text="Number of annotators who answer each question.",
    )
    questions_per_hit = models.PositiveSmallIntegerField(
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(200)],
        help_text="Number of questions in a HIT, excluding gold questions.",
    )
    order = models.CharField(max_length=6, choices=Order, default=Order.ROUNDS)
    lease_minutes = models.PositiveIntegerField(
        default=60,
        validators=[MinValueValidator(1), MaxValueValidator(60 * 24 * 30)],
        help_text="Time limit for a HIT in minutes.",
    )
    hits_per_annotator = models.PositiveIntegerField(
        null=True, blank=True, help_text="Maximum number of HITs per annotator. Empty means no limit."
    )

    # gold and the quality rule
    gold_block = models.PositiveSmallIntegerField(
        default=5, help_text="A HIT contains one gold question per block of this size. 0 means no gold questions."
    )
    gold_exhausted = models.CharField(max_length=8, choices=GoldExhausted, default=GoldExhausted.CONTINUE)
    rule_threshold = models.DecimalField(
        max_digits=4,
        decimal_places=3,
        default=Decimal("0.7"),
        validators=[MinValueValidator(Decimal(0)), MaxValueValidator(Decimal(1))],
        help_text="Pass mark: annotators with a lower accuracy are stopped. 0 turns the quality rule off.",
    )
    rule_minimum = models.PositiveSmallIntegerField(default=10, validators=[MinValueValidator(1)])
    rule_unit = models.CharField(max_length=4, choices=RuleUnit, default=RuleUnit.GOLD)
    rule_measure = models.CharField(max_length=40, default="accuracy")
    pay_stopped = models.BooleanField(default=True, help_text="Pay stopped annotators for their open HIT.")

    # choices that annotators have while they work
    skips_allowed = models.BooleanField(
        default=False,
        help_text="Annotators can skip a question and give a reason. Another annotator then gets the question.",
    )
    gold_skips_allowed = models.PositiveSmallIntegerField(
        default=2,
        help_text="Number of gold questions that an annotator can skip. "
        "Any further skipped gold question counts as missed.",
    )
    break_minutes = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(5), MaxValueValidator(240)],
        help_text="Minutes of work after which annotators see a reminder to take a break. Empty means no reminder.",
    )

    # adjudication
    blind_adjudication = models.BooleanField(
        default=False,
        help_text="Hide the pseudonyms of annotators on the pages on which reviewers decide questions.",
    )

    # practice and pilot
    practice = models.BooleanField(
        default=True, help_text="Annotators answer the practice questions, if there are any, before their first HIT."
    )
    qualification_mark = models.DecimalField(
        max_digits=4,
        decimal_places=3,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0)), MaxValueValidator(Decimal(1))],
        help_text="Share of practice questions that annotators must answer as expected before their first HIT. Empty "
        "means no qualification.",
    )
    qualification_tries = models.PositiveSmallIntegerField(
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(10)],
        help_text="Number of tries to pass the qualification. The practice questions are divided among the tries.",
    )
    qualification_pay = models.DecimalField(
        max_digits=12,
        decimal_places=4,
        default=Decimal(0),
        validators=[MinValueValidator(Decimal(0))],
        help_text="Payment for annotators who do not pass the qualification.",
    )
    pilot_hits = models.PositiveIntegerField(
        default=0, help_text="Number of HITs in the pilot. During the pilot, only the pilot HITs can be claimed."
    )
    piloting = models.BooleanField(default=False)
    pilot_counts = models.BooleanField(default=True, help_text="Whether pilot answers count towards the scores.")

    # totals over all slots, updated together with the slots
    assignments_wanted = models.PositiveIntegerField(
        default=0, editable=False, help_text="Total number of slots in all HITs."
    )
    judgements_wanted = models.PositiveIntegerField(
        default=0, editable=False, help_text="Total number of questions in all slots of the study."
    )

    todo_count = models.PositiveIntegerField(
        default=0, editable=False, help_text="Number of entries in the to-do list when the list was last read."
    )

    options = models.JSONField(default=dict, blank=True, help_text="Settings of the task type.")
    design = models.ForeignKey("Report", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    members: models.ManyToManyField[models.Model, models.Model] = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="Membership", related_name="studies"
    )

    class Meta:
        verbose_name_plural = "studies"
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["draft", "open", "paused", "closed", "archived"]), name="study_state"
            ),
            models.CheckConstraint(condition=Q(judgements__gte=1), name="study_judgements"),
            models.CheckConstraint(condition=Q(questions_per_hit__gte=1), name="study_questions_per_hit"),
            models.CheckConstraint(condition=Q(reward__gte=0), name="study_reward"),
            models.CheckConstraint(condition=Q(rule_threshold__gte=0, rule_threshold__lte=1), name="study_threshold"),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def is_draft(self) -> bool:
        return self.state == self.State.DRAFT

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN
