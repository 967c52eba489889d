"""The page *Problem reports*: annotators' reports of problems with questions, one after another."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate import tasktypes
from annotate.core.selectors.remarks import open_reports
from annotate.core.services.remarks import LONGEST
from annotate.models import Annotator, Question, Remark, Study
from annotate.questions.selectors import questions as selected
from annotate.web.pages.access import ConsoleRequest, study_page
from annotate.web.pages.known_size import paginate


@study_page()
@require_safe
def problem_reports(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show one report without a reply, with its question and the annotator's answer, oldest report first."""
    reports = open_reports(study)
    page = paginate(reports, 1, reports.count()).get_page(request.GET.get("page"))
    context = {"study": study, "page": page, "longest": LONGEST}
    for report in page:
        context |= {"report": report, **_question(study, report)}
    return render(request, "questions/problem_reports.html", context)


def reports_of(question: Question) -> QuerySet[Remark]:
    """Return people's reports of problems with the question, newest first."""
    reports = Remark.objects.filter(kind=Remark.Kind.PROBLEM, answer__question=question)
    people = reports.filter(participation__annotator__is_program=False)
    others = people.exclude(participation__annotator__platform=Annotator.Platform.TRY)
    return others.select_related("participation", "replied_by").order_by("-sent_at", "-pk")


def _question(study: Study, report: Remark) -> dict[str, object]:
    """Return the template context for the question that the report is about."""
    answer = report.answer
    if answer is None:
        return {}
    question = answer.question
    keys = tasktypes.get(study.task_type).item_keys(question.payload)
    items = selected.item_texts(study, keys)
    return {
        "question": question,
        "items": [items[key] for key in keys if key in items],
        "expected": selected.in_words(study, question, question.gold),
        "answer": selected.in_words(study, question, answer.value),
        "reports": reports_of(question).count(),
    }
