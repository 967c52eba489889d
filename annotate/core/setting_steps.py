"""The pages that contain a study's settings. Each page contains the settings for one step of setting up a study."""

from __future__ import annotations

from dataclasses import dataclass

# The consent text and its promises are not fields of the study, because they are stored in versions.
CONSENT = ("consent", "consent_pays_stopped", "consent_names_activity")


@dataclass(frozen=True)
class Group:
    """Settings under a common heading, in page order."""

    heading: str
    text: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class SettingStep:
    """One page of settings. The page about the task also contains the title and the task type's options."""

    slug: str
    title: str
    groups: tuple[Group, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for group in self.groups for name in group.names)


TASK = "task"
STEPS = (
    SettingStep(
        TASK,
        "Task",
        (
            Group(
                "HITs and assignments",
                "A HIT is a set of questions that one person answers in one go and is paid for together. A HIT that a "
                "person has started is an assignment.",
                ("judgements", "questions_per_hit", "order", "lease_minutes", "hits_per_annotator"),
            ),
            Group(
                "Skipped questions, returned HITs and breaks",
                "A skipped question has no answer and never counts. Accord gives the question to another annotator "
                "instead.",
                ("skips_allowed", "gold_skips_allowed", "put_aside_allowed", "break_minutes"),
            ),
            Group(
                "Random seed",
                "All random choices depend on this seed. The same items and the same seed always give the same design.",
                ("seed",),
            ),
        ),
    ),
    SettingStep(
        "texts",
        "Texts",
        (
            Group(
                "Guidelines",
                "Write the instructions and worked examples in Markdown. Annotators can always open the worked "
                "examples.",
                ("instructions", "examples", "language", "direction"),
            ),
            # The consent text determines whether these settings can change, so the settings and the text are saved
            # together.
            Group(
                "Consent",
                "The consent text is stored with the study and included in its reports.",
                (*CONSENT, "pay_stopped", "activity_summaries"),
            ),
            Group(
                "Privacy and contact",
                "These texts are stored with the study and included in its reports.",
                ("privacy_notice", "contact", "protocol_number"),
            ),
        ),
    ),
    SettingStep(
        "people",
        "Annotators",
        (
            Group(
                "Recruitment",
                "The source of the annotators, and the conditions for joining the study.",
                ("recruitment", "admission", "eligibility", "excluded_studies", "admitted_studies", "network_check"),
            ),
            Group(
                "Limits on joining",
                "People who come too late see a page that states the reason. The maximum number of HITs per annotator "
                "is a setting on the Task page.",
                ("annotator_limit", "waiting_list", "joining_ends_at", "claiming_ends_at", "time_zone"),
            ),
            Group("Personal data", "", ("retention_days",)),
        ),
    ),
    SettingStep(
        "pay",
        "Pay",
        (
            Group("Payment of annotators", "", ("reward", "currency", "payment_terms")),
            Group("Hourly wage and budget", "", ("planned_hourly_wage", "minimum_hourly_wage", "budget_cap")),
        ),
    ),
    SettingStep(
        "quality",
        "Quality",
        (
            Group(
                "Gold questions and quality rule",
                "Annotators cannot recognise gold questions. After an incorrect answer, annotators see the expected "
                "answer.",
                ("gold_block", "gold_exhausted", "rule_threshold", "rule_minimum", "rule_unit", "rule_measure"),
            ),
            Group(
                "Target",
                "The Overview page shows how many judgements the study still needs to reach the target.",
                ("target_figure", "target_value", "target_minimum", "target_pauses"),
            ),
        ),
    ),
    SettingStep(
        "pilot",
        "Practice and pilot",
        (
            Group(
                "Practice and qualification",
                "In a qualification, annotators must give the expected answer to enough practice questions before they "
                "can start their first HIT. Annotators who fail all tries see a polite message and get no "
                "HITs.",
                ("practice", "qualification_mark", "qualification_tries", "qualification_pay"),
            ),
            Group("Pilot", "", ("pilot_hits", "piloting", "pilot_counts")),
        ),
    ),
)
BY_SLUG = {step.slug: step for step in STEPS}


def step_of(name: str) -> SettingStep:
    """Return the step whose page contains a setting. The study's title and the task type's options are on the page
    about the task.
    """
    return next((step for step in STEPS if name in step.names), BY_SLUG[TASK])


def setting_place(name: str) -> str:
    """Return the path of a setting relative to the study's home page. The link moves the focus to the setting."""
    return f"settings/{step_of(name).slug}/#id_{name}"
