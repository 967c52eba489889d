"""The questions in a questionnaire, which researchers write in the console or send as JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from annotate.server.refusals import Refused

KINDS = {
    "single": "Single choice",
    "multiple": "Several choices",
    "number": "Whole number",
    "short": "Short text",
    "long": "Long text",
    "scale": "Scale",
}
CHOICES = ("single", "multiple")
NUMBERS = ("number", "scale")
TEXTS = ("short", "long")
MOST_QUESTIONS = 40
MOST_OPTIONS = 60
MOST_POINTS = 11  # points of a scale
LARGEST_NUMBER = 1_000_000_000
LONGEST = {"label": 500, "help": 1000, "low_label": 80, "high_label": 80, "option": 200}
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True)
class FormQuestion:
    """A question to annotators. `admitted` and its limits define the answers that pass the screening. `groups` contains
    the name of the group that people with each option join.
    """

    name: str
    kind: str
    label: str
    help: str = ""
    required: bool = False
    options: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    low_label: str = ""
    high_label: str = ""
    admitted: tuple[str, ...] = ()
    admitted_minimum: int | None = None
    admitted_maximum: int | None = None
    groups: tuple[str, ...] = ()

    @property
    def kind_label(self) -> str:
        return KINDS[self.kind]

    @property
    def points(self) -> range:
        """The points on a scale."""
        return range(self.minimum or 0, (self.maximum or 0) + 1)

    @property
    def screens(self) -> bool:
        """Whether some answers to this question fail the screening."""
        return bool(self.admitted) or self.admitted_minimum is not None or self.admitted_maximum is not None

    def group_of(self, option: str) -> str:
        """Return the name of the group that people with this option join."""
        return dict(zip(self.options, self.groups, strict=True))[option]

    def as_json(self) -> dict[str, Any]:
        """Return the question without fields that have their default value."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        shown = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
        return {name: value for name, value in shown.items() if name == "required" or value not in ("", [], None)}


NAMES = tuple(one.name for one in fields(FormQuestion))


def stored_questions(rows: Sequence[Mapping[str, Any]]) -> list[FormQuestion]:
    """Return the questions in the JSON of a stored questionnaire, which was checked before it was stored."""
    return [_question(row) for row in rows]


def read_questions(rows: Any, *, screening: bool) -> list[FormQuestion]:
    """Check the questions of a questionnaire, and return them.

    Raises `Refused` (`invalid`) with the paths of all faults, such as `questions.2.admitted`.
    """
    if not isinstance(rows, list) or len(rows) > MOST_QUESTIONS:
        raise _invalid({"questions": [f"must be a list with at most {MOST_QUESTIONS} questions"]})
    faults: dict[str, list[str]] = {}
    questions: list[FormQuestion] = []
    for at, row in enumerate(rows):
        question, wrong = _read(row, screening=screening)
        if question and question.name in {one.name for one in questions}:
            wrong["name"] = f"is already the name of another question: {question.name}"
        if question and question.groups and any(one.groups for one in questions):
            wrong["groups"] = "are already assigned by another question"
        faults |= {f"questions.{at}.{field}" if field else f"questions.{at}": [text] for field, text in wrong.items()}
        if question:
            questions.append(question)
    if faults:
        raise _invalid(faults)
    return questions


def next_name(questions: Sequence[FormQuestion]) -> str:
    """Return the first free name of the form `q1`, `q2`, and so on."""
    taken = {question.name for question in questions}
    return next(name for name in (f"q{number}" for number in range(1, len(taken) + 2)) if name not in taken)


def _question(row: Mapping[str, Any]) -> FormQuestion:
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    return FormQuestion(**values)


def _read(row: Any, *, screening: bool) -> tuple[FormQuestion | None, dict[str, str]]:
    """Return the question in a JSON object, or None and the errors by field."""
    if not isinstance(row, Mapping):
        return None, {"": "must be a JSON object"}
    wrong = {str(name): "is not a field of a question" for name in row if name not in NAMES}
    wrong |= _wrong_types(row)
    if wrong:
        return None, wrong
    scale = {"minimum": 1, "maximum": 5} if row["kind"] == "scale" else {}
    question = _question(scale | {name: value for name, value in row.items() if value is not None})
    for check in (_wrong_texts, _wrong_options, _wrong_limits):
        wrong |= check(question)
    wrong |= _wrong_admission(question, screening) | _wrong_groups(question, screening)
    return (None, wrong) if wrong else (question, {})


