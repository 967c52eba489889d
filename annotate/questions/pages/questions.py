"""The pages about questions and their answers (/console/<study>/questions/)."""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.selectors.sizes import items_imported, questions_of
from annotate.models import Question, Study
from annotate.questions.selectors import questions as selected
from annotate.questions.selectors.decisions import decision_on
from annotate.questions.selectors.question_filters import (
    GOLD_KINDS,
    SAMPLE,
    SORTS,
    STATES,
    QuestionFilter,
    filtered_questions,
    metadata_columns,
)
from annotate.questions.services.refresh import current_figures
from annotate.web.pages.access import ConsoleRequest, study_page
from annotate.web.pages.known_size import paginate

PAGE = 25


@study_page()
@require_safe
def questions(request: ConsoleRequest, study: Study) -> HttpResponse:
    wanted = _wanted(request)
    if wanted.needs_figures:
        current_figures(study)
    matches = filtered_questions(study, wanted)
    size = questions_of(study, wanted.kind) if wanted.only_kind else _size(matches)
    page = paginate(matches, PAGE, size).get_page(request.GET.get("page"))
    sampled = items_imported(study) > SAMPLE
    context = {
        "study": study,
        "page": page,
        "rows": selected.question_rows(study, list(page)),
        "may_choose": wanted.kind == Question.Kind.REGULAR
        and not study.is_draft
        and request.console.may[Action.ADD_JUDGEMENTS],
        "kinds": [(name, Question.Kind(name).label) for name in selected.SHOWN],
        "wanted": wanted,
        "is_gold": wanted.kind in GOLD_KINDS,
        "sorts": [each for each in SORTS.items() if each[0] != "missed" or wanted.kind in GOLD_KINDS],
        "states": STATES.items(),
        "columns": (columns := metadata_columns(study)),
        "has_metadata": bool(columns) or sampled,
        "sampled": SAMPLE if sampled else None,
        "query": urlencode(asdict(wanted)) + "&",
    }
    return render(request, "console/questions.html", context)


def _wanted(request: ConsoleRequest) -> QuestionFilter:
    """Return the question filter given by the query parameters. Unknown parameter values have no effect."""
    sent = {each.name: request.GET[each.name].strip() for each in fields(QuestionFilter) if each.name in request.GET}
    wanted = QuestionFilter(**sent)
    return replace(
        wanted,
        kind=wanted.kind if wanted.kind in selected.SHOWN else Question.Kind.REGULAR,
        state=wanted.state if wanted.state in STATES else "",
        sort=wanted.sort if wanted.sort in SORTS else "",
    )


def _size(matches: Any) -> int:
    """Return the number of matching questions, which are either a list or an unevaluated query."""
    return len(matches) if isinstance(matches, list) else int(matches.count())


@study_page()
@require_safe
def question(request: ConsoleRequest, study: Study, question: str) -> HttpResponse:
    shown = get_object_or_404(study.questions, public_id=question)
    answers = selected.given_answers(study, shown)
    keys = tasktypes.get(study.task_type).item_keys(shown.payload)
    items = selected.item_texts(study, keys)
    counted = [row.answer.value for row in answers if row.counts]
    context = {
        "study": study,
        "question": shown,
        "items": [items[key] for key in keys if key in items],
        "answers": answers,
        "counted": len(counted),
        "agreement": selected.agreement(study, shown, counted),
        "decision": (decision := decision_on(shown)),
        "decided": selected.in_words(study, shown, decision.value) if decision else "",
        "expected": selected.in_words(study, shown, shown.gold),
        "graded": [row for row in answers if row.answer.passed is not None],
    }
    return render(request, "console/question.html", context)
