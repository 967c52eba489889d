"""Counts of a study's rows that sentences about the study print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from statistics import median
from typing import Any

from django.conf.locale import LANG_INFO

from accord_core.numerics.intervals import wilson_interval
from annotate.tasktypes import AnswerRow, StudyData, TaskType
from reporting.gold import gold_figures
from reporting.preregistration.departures import departures
from reporting.statement import STOPPED, simulated_annotators


def counts(task: TaskType, data: StudyData) -> dict[str, Any]:
    """Return the counts by name, and the departures from the preregistration as text. A count of nothing is 0, and a
    median or a date without answers is None.
    """
    judgements = [row for row in data.answers if row.counts]
    regular = [row for row in data.answers if row.kind == "regular"]
    per_question = Counter(row.ref for row in judgements)
    return {
        "items": sum(not item.held_out for item in data.items),
        "languages": _languages(task, data.facts),
        "instructions_language": language_name(data.facts["language"]),
        "questions": len(per_question),
        "most_per_question": max(per_question.values(), default=0),
        "judgements": len(judgements),
        "adaptive_judgements": sum(row.round > 0 for row in judgements),
        "pilot_judgements": sum(row.pilot for row in regular),
        "gold_per_hit": _gold_per_hit(data.facts),
        "latest_guidelines": _latest_guidelines(data, judgements),
        "decided": len(data.decisions),
        "kept": len(data.keep_both),
        "departures": " ".join(departures(data)),
        **_days(judgements),
        **_annotators(data, judgements),
        **_uncounted(regular),
        **_gold(data),
    }


def _days(judgements: list[AnswerRow]) -> dict[str, str | None]:
    """Return the first and the last day in ISO format."""
    days = sorted(row.given_at.date().isoformat() for row in judgements)
    return {"first_day": days[0] if days else None, "last_day": days[-1] if days else None}


def _annotators(data: StudyData, judgements: list[AnswerRow]) -> dict[str, Any]:
    numbers = Counter(row.pseudonym for row in judgements)
    seconds = [row.seconds for row in judgements if row.seconds is not None]
    return {
        "annotators": len(numbers),
        "simulated": len(numbers.keys() & simulated_annotators(data)),
        "fewest_judgements": min(numbers.values(), default=0),
        "median_judgements": median(numbers.values()) if numbers else None,
        "most_judgements": max(numbers.values(), default=0),
        "median_seconds": median(seconds) if seconds else None,
    }


def _uncounted(regular: list[AnswerRow]) -> dict[str, int]:
    """Count the answers that do not count because of their annotators."""
    reasons = Counter(row.reason for row in regular if not row.counts)
    return {
        "excluded": reasons["excluded"],
        "excluded_annotators": len({row.pseudonym for row in regular if row.reason == "excluded"}),
        "void_stopped": reasons[STOPPED],
    }


def _gold(data: StudyData) -> dict[str, Any]:
    gold = gold_figures(data)
    low, high = wilson_interval(gold.correct, gold.answers) or (None, None)
    return {
        "gold_questions": gold.questions,
        "gold_answers": gold.answers,
        "gold_accuracy": gold.correct / gold.answers if gold.answers else None,
        "gold_low": low,
        "gold_high": high,
    }


def _gold_per_hit(facts: Mapping[str, Any]) -> int:
    block = facts["gold_block"]
    return -(-facts["questions_per_hit"] // block) if block else 0


def _latest_guidelines(data: StudyData, judgements: list[AnswerRow]) -> int:
    """Count the judgements from annotators who had read the latest version of the guidelines."""
    earlier = {each["version"] for each in data.facts.get("earlier_guidelines", ())}
    return sum(row.guidelines not in earlier for row in judgements)


def _languages(task: TaskType, facts: Mapping[str, Any]) -> str:
    names = dict.fromkeys(map(language_name, task.item_languages(facts["options"], facts["language"])))
    return " and ".join(names)


def language_name(tag: str) -> str:
    """Return the English name of a language, or its tag if Django does not know the language."""
    info = LANG_INFO.get(tag.lower()) or LANG_INFO.get(tag.partition("-")[0].lower())
    return str(info["name"]) if info and "name" in info else tag
