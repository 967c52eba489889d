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
        PANEL = "panel", "another panel"

    class IdentityParameter(models.TextChoices):
        PID = "pid", "pid"
        CONNECT = "participantId", "participantId (CloudResearch Connect)"
        SONA = "survey_code", "survey_code (SONA)"

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
    slot_openings = models.BigIntegerField(
        default=0, help_text="This counter increases when slots open. See services/claim.py."
    )
    created_at = DatabaseTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    personal_data_removed_at = models.DateTimeField(null=True, blank=True, editable=False)

    # texts for annotators
    language = models.CharField(
        verbose_name="language of the texts",
        max_length=35,
        default="en",
        help_text="Language of the texts as a BCP 47 tag, such as en or pt-BR.",
    )
    direction = models.CharField(
        verbose_name="text direction",
        max_length=4,
        choices=Direction,
        default=Direction.AUTO,
    )
    instructions = models.TextField(
        blank=True,
        help_text="Write the instructions in Markdown.",
    )
    examples = models.TextField(
        verbose_name="worked examples",
        blank=True,
        help_text="Write the worked examples in Markdown.",
    )
    guidelines_version = models.PositiveIntegerField(
        default=1, editable=False, help_text="The current version of the instructions and worked examples."
    )

    # ethics, privacy and pay
    protocol_number = models.CharField(
        max_length=80,
        blank=True,
        help_text="The approval number from the ethics board.",
    )
    full_consent = models.BooleanField(
        verbose_name="show the full consent text on the join page",
        default=False,
        help_text="Otherwise, the page shows a summary, and opens the text on demand.",
    )
    privacy_notice = models.TextField(
        blank=True,
        help_text=(
            "Explain who is responsible for the data, which personal data you process, why you process it, how long "
            "you keep it and what rights annotators have. You can use Markdown."
        ),
    )
    retention_days = models.PositiveIntegerField(
        verbose_name="days until personal data is removed",
        default=365,
        validators=[MinValueValidator(1), MaxValueValidator(3650)],
        help_text=(
            "Accord removes personal data, such as platform IDs and contacts, this many days after the study closes. "
            "Pay all annotators before then."
        ),
    )
    eligibility = models.TextField(
        verbose_name="conditions for taking part",
        blank=True,
        help_text="Conditions that annotators must confirm when they join.",
    )
    reward = models.DecimalField(
        max_digits=12,
        decimal_places=4,
        default=Decimal(0),
        validators=[MinValueValidator(Decimal(0))],
        help_text="Pay per HIT. A changed reward applies to HITs that annotators start after the change.",
    )
    currency = models.CharField(
        max_length=3,
        default="USD",
        help_text="Enter a three-letter code, such as USD or EUR.",
    )
    payment_terms = models.TextField(
        blank=True,
        help_text="State how, when and by whom annotators are paid. Annotators see this text next to their pay.",
    )
    contact = models.CharField(
        verbose_name="contact for annotators",
        max_length=254,
        blank=True,
        help_text=("A researcher's name and e-mail address, such as Ada Lovelace, ada@example.org. Annotators see it."),
    )
    planned_hourly_wage = models.DecimalField(
        max_digits=12,
        decimal_places=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0))],
        help_text=(
            "Accord divides the reward by this wage, and shows the resulting time per HIT to annotators before they "
            "join."
        ),
    )
    minimum_hourly_wage = models.DecimalField(
        max_digits=12,
        decimal_places=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0))],
        help_text="The overview and the Pay page show a warning if the actual hourly wage is lower.",
    )
    budget_cap = models.DecimalField(
        max_digits=14,
        decimal_places=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0))],
        help_text=(
            "Annotators get no new HITs once rewards, open HITs and bonuses reach this amount. Annotators are still "
            "paid for HITs that are already open, and for HITs that they submit late. Platform fees are not included."
        ),
    )

    # admission of annotators, and allocation of HITs
    join_token = models.CharField(max_length=22, unique=True, default=ids.public_id, editable=False)
    admission = models.CharField(
        verbose_name="who can join",
        max_length=10,
        choices=Admission,
        default=Admission.ANONYMOUS,
    )
    recruitment = models.CharField(
        verbose_name="source of annotators",
        max_length=10,
        choices=Recruitment,
        default=Recruitment.LINKS,
        help_text=(
            "With Prolific, the join page reads PROLIFIC_PID from the link. If the link does not contain PROLIFIC_PID, "
            "the page asks the person to open the study from Prolific. Accord ignores this parameter if you use your "
            "own links."
        ),
    )
    identity_parameter = models.CharField(
        verbose_name="parameter with the participant’s ID",
        max_length=20,
        choices=IdentityParameter,
        default=IdentityParameter.PID,
        help_text="The panel adds this parameter to the link. The ID identifies the annotator in this study.",
    )
    identity_signed = models.BooleanField(
        verbose_name="accept only signed IDs",
        default=False,
        help_text=(
            "Prevents people from answering with someone else’s ID. The panel must sign each ID with the key shown "
            "under Recruit, Study on another panel."
        ),
    )
    return_url = models.CharField(
        verbose_name="return address",
        max_length=500,
        blank=True,
        help_text=(
            "The https:// address to which annotators return when their work has ended. {code} stands for the "
            "completion code, and {pid} for the participant’s ID."
        ),
    )
    completion_code = models.CharField(
        max_length=80,
        blank=True,
        help_text="Annotators see this code when their work has ended and they have submitted at least one HIT.",
    )
    network_check = models.BooleanField(
        verbose_name="mark annotators on the same network as a stopped annotator",
        default=False,
        help_text=(
            "State in the consent text that the study stores a keyed hash of the network address for 30 days, to "
            "detect people who join twice. Accord compares only annotators who join after you turn this option on. "
            "People in the same lab or household often share a network, so a match is not proof."
        ),
    )
    activity_summaries = models.BooleanField(
        verbose_name="collect activity summaries",
        default=False,
        help_text=(
            "With each answer, Accord stores counts and timings of the annotator’s input, but not the keys pressed or "
            "the text entered. The Annotators page shows unusual figures as integrity indicators. Accord never stops "
            "annotators because of integrity indicators. A study with activity summaries can be opened only if its "
            "consent text mentions them."
        ),
    )
    excluded_studies = models.JSONField(
        verbose_name="exclude people who took part in these studies",
        default=list,
        blank=True,
        help_text=(
            "People who took part in one of these studies cannot join this study or get new HITs in it. Accord "
            "recognises only people with accounts or verified IDs, such as signed IDs from Prolific, but not people "
            "who joined through an open link."
        ),
    )
    admitted_studies = models.JSONField(
        verbose_name="admit only people who took part in these studies",
        default=list,
        blank=True,
        help_text=(
            "Only people who took part in one of these studies can join this study. The study must require accounts. "
            "If you select no study, everyone can join."
        ),
    )
    annotator_limit = models.PositiveIntegerField(
        verbose_name="maximum number of annotators",
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="Stopped and withdrawn annotators do not count. If this field is empty, there is no limit.",
    )
    waiting_list = models.BooleanField(
        verbose_name="offer a waiting list when all places are taken",
        default=False,
        help_text="Accord offers free places to the people on the waiting list, in order, for 48 hours each.",
    )
    joining_ends_at = models.DateTimeField(
        verbose_name="deadline for joining",
        null=True,
        blank=True,
        help_text="Nobody can join after this time. If this field is empty, there is no deadline.",
    )
    claiming_ends_at = models.DateTimeField(
        verbose_name="deadline for starting HITs",
        null=True,
        blank=True,
        help_text=(
            "After this time, annotators get no new HITs, but can still submit HITs that they have already started. If "
            "this field is empty, there is no deadline."
        ),
    )
    time_zone = models.CharField(
        verbose_name="time zone of the deadlines",
        max_length=60,
        default="UTC",
        validators=[validate_time_zone],
        help_text=(
            "Enter a name such as Europe/Berlin or America/New_York. Annotators see the deadlines in this time zone."
        ),
    )
    judgements = models.PositiveSmallIntegerField(
        verbose_name="judgements per question",
        default=2,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text="The number of annotators who answer each question.",
    )
    has_quotas = models.BooleanField(
        default=False,
        editable=False,
        help_text="Whether any group of the study has a quota. `judgements` is then the sum of the quotas.",
    )
    questions_per_hit = models.PositiveSmallIntegerField(
        verbose_name="questions per HIT",
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(200)],
        help_text="The number of questions in each HIT, excluding gold questions.",
    )
    order = models.CharField(
        verbose_name="order of assignments",
        max_length=6,
        choices=Order,
        default=Order.ROUNDS,
    )
    lease_minutes = models.PositiveIntegerField(
        verbose_name="time limit per HIT, in minutes",
        default=60,
        validators=[MinValueValidator(1), MaxValueValidator(60 * 24 * 30)],
        help_text="The time limit for each HIT, in minutes.",
    )
    hits_per_annotator = models.PositiveIntegerField(
        verbose_name="maximum HITs per annotator",
        null=True,
        blank=True,
        help_text="The maximum number of HITs per annotator. Leave this field empty for no limit.",
    )

    # gold and the quality rule
    gold_block = models.PositiveSmallIntegerField(
        verbose_name="questions per gold question",
        default=5,
        help_text=(
            "Each HIT contains one gold question for every block of this many questions. 0 means no gold questions."
        ),
    )
    gold_exhausted = models.CharField(
        verbose_name="annotators who have answered all gold questions",
        max_length=8,
        choices=GoldExhausted,
        default=GoldExhausted.CONTINUE,
        help_text=(
            "Annotators who continue see HITs without the gold questions that they know. Two annotators of the same "
            "HIT can therefore compare their screens and recognise gold questions. If annotators are finished instead, "
            "both see the same questions, but the study needs more annotators or more gold questions."
        ),
    )
    rule_threshold = models.DecimalField(
        verbose_name="pass mark",
        max_digits=4,
        decimal_places=3,
        default=Decimal("0.7"),
        validators=[MinValueValidator(Decimal(0)), MaxValueValidator(Decimal(1))],
        help_text="The rule stops annotators whose accuracy is below this share, such as 0.7. 0 turns it off.",
    )
    rule_minimum = models.PositiveSmallIntegerField(
        verbose_name="minimum gold answers before the rule applies",
        default=10,
        validators=[MinValueValidator(1)],
        help_text="If the minimum is low, the rule stops more good annotators by chance.",
    )
    rule_unit = models.CharField(
        verbose_name="unit of the minimum",
        max_length=4,
        choices=RuleUnit,
        default=RuleUnit.GOLD,
    )
    rule_measure = models.CharField(
        verbose_name="measure of accuracy",
        max_length=40,
        default="accuracy",
    )
    pay_stopped = models.BooleanField(
        verbose_name="pay stopped annotators for the HIT in progress",
        default=True,
        help_text="Submitted HITs are always paid, even after a stop.",
    )

    # choices that annotators have while they work
    skips_allowed = models.BooleanField(
        verbose_name="annotators can skip questions",
        default=False,
        help_text=(
            "Annotators must give a reason. You can read the reasons on the Messages page. HITs with skipped questions "
            "are paid in full. The to-do list shows annotators who skip whole HITs."
        ),
    )
    gold_skips_allowed = models.PositiveSmallIntegerField(
        verbose_name="gold questions that an annotator can skip",
        default=2,
        help_text="Any additional skipped gold question counts as missed.",
    )
    put_aside_allowed = models.PositiveSmallIntegerField(
        verbose_name="HITs that an annotator can put aside",
        default=3,
        help_text="Annotators do not get these HITs again. All other returned HITs come back to the annotator.",
    )
    repeat_share = models.DecimalField(
        verbose_name="share of questions to repeat",
        max_digits=4,
        decimal_places=3,
        default=Decimal(0),
        validators=[MinValueValidator(Decimal(0)), MaxValueValidator(Decimal("0.25"))],
        help_text="At most 0.25, such as 0.05 for 5% of each annotator's questions. Annotators get these questions a "
        "second time, in place of new ones, without seeing which ones. Reports show how often the second answer is the "
        "same. 0 turns this off.",
    )
    repeat_after_hits = models.PositiveSmallIntegerField(
        verbose_name="HITs until a question is repeated",
        default=20,
        validators=[MinValueValidator(1)],
        help_text="With 1, the annotator's next HIT can contain the question again.",
    )
    repeat_after_hours = models.PositiveSmallIntegerField(
        verbose_name="hours until a question is repeated",
        default=0,
        help_text="The minimum time between the two answers, in addition to the number of HITs.",
    )
    break_minutes = models.PositiveSmallIntegerField(
        verbose_name="minutes of work until a break reminder",
        null=True,
        blank=True,
        validators=[MinValueValidator(5), MaxValueValidator(240)],
        help_text="Enter between 5 and 240 minutes. If this field is empty, annotators see no reminder.",
    )

    # practice and pilot
    practice = models.BooleanField(
        verbose_name="start with the practice questions, if there are any",
        default=True,
    )
    qualification_mark = models.DecimalField(
        verbose_name="pass mark of the qualification",
        max_digits=4,
        decimal_places=3,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0)), MaxValueValidator(Decimal(1))],
        help_text=(
            "Share of practice questions that annotators must answer as expected, such as 0.8. Leave this field empty "
            "for practice without a qualification. Annotators do not see the pass mark."
        ),
    )
    qualification_tries = models.PositiveSmallIntegerField(
        verbose_name="tries to pass the qualification",
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(10)],
        help_text=(
            "The practice questions are divided among the tries, so that no try repeats a question. Five practice "
            "questions per try is a good minimum."
        ),
    )
    qualification_pay = models.DecimalField(
        verbose_name="payment for annotators who do not pass",
        max_digits=12,
        decimal_places=4,
        default=Decimal(0),
        validators=[MinValueValidator(Decimal(0))],
        help_text=(
            "Annotators see before they join whether the practice questions are paid. 0 means that annotators who do "
            "not pass are not paid."
        ),
    )
    pilot_hits = models.PositiveIntegerField(
        verbose_name="HITs in the pilot",
        default=0,
        help_text="The pilot consists of the study's first HITs. Enter 0 if the study needs no pilot.",
    )
    piloting = models.BooleanField(
        verbose_name="assign only the HITs of the pilot until the pilot ends",
        default=False,
        help_text="You can end the pilot on the Overview page. A study without a pilot ignores this setting.",
    )
    pilot_counts = models.BooleanField(
        verbose_name="count the answers of the pilot",
        default=True,
    )

    # totals over all slots, updated together with the slots
    assignments_planned = models.PositiveIntegerField(
        default=0, editable=False, help_text="The total number of slots in all HITs of the study."
    )
    judgements_planned = models.PositiveIntegerField(
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
            models.CheckConstraint(
                condition=Q(repeat_share__gte=0, repeat_share__lte=Decimal("0.25")), name="study_repeat_share"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def is_draft(self) -> bool:
        return self.state == self.State.DRAFT

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN
