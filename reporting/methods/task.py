"""The question of a study, and sentences about its task, items and design."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from annotate.tasktypes import Methods, TaskType
from reporting.methods.writer import Writer
from reporting.sentences import Sentence


def question(task: TaskType, chosen: Mapping[str, Any]) -> str:
    """Return the question as the task type asks it in English, or an empty string if only the items contain it.
    `chosen` contains the options of the study.
    """
    options = {option.name: option.default for option in task.options} | dict(chosen)
    return task.asks_with(options, "en").format_map(options).strip()


def task_and_items(writer: Writer, methods: Methods) -> list[Sentence]:
    sentences = [writer.written(text) for text in methods.task]
    sentences.append(
        writer.sentence(
            "The study has {items:item} in {languages}.", items="counts.items", languages="counts.languages"
        )
    )
    if writer.at("answers.rationale"):
        sentences.append(writer.sentence("{rationale}", rationale="answers.rationale"))
    if writer.at("facts.earlier_guidelines"):
        sentences.append(
            writer.sentence(
                "We made {earlier_guidelines:change} to the guidelines during the study. {latest_guidelines:judgement "
                "comes,judgements come} from annotators who had read the latest version.",
                earlier_guidelines="facts.earlier_guidelines",
                latest_guidelines="counts.latest_guidelines",
            )
        )
    return sentences


def design(writer: Writer, methods: Methods) -> list[Sentence]:
    sentences = [writer.written(text) for text in methods.design]
    sentences.append(_asked(writer, methods))
    sentences.append(
        writer.sentence(
            "The results are based on {judgements:judgement} of {questions:question}.",
            judgements="counts.judgements",
            questions="counts.questions",
        )
    )
    sentences.append(_sets(writer))
    if writer.at("counts.adaptive_judgements"):
        sentences.append(
            writer.sentence(
                "{adaptive_judgements:judgement comes,judgements come} from questions that were added adaptively.",
                adaptive_judgements="counts.adaptive_judgements",
            )
        )
    if writer.at("facts.pilot_hits") and writer.at("counts.pilot_judgements"):
        included = "are included" if writer.at("facts.pilot_counts") else "are not included in the results"
        sentences.append(
            writer.sentence(
                f"The first {{pilot_hits:set was,sets were}} a pilot, whose answers {included}.",
                pilot_hits="facts.pilot_hits",
            )
        )
    if writer.at("counts.first_day"):
        sentences.append(_days(writer))
    return sentences


def _asked(writer: Writer, methods: Methods) -> Sentence:
    if methods.asked:
        return writer.written(methods.asked)
    later = " at first, and for more later" if _more_were_added(writer) else ""
    return writer.sentence(
        f"We asked for {{judgements_each:judgement}} per question{later}.", judgements_each="facts.judgements"
    )


def _more_were_added(writer: Writer) -> bool:
    """Return whether a question has more judgements than were planned when the study was opened."""
    return (writer.at("counts.most_per_question") or 0) > writer.at("facts.judgements")


def _days(writer: Writer) -> Sentence:
    if writer.at("counts.first_day") == writer.at("counts.last_day"):
        return writer.sentence("Annotators worked on {first_day}.", first_day=("counts.first_day", day))
    return writer.sentence(
        "Annotators worked from {first_day} to {last_day}.",
        first_day=("counts.first_day", day),
        last_day=("counts.last_day", day),
    )


def _sets(writer: Writer) -> Sentence:
    has_smaller_set = writer.at("counts.questions") % writer.at("facts.questions_per_hit")
    sets = "sets of up to" if has_smaller_set else "sets of"
    if writer.at("counts.gold_per_hit"):
        return writer.sentence(
            f"Annotators worked on {sets} {{questions_per_set:question}} and {{gold_per_set:gold question}}.",
            questions_per_set="facts.questions_per_hit",
            gold_per_set="counts.gold_per_hit",
        )
    return writer.sentence(
        f"Annotators worked on {sets} {{questions_per_set:question}}.", questions_per_set="facts.questions_per_hit"
    )


def day(moment: str) -> str:
    """Return the day of a date or a time in ISO format, such as 5 March 2026."""
    return f"{datetime.fromisoformat(moment):%-d %B %Y}"
