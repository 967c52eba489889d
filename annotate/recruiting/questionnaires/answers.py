"""Answers to a questionnaire, with their validation and the decision about admission."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from annotate.models.questionnaire_definition import CHOICES, LARGEST_NUMBER, NUMBERS, FormQuestion
from annotate.server.refusals import Refused

PREFIX, DECLINED = "q-", "declined-"
LONGEST_ANSWER = {"short": 200, "long": 4000}
_WHOLE = re.compile(r"[-−]?[0-9]{1,10}")

Answers = dict[str, Any]


def posted_answers(questions: Sequence[FormQuestion], form: QueryDict) -> Answers:
    """Return the raw answers from a submitted form: a list for multiple choices, None for a declined answer, and
    otherwise a string.

    Raises `Refused` (`unknown-question`) if the form contains an answer to a question that does not exist.
    """
    names = {question.name for question in questions}
    sent = {field.removeprefix(prefix) for field in form for prefix in (PREFIX, DECLINED) if field.startswith(prefix)}
    if unknown := sorted(sent - names):
        raise Refused(
            "unknown-question",
            _("The form contains an answer to an unknown question: %(name)s. Reload the page.") % {"name": unknown[0]},
            status=400,
        )
    return {
        question.name: None
        if form.get(DECLINED + question.name)
        else form.getlist(PREFIX + question.name)
        if question.kind == "multiple"
        else form.get(PREFIX + question.name, "")
        for question in questions
    }


def read_answers(questions: Sequence[FormQuestion], raw: Answers, *, may_decline: bool) -> Answers:
    """Check the raw answers, and return them in stored format. Unanswered questions are omitted, and a declined answer
    is None. If `may_decline` is false, a declined answer counts as missing.

    Raises `Refused` (`invalid`) with a message for each question whose answer is missing or invalid.
    """
    answers: Answers = {}
    faults: dict[str, list[str]] = {}
    for question in questions:
        value = raw.get(question.name, "")
        if value is None and may_decline:
            answers[question.name] = None
        elif not value or (isinstance(value, str) and not value.strip()):
            if question.required:
                faults[question.name] = [_("Answer this question.")]
        else:
            try:
                answers[question.name] = _read(question, value)
            except ValueError as error:
                faults[question.name] = [str(error)]
    if faults:
        raise Refused("invalid", _("Some answers are missing or invalid."), status=400, fields=faults)
    return answers


def group_name(questions: Sequence[FormQuestion], answers: Mapping[str, Any]) -> str:
    """Return the name of the group that a person with these answers joins, or an empty string if no question assigns
    groups.
    """
    assigning = next((question for question in questions if question.groups), None)
    return assigning.group_of(answers[assigning.name]) if assigning else ""


def admits(questions: Sequence[FormQuestion], answers: Mapping[str, Any]) -> bool:
    """Return whether all answers qualify for admission. For multiple choices, at least one chosen option must
    qualify.
    """
    return all(_admits(question, answers.get(question.name)) for question in questions if question.screens)


def _admits(question: FormQuestion, answer: Any) -> bool:
    if answer is None:
        return False
    if question.kind in CHOICES:
        return not set(question.admitted).isdisjoint([answer] if isinstance(answer, str) else answer)
    low, high = question.admitted_minimum, question.admitted_maximum
    return (low is None or answer >= low) and (high is None or answer <= high)


def _read(question: FormQuestion, value: Any) -> Any:
    if question.kind == "multiple":
        if not isinstance(value, list) or not set(value) <= set(question.options):
            raise ValueError(_("Choose one or more of the options."))
        return [option for option in question.options if option in value]
    if not isinstance(value, str):
        raise ValueError(_("This answer has an invalid format."))
    if question.kind == "single":
        if value not in question.options:
            raise ValueError(_("Choose one of the options."))
        return value
    return _number(question, value) if question.kind in NUMBERS else _text(question, value)


def _number(question: FormQuestion, value: str) -> int:
    text = value.strip()
    number = int(text.replace("−", "-")) if _WHOLE.fullmatch(text) else None
    if number is None or abs(number) > LARGEST_NUMBER:
        raise ValueError(_("Enter a whole number, such as 12."))
    if question.minimum is not None and number < question.minimum:
        raise ValueError(_("The smallest possible number is %(number)s.") % {"number": question.minimum})
    if question.maximum is not None and number > question.maximum:
        raise ValueError(_("The largest possible number is %(number)s.") % {"number": question.maximum})
    return number


def _text(question: FormQuestion, value: str) -> str:
    longest = LONGEST_ANSWER[question.kind]
    text = value.replace("\r\n", "\n").strip()
    if len(text) > longest:
        raise ValueError(_("The answer can have at most %(number)s characters.") % {"number": f"{longest:,}"})
    return text
