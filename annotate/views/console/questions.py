"""The pages about questions and their answers (/console/<study>/questions/)."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotate import tasktypes
from annotate.models import Question, Study
from annotate.permissions import Action
from annotate.selectors import questions as selected
from annotate.selectors.decisions import decision_on
from annotate.selectors.sizes import questions_of
from annotate.services.refresh import current_figures

from .access import ConsoleRequest, study_page
from .known_size import paginate

PAGE = 25


@study_page()
@require_safe
def questions(request: ConsoleRequest, study: Study) -> HttpResponse:
    kind, search = request.GET.get("kind", Question.Kind.REGULAR), request.GET.get("search", "")
    if kind not in selected.SHOWN:
        kind = Question.Kind.REGULAR
    sort = request.GET.get("sort", "")
    matches: Any
    if sort in selected.SORTS and sort:
        current_figures(study)
        matches = selected.sorted_questions(study, sort, kind=kind, search=search)
        size = matches.count()
    else:
        sort, matches = "", selected.matching_questions(study, kind=kind, search=search)
        size = len(matches) if search.strip() else questions_of(study, kind)
    page = paginate(matches, PAGE, size).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "page": page,
        "rows": selected.question_rows(study, list(page)),
        "may_choose": kind == Question.Kind.REGULAR
        and not study.is_draft
        and request.console.may[Action.ADD_JUDGEMENTS],
        "kinds": [(name, Question.Kind(name).label) for name in selected.SHOWN],
        "kind": kind,
        "search": search,
        "sorts": selected.SORTS.items(),
        "sort": sort,
        "query": urlencode({"kind": kind, "search": search, "sort": sort}) + "&",
    }
    return render(request, "console/questions.html", context)


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
