"""What lies between a draft and a study that is open, in the order in which it is done."""

from __future__ import annotations

from dataclasses import dataclass

from annotate.models import Question, Study
from annotate.services.study import missing_before_opening


@dataclass(frozen=True)
class Step:
    """A thing to do, and where; `note` says what is missing, or why there is nothing to do."""

    title: str
    href: str
    done: bool
    note: str = ""


def steps_to_opening(study: Study, home: str) -> list[Step]:
    """Items, design, gold, instructions, opening; `home` is the path of the study's overview."""
    missing = missing_before_opening(study)
    items = study.items.filter(upload__revealed_at__isnull=False).exists()
    gold = study.questions.filter(kind=Question.Kind.GOLD).exists()
    unneeded = "" if gold or "gold" in missing else "Not needed: the settings have no quality rule."
    steps = [
        Step("Bring in items", f"{home}items/", items),
        Step("Build the design", f"{home}design/", "design" not in missing, missing.get("design", "") if items else ""),
        Step("Make gold", f"{home}gold/", "gold" not in missing, missing.get("gold", unneeded)),
        Step("Write the instructions", f"{home}settings/", "instructions" not in missing,
             missing.get("instructions", "")),
    ]  # fmt: skip
    ready = all(step.done for step in steps)
    return [*steps, Step("Open the study", f"{home}design/", False, "Everything is ready." if ready else "")]
