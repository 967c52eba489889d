"""The fields of the template OSF Prereg (Bowman and others 2020, https://doi.org/10.31222/osf.io/epgjd), the texts that
follow from a study's settings, and the document that is frozen.

`Plan` contains the facts of a study from which Accord writes these texts. The authors can change each text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from accord_core.numerics.printed import money, with_noun
from annotate.tasktypes import TaskType
from reporting.methods.task import question

TEMPLATE = "OSF Prereg"
UNSAID = "*Not stated.*"


class Field(NamedTuple):
    """A field of the template. A preregistration needs the `required` fields, which only the authors can write."""

    name: str
    heading: str
    help: str
    required: bool = False


SECTIONS: tuple[tuple[str, tuple[Field, ...]], ...] = (
    (
        "Study information",
        (
            Field("description", "Research question", "What the study is about, and why.", True),
            Field("hypotheses", "Hypotheses", "Specific and testable, with directions. Or: no hypotheses.", True),
        ),
    ),
    (
        "Design plan",
        (
            Field("study_type", "Study type", "Such as an experiment or an observational study."),
            Field("blinding", "Blinding", "What annotators and analysts do not know."),
            Field("study_design", "Study design", "Task, items, questions and conditions."),
            Field("randomization", "Randomization", "How questions and their order are assigned."),
        ),
    ),
    (
        "Sampling plan",
        (
            Field("existing_data", "Existing data", "Which data existed before this plan."),
            Field("collection", "Data collection procedures", "Who can take part, how, and for which pay."),
            Field("sample_size", "Sample size", "Questions, judgements and annotators."),
            Field("rationale", "Sample size rationale", "Why this number, such as a plan or a budget."),
            Field("stopping", "Stopping rule", "When the data collection ends."),
        ),
    ),
    (
        "Variables",
        (
            Field("manipulated", "Manipulated variables", "Conditions that you vary."),
            Field("measured", "Measured variables", "Annotators’ answers, and other recorded data."),
            Field("indices", "Indices", "Figures that combine several answers."),
        ),
    ),
    (
        "Analysis plan",
        (
            Field("models", "Statistical models", "Which figures and tests answer the question."),
            Field("transformations", "Transformations", "How answers are recoded or aggregated."),
            Field("inference", "Inference criteria", "When a hypothesis counts as supported."),
            Field("exclusion", "Data exclusion", "Which answers and annotators are excluded."),
            Field("missing", "Missing data", "What happens to skipped questions."),
            Field("exploratory", "Exploratory analysis", "Analyses without a hypothesis."),
        ),
    ),
    ("Other", (Field("other", "Other", "Anything else, such as related studies."),)),
)
FIELDS = tuple(field for _, fields in SECTIONS for field in fields)


class Plan(NamedTuple):
    """What the texts state about a study. `answers` is the number of annotators' answers before the plan, and
    `chosen` describes the chosen plan of *Plan*, or is empty.
    """

    facts: Mapping[str, Any]
    items: int
    questions: int
    answers: int
    chosen: str = ""


def drafted(task: TaskType, plan: Plan) -> dict[str, str]:
    """Return the texts by name of their field. Fields that only the authors can write are empty."""
    facts = plan.facts
    judgements = facts["judgements"]
    asks = question(task, facts["options"])
    texts = {
        "study_type": "An annotation study without experimental conditions.",
        "blinding": "Annotators do not see the answers of others, and gold questions look like other questions.",
        "study_design": f"{task.name}. {with_noun(plan.items, 'item')} in {with_noun(plan.questions, 'question')}, "
        f"with {facts['questions_per_hit']} questions per HIT.",
        "randomization": f"The seed {facts['seed']} determines the design, and with the annotators' seeds the order "
        "on the screen.",
        "existing_data": "The data has not been collected yet."
        if not plan.answers
        else f"{with_noun(plan.answers, 'answer')} had been given before this plan was frozen.",
        "collection": " ".join(filter(None, [_eligibility(facts), _pay(facts)])),
        "sample_size": f"{with_noun(judgements, 'judgement')} for each of {with_noun(plan.questions, 'question')}, "
        f"{with_noun(judgements * plan.questions, 'judgement')} in total.",
        "rationale": plan.chosen,
        "stopping": f"The collection ends when each question has {with_noun(judgements, 'judgement')}.",
        "manipulated": "None.",
        "measured": " ".join(filter(None, [asks, "The time for each answer is recorded."])),
        "indices": f"{task.reports.headline}." if task.reports.headline else "",
        "inference": "All intervals are 95% confidence intervals.",
        "exclusion": _rule(task, facts),
        "missing": "Skipped questions have no answer and do not count.",
    }
    return {field.name: texts.get(field.name, "") for field in FIELDS}


def document(plan: Plan, texts: Mapping[str, str], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document that is frozen. `settings` are compared with the study later."""
    return {
        "template": TEMPLATE,
        "study": plan.facts["public_id"],
        "title": plan.facts["title"],
        "answers_before": plan.answers,
        "fields": {field.name: texts.get(field.name, "").strip() for field in FIELDS},
        "settings": dict(settings),
    }


def document_file(frozen: Mapping[str, Any]) -> bytes:
    """Return the JSON file whose SHA-256 identifies a preregistration."""
    return (json.dumps(frozen, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def checksum(frozen: Mapping[str, Any]) -> str:
    return hashlib.sha256(document_file(frozen)).hexdigest()


def markdown(frozen: Mapping[str, Any], *, at: str, sha256: str) -> str:
    """Return a preregistration as Markdown, in the order of the template."""
    parts = [
        f"# Preregistration: {frozen['title']}",
        f"Template: {frozen['template']}. Frozen on {at}. SHA-256 of the JSON file: `{sha256}`.",
    ]
    for heading, fields in SECTIONS:
        parts.append(f"## {heading}")
        for field in fields:
            parts += [f"### {field.heading}", frozen["fields"].get(field.name) or UNSAID]
    return "\n\n".join(parts) + "\n"


def _eligibility(facts: Mapping[str, Any]) -> str:
    return f"Annotators must confirm: “{facts['eligibility']}”" if facts["eligibility"] else ""


def _pay(facts: Mapping[str, Any]) -> str:
    if not float(facts["reward"]):
        return "Annotators are not paid per HIT."
    return f"Annotators get {money(Decimal(facts['reward']), facts['currency'])} per HIT."


def _rule(task: TaskType, facts: Mapping[str, Any]) -> str:
    if not facts["rule_threshold"]:
        return "No quality rule excludes annotators."
    unit = "gold answers" if facts["rule_unit"] == "gold" else "submitted HITs"
    measure = task.measures.get(facts["rule_measure"], facts["rule_measure"])
    return (
        f"Annotators are stopped, and their answers excluded, if their {measure} is below "
        f"{facts['rule_threshold']:.0%} after {facts['rule_minimum']} {unit}."
    )
