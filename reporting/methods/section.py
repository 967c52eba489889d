"""The methods section of a study, made from its rows, the report and the authors' answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from annotate.tasktypes import Methods, MethodText, StudyData, TaskType
from reporting.methods.agreement import adjudication, aggregation, agreement
from reporting.methods.counts import counts
from reporting.methods.document import MethodsSection, Part
from reporting.methods.people import annotators, ethics, pay, training
from reporting.methods.plan import preregistration
from reporting.methods.quality import quality_control
from reporting.methods.task import design, task_and_items
from reporting.methods.writer import Writer

# What only the authors know, by the name of their answer. Without an answer, the section lists it as open.
OPEN = (
    ("rationale", "where the texts come from, and how they were chosen"),
    ("recruitment", "how annotators heard of the study"),
    ("annotators", "the age, gender and first language of the annotators"),
    ("pay", "why the pay is adequate where the annotators live"),
    ("ethics", "who reviewed the study, or why no review was needed"),
)
UNPAID = "whether the annotators were paid in another way"


def methods_section(
    task: TaskType,
    data: StudyData,
    result: Mapping[str, Any],
    answers: Mapping[str, str],
    *,
    with_plan: bool = True,
) -> MethodsSection:
    """Return the section. `result` is the result of the study's report, and `answers` the authors' answers by name.
    `with_plan` adds the preregistration, which early releases do not mention.
    """
    writer = Writer({"facts": data.facts, "result": result, "counts": counts(task, data), "answers": _stated(answers)})
    methods = task.methods(data.facts, result)
    parts = [
        Part("task", "Task and items", task_and_items(writer, methods)),
        Part("design", "Design", design(writer, methods)),
        Part("plan", "Preregistration", preregistration(writer, data) if with_plan else []),
        Part("annotators", "Annotators", annotators(writer)),
        Part("training", "Training", training(writer)),
        Part("pay", "Pay", pay(writer)),
        Part("quality", "Quality control", quality_control(writer)),
        Part("aggregation", "Aggregation", aggregation(writer, methods)),
        Part("agreement", "Agreement and reliability", agreement(writer, methods)),
        Part("adjudication", "Adjudication", adjudication(writer, methods)),
        Part("ethics", "Ethics", ethics(writer)),
    ]
    kept = [part for part in parts if part.sentences]
    cited = {key for part in kept for sentence in part.sentences for key in sentence.citations}
    published = {each.key: each for text in _texts(methods) for each in text.publications if each.key in cited}
    return MethodsSection(kept, open_statements(writer, answers), list(published.values()))


def open_statements(writer: Writer, answers: Mapping[str, str]) -> list[str]:
    """Return the statements that are still missing from the authors."""
    unpaid = {} if Decimal(writer.at("facts.reward") or 0) else {"pay": UNPAID}
    return [unpaid.get(name, text) for name, text in OPEN if not answers.get(name)]


def _stated(answers: Mapping[str, str]) -> dict[str, str]:
    """Return the answers as single lines that end a sentence."""
    lines = {name: " ".join(text.split()) for name, text in answers.items() if text.strip()}
    return {name: line if line[-1] in ".!?" else f"{line}." for name, line in lines.items()}


def _texts(methods: Methods) -> list[MethodText]:
    listed: Sequence[Sequence[MethodText]] = (
        methods.task,
        methods.design,
        methods.aggregation,
        methods.agreement,
        methods.adjudication,
    )
    return [text for part in listed for text in part]
