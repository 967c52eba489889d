"""The pages that contain a study's settings. Each page contains the settings for one step of setting up a study."""

from __future__ import annotations

from collections.abc import Mapping
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
    """One page of settings. The page about the task also contains the title and the task type's options. The `hidden`
    settings are changed elsewhere.
    """

    slug: str
    title: str
    groups: tuple[Group, ...]
    hidden: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (*(name for group in self.groups for name in group.names), *self.hidden)


TASK = "task"
STEPS = (
    SettingStep(
        TASK,
        "Task",
        (
            Group(
                "HITs",
                (
                    *("judgements", "questions_per_hit", "lease_minutes", "hits_per_annotator", "skips_allowed"),
                    *("gold_skips_allowed", "put_aside_allowed", "break_minutes", "order", "seed"),
                ),
            ),
        ),
    ),
    SettingStep(
        "texts",
        "Texts",
        (
            Group("Guidelines", ("instructions", "examples", "language", "direction")),
            # The consent text determines whether the other settings can change, so they are saved together.
            Group(
                "Consent",
                (
                    *("consent", "consent_pays_stopped", "pay_stopped", "activity_summaries"),
                    *("consent_names_activity", "network_check", "full_consent"),
                ),
            ),
            Group("Privacy and contact", ("privacy_notice", "contact", "retention_days", "protocol_number")),
        ),
    ),
    SettingStep(
        "people",
        "Annotators",
        (
            Group(
                "Who can join",
                (
                    *("recruitment", "identity_parameter", "identity_signed", "return_url", "completion_code"),
                    *("admission", "eligibility", "excluded_studies", "admitted_studies"),
                ),
            ),
            Group(
                "Limits and deadlines",
                ("annotator_limit", "waiting_list", "joining_ends_at", "claiming_ends_at", "time_zone"),
            ),
        ),
    ),
    SettingStep(
        "pay",
        "Pay",
        (
            Group("Payment of annotators", ("reward", "currency", "payment_terms")),
            Group("Hourly wage and budget", ("planned_hourly_wage", "minimum_hourly_wage", "budget_cap")),
        ),
    ),
    SettingStep(
        "quality",
        "Quality",
        (
            Group(
                "Gold questions and quality rule",
                ("gold_block", "rule_threshold", "rule_minimum", "rule_unit", "rule_measure", "gold_exhausted"),
            ),
            Group("Repeated questions", ("repeat_share", "repeat_after_hits", "repeat_after_hours")),
            Group("Target", ("target_figure", "target_value", "target_minimum", "target_pauses")),
        ),
    ),
    SettingStep(
        "pilot",
        "Practice and pilot",
        (
            Group(
                "Practice and qualification",
                ("practice", "qualification_mark", "qualification_tries", "qualification_pay"),
            ),
            Group("Pilot", ("pilot_hits", "pilot_counts")),
        ),
        hidden=("piloting",),  # a pilot begins with its HITs, and ends on Overview
    ),
)
# The pages hide these settings until one of the named settings on the same page is in use, or has the value behind “=”.
# Without a name, the usual value suits almost every study. A page always shows a setting with another value.
NEEDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("gold_skips_allowed", "put_aside_allowed", "break_minutes", "order", "seed", "direction"), ()),
    **dict.fromkeys(("rule_unit", "gold_exhausted", "target_minimum", "full_consent"), ()),
    **dict.fromkeys(
        ("consent_pays_stopped", "pay_stopped", "activity_summaries", "network_check", "protocol_number"), ("consent",)
    ),
    "consent_names_activity": ("activity_summaries",),
    **dict.fromkeys(("identity_parameter", "identity_signed", "return_url", "completion_code"), ("recruitment=panel",)),
    "excluded_studies": ("admission=account", "recruitment=prolific", "recruitment=panel"),
    "admitted_studies": ("admission=account",),
    "waiting_list": ("annotator_limit",),
    "time_zone": ("joining_ends_at", "claiming_ends_at"),
    **dict.fromkeys(("currency", "payment_terms", "planned_hourly_wage", "budget_cap"), ("reward",)),
    "minimum_hourly_wage": ("planned_hourly_wage",),
    **dict.fromkeys(("rule_threshold", "rule_minimum", "rule_measure"), ("gold_block",)),
    **dict.fromkeys(("repeat_after_hits", "repeat_after_hours"), ("repeat_share",)),
    "repeat_share": (),
    **dict.fromkeys(("target_value", "target_pauses"), ("target_figure",)),
    "qualification_mark": ("practice",),
    **dict.fromkeys(("qualification_tries", "qualification_pay"), ("qualification_mark",)),
    "pilot_counts": ("pilot_hits",),
}
BY_SLUG = {step.slug: step for step in STEPS}


def step_of(name: str) -> SettingStep:
    """Return the step whose page contains a setting. The study's title and the task type's options are on the page
    about the task.
    """
    return next((step for step in STEPS if name in step.names), BY_SLUG[TASK])


def setting_place(name: str) -> str:
    """Return the path of a setting relative to the study's home page. The link moves the focus to the setting."""
    return f"settings/{step_of(name).slug}/#id_{name}"
