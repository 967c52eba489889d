"""Helpers that load data for task types' pages, such as one page of a long list, questions by ref, and item
contents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.core.paginator import Page, Paginator

from accord_core.exchange.arrays import unpack
from annotate.models import Question, Report, Study
from annotate.tasktypes import Columns

PAGE = 100


def page_of(rows: Any, query: Mapping[str, str], size: int = PAGE) -> Page[Any]:
    """Return the page that the query parameter `page` selects from a long list."""
    return Paginator(rows, size).get_page(query.get("page"))


def questions_of(study: Study, refs: Iterable[str]) -> dict[str, Question]:
    """Return the study's regular questions with these refs, in one query."""
    found = study.questions.filter(ref__in=set(refs), kind=Question.Kind.REGULAR)
    return {question.ref: question for question in found}


def with_questions(study: Study, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the report's rows with an added key `question`, which is None if the question no longer exists."""
    listed: Sequence[Mapping[str, Any]] = list(rows)
    questions = questions_of(study, (row["ref"] for row in listed))
    return [{**row, "question": questions.get(row["ref"])} for row in listed]


def contents_of(study: Study, keys: Iterable[str]) -> dict[str, Any]:
    """Return the contents of the study's items with these keys, in one query."""
    return dict(study.items.filter(key__in=set(keys)).values_list("key", "content"))


def gold_of(study: Study) -> list[Any]:
    """Return the expected answers of the study's gold questions."""
    return list(study.questions.filter(kind=Question.Kind.GOLD).values_list("gold", flat=True))


def columns_of(report: Report) -> Columns:
    """Return the arrays stored with a report."""
    return unpack(bytes(report.input or b""))
