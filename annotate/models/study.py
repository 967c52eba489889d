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
    supply = models.BigIntegerField(
        default=0, help_text="This counter increases when slots open. See services/claim.py."
    )
    created_at = DatabaseTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    personal_data_removed_at = models.DateTimeField(null=True, blank=True, editable=False)

    # texts for annotators
    language = models.CharField(
        max_length=35, default="en", help_text="Language of the texts as a BCP 47 tag, such as en or pt-BR."
    )
    direction = models.CharField(max_length=4, choices=Direction, default=Direction.AUTO)
    instructions = models.TextField(blank=True, help_text="The instructions for annotators, in Markdown.")
    examples = models.TextField(blank=True, help_text="Worked examples for annotators, in Markdown.")
    guidelines_version = models.PositiveIntegerField(
        default=1, editable=False, help_text="The current version of the instructions and worked examples."
    )

    # ethics, privacy and pay
    protocol_number = models.CharField(
        max_length=80, blank=True, help_text="The approval number from the ethics board."
    )
    privacy_notice = models.TextField(
        blank=True,
        help_text="Explain who is responsible for the data, which personal data you process, why you process it, how "
        "long you keep it and what rights annotators have. You can use Markdown. A study needs a privacy notice "
        "before it can open.",
    )
    retention_days = models.PositiveIntegerField(
        default=365,
        validators=[MinValueValidator(1), MaxValueValidator(3650)],
        help_text="Accord removes platform IDs, contacts and resume codes this many days after the study closes. Pay "
        "all annotators before then.",
    )
    eligibility = models.TextField(blank=True, help_text="Conditions that annotators must confirm when they join.")
    reward = models.DecimalField(
        max_digits=12,
        decimal_places=4,
        default=Decimal(0),
        validators=[MinValueValidator(Decimal(0))],
        help_text="Annotators are paid this amount for each HIT.",
    )
    currency = models.CharField(max_length=3, default="USD")
    payment_terms = models.TextField(
        blank=True,
        help_text="Explain how, when and by whom annotators are paid. Annotators see this text next to their earnings.",
    )
    contact = models.CharField(
        max_length=254, blank=True, help_text="The name and email address of a researcher whom annotators can contact."
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
        help_text="The overview shows a warning if annotators earn less than this per hour. Leave this field empty "
        "for no warning.",
    )
    budget_cap = models.DecimalField(
        max_digits=14,
        decimal_places=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0))],
        help_text="Annotators get no new HITs if the total of credited rewards, open HITs and bonuses would exceed "
        "this amount. Leave this field empty for no cap.",
    )

    # admission of annotators, and allocation of HITs
    join_token = models.CharField(max_length=22, unique=True, default=ids.public_id, editable=False)
    admission = models.CharField(max_length=10, choices=Admission, default=Admission.ANONYMOUS)
    recruitment = models.CharField(
        max_length=10,
        choices=Recruitment,
        default=Recruitment.LINKS,
        help_text="If annotators come from Prolific, the join page requires the participant ID in the link.",
    )
    network_check = models.BooleanField(
        default=False,
        help_text="Store a keyed hash of annotators' networks for 30 days. The consent text must mention this check.",
    )
    activity_summaries = models.BooleanField(
        default=False,
        help_text="Collect a summary of the annotator's activity with each answer. The consent text must mention "
        "these summaries.",
    )
    excluded_studies = models.JSONField(
        default=list,
        blank=True,
        help_text="People who took part in any of these studies cannot join this study. Enter the IDs of studies that "
        "have the same owner.",
    )
    admitted_studies = models.JSONField(
        default=list,
        blank=True,
        help_text="Only people who took part in at least one of these studies can join this study. Enter the IDs of "
        "studies that have the same owner.",
    )
    annotator_limit = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="The maximum number of annotators. Stopped and withdrawn annotators do not count. Leave this field "
        "empty for no limit.",
    )
    waiting_list = models.BooleanField(
        default=False, help_text="When the study has its maximum number of annotators, people can join a waiting list."
    )
    joining_ends_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Nobody can join the study after this time. Leave this field empty for no deadline.",
    )
    claiming_ends_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Annotators get no new HITs after this time, but they can still submit HITs that they have started. "
        "Leave this field empty for no deadline.",
    )
    time_zone = models.CharField(
        max_length=60,
        default="UTC",
        validators=[validate_time_zone],
        help_text="Deadlines are shown in this time zone. Use an IANA name such as Europe/Berlin.",
    )
    judgements = models.PositiveSmallIntegerField(
        default=2,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text="The number of annotators who answer each question.",
    )
    questions_per_hit = models.PositiveSmallIntegerField(
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(200)],
        help_text="The number of questions in each HIT, excluding gold questions.",
    )
    order = models.CharField(max_length=6, choices=Order, default=Order.ROUNDS)
    lease_minutes = models.PositiveIntegerField(
        default=60,
        validators=[MinValueValidator(1), MaxValueValidator(60 * 24 * 30)],
        help_text="The time limit for each HIT, in minutes.",
    )
    hits_per_annotator = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="The maximum number of HITs per annotator. Leave this field empty for no limit.",
    )

    # gold and the quality rule
    gold_block = models.PositiveSmallIntegerField(
        default=5,
        help_text="Each HIT contains one gold question for every block of this many questions. 0 means no gold "
        "questions.",
    )
    gold_exhausted = models.CharField(max_length=8, choices=GoldExhausted, default=GoldExhausted.CONTINUE)
    rule_threshold = models.DecimalField(
        max_digits=4,
        decimal_places=3,
        default=Decimal("0.7"),
        validators=[MinValueValidator(Decimal(0)), MaxValueValidator(Decimal(1))],
        help_text="The quality rule stops annotators whose accuracy is below this pass mark. 0 turns the rule off.",
    )
    rule_minimum = models.PositiveSmallIntegerField(default=10, validators=[MinValueValidator(1)])
    rule_unit = models.CharField(max_length=4, choices=RuleUnit, default=RuleUnit.GOLD)
    rule_measure = models.CharField(max_length=40, default="accuracy")
    pay_stopped = models.BooleanField(default=True, help_text="Pay stopped annotators for the HIT that they had open.")

    # choices that annotators have while they work
    skips_allowed = models.BooleanField(
        default=False,
        help_text="Annotators can skip a question if they give a reason. Another annotator then gets the question.",
    )
    gold_skips_allowed = models.PositiveSmallIntegerField(
        default=2,
        help_text="Each annotator can skip this many gold questions. Any further skipped gold question counts as "
        "missed.",
    )
    put_aside_allowed = models.PositiveSmallIntegerField(
        default=3,
        help_text="The number of HITs that an annotator, or all annotators of one network together, can put aside for "
        "good. All other returned HITs come back to the annotator.",
    )
    break_minutes = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(5), MaxValueValidator(240)],
        help_text="Annotators see a reminder to take a break after this many minutes of work. Leave this field empty "
        "for no reminder.",
    )

    # adjudication
    blind_adjudication = models.BooleanField(
        default=False, help_text="Hide the pseudonyms of annotators from reviewers on the adjudication pages."
    )

    # practice and pilot
    practice = models.BooleanField(
        default=True, help_text="If the study has practice questions, annotators answer them before their first HIT."
    )
    qualification_mark = models.DecimalField(
        max_digits=4,
        decimal_places=3,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0)), MaxValueValidator(Decimal(1))],
        help_text="Annotators must answer at least this share of the practice questions as expected before they get "
        "their first HIT. Leave this field empty for no qualification.",
    )
    qualification_tries = models.PositiveSmallIntegerField(
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(10)],
        help_text="Annotators have this many tries to pass the qualification. Each try uses a share of the practice "
        "questions.",
    )
    qualification_pay = models.DecimalField(
        max_digits=12,
        decimal_places=4,
        default=Decimal(0),
        validators=[MinValueValidator(Decimal(0))],
        help_text="Annotators who do not pass the qualification are paid this amount.",
    )
    pilot_hits = models.PositiveIntegerField(
        default=0, help_text="The number of HITs in the pilot. During the pilot, annotators can claim only these HITs."
    )
    piloting = models.BooleanField(default=False)
    pilot_counts = models.BooleanField(default=True, help_text="Whether pilot answers count towards the scores.")

    # totals over all slots, updated together with the slots
    assignments_wanted = models.PositiveIntegerField(
        default=0, editable=False, help_text="The total number of slots in all HITs of the study."
    )
    judgements_wanted = models.PositiveIntegerField(
        default=0, editable=False, help_text="The total number of questions in all slots of the study."
    )

    todo_count = models.PositiveIntegerField(
        default=0, editable=False, help_text="The to-do list had this many entries when it was last updated."
    )

    options = models.JSONField(default=dict, blank=True, help_text="The settings of the study's task type.")
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
