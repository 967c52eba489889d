"""Everything that documents about a study are based on: released rows, report, settings, the task type's declarations,
the authors' answers, and the description of the release.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from annotate.tasktypes import Methods, StudyData, TaskType
from reporting.methods.counts import counts
from reporting.methods.task import question
from reporting.methods.writer import Path, Writer
from reporting.questions import QUESTIONS
from reporting.sentences import Sentence


@dataclass(frozen=True)
class Basis:
    """The values by path, with the roots `facts`, `result`, `counts`, `rows`, `task`, `answers` and `release`, and the
    task type's sentences on its methods. `writer` does not know the authors' answers, so its sentences describe the
    study alone.
    """

    values: Mapping[str, Any]
    methods: Methods

    @property
    def writer(self) -> Writer:
        return Writer({**self.values, "answers": {}})

    def get(self, path: str) -> Any:
        """Return the value at the path, or None if there is none."""
        return Writer(self.values).at(path)

    def say(self, template: str, **figures: Path) -> Sentence:
        return Writer(self.values).sentence(template, **figures)

    def answered(self, name: str) -> list[Sentence]:
        """Return the authors' answer to a question, or an empty list."""
        if not self.values["answers"].get(name):
            return []
        choices = QUESTIONS[name].choices or {}
        return [self.say("{answer}", answer=(f"answers.{name}", lambda answer: choices.get(answer, answer)))]


def basis(
    task: TaskType,
    data: StudyData,
    result: Mapping[str, Any],
    answers: Mapping[str, str],
    release: Mapping[str, str],
) -> Basis:
    """Return the basis of documents. `release` contains `version`, `licence`, `creators`, `citation` and `url`, which
    are empty before a release.
    """
    return Basis(
        {
            "facts": data.facts,
            "result": result,
            "counts": counts(task, data),
            "rows": _rows(data),
            "task": {
                "name": task.name,
                "question": question(task, data.facts["options"]),
                **asdict(task.elicitation(data.facts["options"])),
            },
            "answers": answers,
            "release": release,
        },
        task.methods(data.facts, result),
    )


def _rows(data: StudyData) -> dict[str, Any]:
    """Return further figures of the released rows."""
    per_question = Counter(row.ref for row in data.answers if row.counts).values()
    return {
        "questions": len(data.questions),
        "fewest_per_question": min(per_question, default=0),
        "most_per_question": max(per_question, default=0),
        "metadata": ", ".join(dict.fromkeys(name for item in data.items for name in item.metadata)),
    }