def _wrong_types(row: Mapping[str, Any]) -> dict[str, str]:
    wrong = {name: "is missing" for name in ("name", "kind", "label") if name not in row}
    checks: dict[str, tuple[Callable[[Any], bool], str]] = {
        "name help label kind low_label high_label": (lambda value: isinstance(value, str), "must be a text"),
        "required": (lambda value: isinstance(value, bool), "must be true or false"),
        "minimum maximum admitted_minimum admitted_maximum": (
            lambda value: value is None or (type(value) is int and abs(value) <= LARGEST_NUMBER),
            "must be a whole number",
        ),
        "options admitted groups": (
            lambda value: isinstance(value, list) and all(isinstance(one, str) for one in value),
            "must be a list of texts",
        ),
    }
    for names, (is_right, message) in checks.items():
        wrong |= {name: message for name in names.split() if name in row and not is_right(row[name])}
    return wrong


def _wrong_texts(question: FormQuestion) -> dict[str, str]:
    wrong = {
        name: f"has more than {LONGEST[name]} characters"
        for name in ("label", "help", "low_label", "high_label")
        if len(getattr(question, name)) > LONGEST[name]
    }
    if not NAME.fullmatch(question.name):
        wrong["name"] = "must start with a lower-case letter and contain only a–z, 0–9 and _ (at most 40 characters)"
    if question.kind not in KINDS:
        wrong["kind"] = f"must be one of {', '.join(KINDS)}"
    if not question.label.strip():
        wrong["label"] = "is empty"
    if question.kind != "scale" and (question.low_label or question.high_label):
        wrong["low_label"] = "is possible only for a scale"
    return wrong


def _wrong_options(question: FormQuestion) -> dict[str, str]:
    options = question.options
    if question.kind not in CHOICES:
        return {"options": "are possible only for single choice and several choices"} if options else {}
    if not 2 <= len(options) <= MOST_OPTIONS:
        return {"options": f"must contain 2 to {MOST_OPTIONS} options"}
    if any(option != option.strip() or not option for option in options):
        return {"options": "must not contain an empty option, or an option with a space at its beginning or end"}
    if any(len(option) > LONGEST["option"] for option in options):
        return {"options": f"must not contain an option with more than {LONGEST['option']} characters"}
    repeated = next((option for at, option in enumerate(options) if option in options[:at]), None)
    return {"options": f"contain “{repeated}” twice"} if repeated is not None else {}


def _wrong_limits(question: FormQuestion) -> dict[str, str]:
    low, high = question.minimum, question.maximum
    if question.kind not in NUMBERS:
        return {"minimum": "is possible only for numbers and scales"} if (low, high) != (None, None) else {}
    if low is not None and high is not None and low >= high:
        return {"maximum": "must be greater than the minimum"}
    if question.kind == "scale" and len(question.points) > MOST_POINTS:
        return {"maximum": f"gives the scale more than {MOST_POINTS} points"}
    return {}


def _wrong_admission(question: FormQuestion, screening: bool) -> dict[str, str]:
    low, high = question.admitted_minimum, question.admitted_maximum
    if not question.screens:
        return {}
    if not screening:
        return {"admitted": "is possible only for screening questions"}
    if question.admitted and question.kind not in CHOICES:
        return {"admitted": "is possible only for single choice and several choices"}
    if (low, high) != (None, None) and question.kind not in NUMBERS:
        return {"admitted_minimum": "is possible only for numbers and scales"}
    if not question.required:
        return {"required": "must be true, because only some answers are admitted"}
    unknown = next((option for option in question.admitted if option not in question.options), None)
    if unknown is not None:
        return {"admitted": f"contains “{unknown}”, which is not an option of this question"}
    return _wrong_admitted_limits(question)


def _wrong_groups(question: FormQuestion, screening: bool) -> dict[str, str]:
    if not question.groups:
        return {}
    if not screening or question.kind != "single":
        return {"groups": "are possible only for screening questions with a single choice"}
    if not question.required:
        return {"required": "must be true, because the answer determines the group"}
    if len(question.groups) != len(question.options):
        return {"groups": f"must contain one group for each of the {len(question.options)} options"}
    return {}


def _wrong_admitted_limits(question: FormQuestion) -> dict[str, str]:
    low, high = question.admitted_minimum, question.admitted_maximum
    if low is not None and high is not None and low > high:
        return {"admitted_maximum": "must not be less than the smallest admitted number"}
    if low is not None and question.maximum is not None and low > question.maximum:
        return {"admitted_minimum": "is greater than the largest possible number, so no answer would be admitted"}
    if high is not None and question.minimum is not None and high < question.minimum:
        return {"admitted_maximum": "is less than the smallest possible number, so no answer would be admitted"}
    return {}


def _invalid(faults: dict[str, list[str]]) -> Refused:
    field, (text, *_rest) = next(iter(faults.items()))
    return Refused("invalid", f"{field} {text}.", status=400, fields=faults)
