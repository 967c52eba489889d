"""The pages that contain a study's settings. Each page contains the settings for one step of setting up a study."""

from __future__ import annotations

from dataclasses import dataclass

# The consent text and its promises are not fields of the study, because they are stored in versions.
CONSENT = ("consent", "consent_pays_stopped", "consent_names_activity")


@dataclass(frozen=True)
class Group:
    """Settings under a common heading, in page order."""

    heading: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class SettingStep:
    """One page of settings. The page about the task also contains the title and the task type's options. The usual
    values of `rare` settings suit almost every study, so the page folds these settings. The page shows a `quiet`
    setting only if the API has changed it, and a `hidden` setting never.
    """

    slug: str
    title: str
    groups: tuple[Group, ...]
    rare: tuple[str, ...] = ()
    quiet: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (*(name for group in self.groups for name in group.names), *self.rare, *self.quiet, *self.hidden)


TASK = "task"
STEPS = (
    SettingStep(
        TASK,
        "Task",
        (
            Group("HITs", ("judgements", "questions_per_hit", "lease_minutes", "hits_per_annotator")),
            Group("Skipped questions", ("skips_allowed",)),
        ),
        rare=("order",),
        quiet=("gold_skips_allowed", "put_aside_allowed", "break_minutes"),
        hidden=("seed",),
    ),
    SettingStep(
        "texts",
        "Texts",
        (
            Group("Guidelines", ("instructions", "examples", "language")),
            Group("Consent", CONSENT),
            Group("Privacy and contact", ("privacy_notice", "contact")),
        ),
        # The consent text determines whether the first two settings can change, so they are saved together with it.
        rare=("pay_stopped", "activity_summaries", "protocol_number"),
        quiet=("direction",),
    ),
    SettingStep(
        "people",
        "Annotators",
        (
            Group("Who can join", ("recruitment", "admission", "eligibility", "excluded_studies")),
            Group("Until when", ("annotator_limit", "joining_ends_at", "claiming_ends_at")),
        ),
        rare=("waiting_list", "time_zone", "admitted_studies", "network_check", "retention_days"),
    ),
    SettingStep(
        "pay",
        "Pay",
        (
            Group("Payment of annotators", ("reward", "currency", "payment_terms")),
            Group("Hourly wage and budget", ("planned_hourly_wage", "budget_cap")),
        ),
        rare=("minimum_hourly_wage",),
    ),
    SettingStep(
        "quality",
        "Quality",
        (
            Group("Gold questions and quality rule", ("gold_block", "rule_threshold", "rule_minimum")),
            Group("Target", ("target_figure", "target_value", "target_pauses")),
        ),
        rare=("rule_measure", "gold_exhausted"),
        quiet=("rule_unit", "target_minimum"),
    ),
    SettingStep(
        "pilot",
        "Practice and pilot",
        (
            Group("Practice and qualification", ("practice", "qualification_mark")),
            Group("Pilot", ("pilot_hits",)),
        ),
        rare=("qualification_tries", "qualification_pay", "pilot_counts"),
        hidden=("piloting",),  # a pilot begins with its HITs, and ends on Overview
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
