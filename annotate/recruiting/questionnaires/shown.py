"""Questions with the answers and errors that a form displays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotate.models.questionnaire_definition import TEXTS, FormQuestion

from .answers import DECLINED, PREFIX, Answers


@dataclass(frozen=True)
class ShownQuestion:
    """A question and the answer entered in the form. `chosen` contains the selected options or points as text."""

    question: FormQuestion
    chosen: tuple[str, ...]
    errors: tuple[str, ...]
    may_decline: bool
    is_declined: bool

    @property
    def field(self) -> str:
        return PREFIX + self.question.name

    @property
    def declining_field(self) -> str:
        return DECLINED + self.question.name

    @property
    def text(self) -> str:
        return self.chosen[0] if self.chosen else ""

    @property
    def choices(self) -> list[tuple[str, str, bool]]:
        """The ID, label and state of each option or point."""
        labels = self.question.options or tuple(map(str, self.question.points))
        return [(f"{self.field}-{at}", label, label in self.chosen) for at, label in enumerate(labels, start=1)]

    @property
    def is_typed(self) -> bool:
        """Whether the answer is typed instead of selected."""
        return self.question.kind in (*TEXTS, "number")

    @property
    def described_by(self) -> str:
        """The IDs of the help text and of the errors."""
        parts = [(self.question.help, "help"), (self.errors, "error")]
        return " ".join(f"{self.field}-{name}" for text, name in parts if text)


def shown_questions(
    questions: Sequence[FormQuestion],
    raw: Answers,
    errors: Mapping[str, Sequence[str]],
    *,
    may_decline: bool = False,
) -> list[ShownQuestion]:
    """Combine the questions with a submitted form's raw answers and errors."""
    return [
        ShownQuestion(
            question=question,
            chosen=_chosen(raw.get(question.name, "")),
            errors=tuple(errors.get(question.name, ())),
            # People can decline an optional text or number by leaving the field empty.
            may_decline=may_decline and (question.required or question.kind not in (*TEXTS, "number")),
            is_declined=question.name in raw and raw[question.name] is None,
        )
        for question in questions
    ]


def _chosen(value: object) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(value)
    return (value,) if isinstance(value, str) and value else ()
