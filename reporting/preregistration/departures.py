"""What a study did differently from its preregistration: other settings, another rule, another number of judgements."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from accord_core.numerics.printed import with_noun
from annotate.tasktypes import StudyData
from reporting.preregistration.template import markdown

KEY = "preregistrations"  # among the facts about a study
PATH, NOTE = "preregistration.md", "preregistration, and what the study did differently"
# The settings that a preregistration states, with their names on pages.
NAMES = {
    "judgements": "Judgements per question",
    "questions_per_hit": "Questions per HIT",
    "gold_block": "Questions per gold question",
    "rule_measure": "Measure of the quality rule",
    "rule_threshold": "Threshold of the quality rule",
    "rule_minimum": "Answers before the quality rule applies",
    "rule_unit": "Unit of the quality rule",
    "pilot_counts": "Pilot answers count",
    "reward": "Reward",
    "currency": "Currency",
    "eligibility": "Who can take part",
    "seed": "Seed",
}
TEXTS = {"instructions": "Guidelines", "examples": "Worked examples"}


def stated_settings(facts: Mapping[str, Any], questions: int) -> dict[str, Any]:
    """Return the settings that a preregistration states. Long texts are represented by their checksum."""
    stated = {name: facts[name] for name in NAMES} | {"questions": questions}
    stated |= {name: _checksum(facts[name]) for name in TEXTS}
    return stated | {f"option {name}": value for name, value in facts["options"].items()}


def cleaned_registration(
    registered: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any], clean: Callable[[Any], Any]
) -> dict[str, Any]:
    """Return a preregistration with cleaned texts. `before` and `after` are the study's facts before and after
    cleaning. If the study's text still equals the preregistered one, the checksum of the cleaned text replaces the
    stored one, so that removed contact data does not count as a departure. The preregistration keeps its own checksum.
    """
    document = clean(registered["document"])
    equal = [name for name in TEXTS if document["settings"].get(name) == _checksum(before[name])]
    settings = document["settings"] | {name: _checksum(after[name]) for name in equal}
    return {**registered, "document": document | {"settings": settings}}


def departures(data: StudyData) -> list[str]:
    """Return one sentence for each difference between the binding preregistration and the study, or an empty list."""
    registered = binding(data)
    if registered is None:
        return []
    frozen = registered["document"]
    before = sum(row.given_at <= _time(registered) for row in data.answers if row.counts)
    found = [f"Answers that count and were given before the plan was frozen: {before:,}."] if before else []
    current = stated_settings(data.facts, len(data.questions))
    for name in [*frozen["settings"], *(name for name in current if name not in frozen["settings"])]:
        then, now = frozen["settings"].get(name), current.get(name)
        if then == now:
            continue
        if name in TEXTS:
            found.append(f"{TEXTS[name]}: the text has changed.")
        else:
            found.append(f"{_label(name)}: planned {_shown(then)}, now {_shown(now)}.")
    return found + _judgements(data, frozen["settings"]["judgements"])


def binding(data: StudyData) -> Mapping[str, Any] | None:
    """Return the latest preregistration before the first answer that counts. If all preregistrations are later, return
    the first one. If there are none, return None.
    """
    registered = data.facts.get(KEY) or []
    first = min((row.given_at for row in data.answers if row.counts), default=None)
    early = [each for each in registered if first is None or _time(each) < first]
    return (early or registered[:1] or [None])[-1]


def preregistration_text(data: StudyData) -> str:
    """Return the text about the preregistration in a release, or an empty string without one."""
    registered = binding(data)
    if registered is None:
        return ""
    text = markdown(registered["document"], at=registered["at"], sha256=registered["sha256"])
    versions = len(data.facts[KEY])
    found = [f"- {sentence}" for sentence in departures(data)] or ["The study follows this plan."]
    which = f"This is version {registered['version']} of {versions}.\n\n" if versions > 1 else ""
    return f"{text}\n## Departures from this plan\n\n{which}{chr(10).join(found)}\n"


def _judgements(data: StudyData, planned: int) -> list[str]:
    """Compare the judgements of each question with the plan, after the first judgement."""
    counts = Counter(row.ref for row in data.answers if row.counts)
    if not counts:
        return []
    given = [counts[question.ref] for question in data.questions]
    found = []
    for verb, number in (
        ("fewer", sum(count < planned for count in given)),
        ("more", sum(count > planned for count in given)),
    ):
        if number:
            have = "has" if number == 1 else "have"
            found.append(f"{with_noun(number, 'question')} {have} {verb} judgements than the {planned} planned.")
    return found


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _time(registered: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(registered["at"])


def _label(name: str) -> str:
    return NAMES.get(name) or ("Questions" if name == "questions" else f"Option {name.removeprefix('option ')}")


def _shown(value: Any) -> str:
    if value is None or value == "":
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
