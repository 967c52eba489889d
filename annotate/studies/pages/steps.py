"""The steps from a draft to an open study, in order."""

from __future__ import annotations

from dataclasses import dataclass

from annotate.core.setting_steps import setting_place
from annotate.models import Question, Study
from annotate.studies.services.study import missing_before_opening

# Most studies meet these requirements from the start, so these steps appear only if something is missing.
IF_MISSING = {
    "privacy_notice": "Write the privacy notice",
    "contact": "Name a contact person for annotators",
    "consent": "Make the consent text and the payment of stopped annotators agree",
    "activity_summaries": "Mention the activity summaries in the consent text",
}
FIELDS = {
    "privacy_notice": "privacy_notice",
    "contact": "contact",
    "consent": "consent_pays_stopped",
    "activity_summaries": "consent_names_activity",
}


@dataclass(frozen=True)
class Step:
    """A step towards opening a study, and the page on which the step is completed. `note` names the missing parts, or
    states why the step is not needed.
    """

    title: str
    href: str
    done: bool
    note: str = ""


def steps_to_opening(study: Study, home: str) -> list[Step]:
    """Return the steps needed to open the study. `home` is the URL path of the study's overview."""
    missing = missing_before_opening(study)
    items = study.items.visible().exists()
    gold = study.questions.filter(kind=Question.Kind.GOLD).exists()
    unneeded = "" if gold or "gold" in missing else "The study has no quality rule, so it needs no gold questions."
    steps = [
        Step("Import items", f"{home}items/", items),
        Step("Build the design", f"{home}design/", "design" not in missing, missing.get("design", "") if items else ""),
        Step("Add gold questions", f"{home}gold/", "gold" not in missing, missing.get("gold", unneeded)),
        Step(
            "Write the instructions",
            home + setting_place("instructions"),
            "instructions" not in missing,
            missing.get("instructions", ""),
        ),
    ]
    if "named" in missing:
        steps.append(Step("Add named annotators", f"{home}named/", False, missing["named"]))
    if "qualification" in missing:
        steps.append(Step("Add practice questions", f"{home}gold/", False, missing["qualification"]))
    for part, title in IF_MISSING.items():
        if part in missing:
            steps.append(Step(title, home + setting_place(FIELDS[part]), False, missing[part]))
    ready = all(step.done for step in steps)
    return [*steps, Step("Open the study", f"{home}design/", False, "Everything is ready." if ready else "")]
