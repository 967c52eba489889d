"""Pages about questions: the list with their answers, and *Disagreements*, with the decisions of reviewers."""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import Truncator
from django.views.decorators.http import require_POST, require_safe

from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.selectors.sizes import items_imported, questions_of
from annotate.models import Decision, Question, Study
from annotate.questions.forms import DecideForm
from annotate.questions.problem_reports import reports_of
from annotate.questions.selectors import adjudication
from annotate.questions.selectors import decisions as decision_selectors
from annotate.questions.selectors import questions as selected
from annotate.questions.selectors.decisions import decision_on
from annotate.questions.selectors.error_sample import error_sample, has_samples
from annotate.questions.selectors.filters import (
    GOLD_KINDS,
    SAMPLE,
    SORTS,
    STATES,
    QuestionFilter,
    filtered_questions,
    metadata_columns,
)
from annotate.questions.selectors.questions import item_texts
from annotate.questions.services import decisions as decision_services
from annotate.questions.services.refresh import current_figures
from annotate.server.refusals import Refused
from annotate.templatetags.question_names import name_in
from annotate.web.pages.access import ConsoleRequest, study_page
from annotate.web.pages.known_size import paginate

QUEUE_PAGE = 25


@study_page(Action.DECIDE)
@require_safe
def adjudicate(request: ConsoleRequest, study: Study) -> HttpResponse:
    """List the questions to decide: likely wrong first or, without estimates, in ascending order of agreement."""
    age = current_figures(study)
    queue = _queue(request, study)
    size = queue.rows.count()
    showing_all = queue.show == adjudication.Show.UNDECIDED and not queue.search
    page = paginate(range(size), QUEUE_PAGE, size).get_page(request.GET.get("page"))
    entries = queue.entries(page.start_index() - 1, page.end_index()) if size else []
    context = {
        "study": study,
        "queue": queue,
        "page": page,
        "entries": entries,
        "first": _address(study, queue, entries[0].question) if entries else "",
        "texts": _texts(study, [entry.question for entry in entries]),
        "age": age,
        "to_decide": size if showing_all else adjudication.Queue(study, order=queue.order).rows.count(),
        "sample": error_sample(study),
        "has_samples": queue.has_repairs and has_samples(study),
        "report": adjudication.latest_report(study) if queue.has_repairs else None,
        "unfinished": adjudication.unfinished(study),
        "query": _query(queue) + "&",
        "kept": _query(queue, show=""),
        "orders": {order.value: _query(queue, order=order.value) for order in adjudication.Order},
        "ignored": tasktypes.get(study.task_type).ignored_by_alike(study.options),
        "decisions_count": tasktypes.get(study.task_type).decisions_count,
        "optional": study.judgements > 2 and not adjudication.reviewers_decide(study),
        **_undoable(request, study),
    }
    return render(request, "questions/adjudicate.html", context)


@study_page(Action.DECIDE)
def decide(request: ConsoleRequest, study: Study, question: str) -> HttpResponse:
    """Show a question with the annotators' answers, and record the reviewer's decision."""
    target = get_object_or_404(study.questions, public_id=question, kind=Question.Kind.REGULAR)
    queue = _queue(request, study)
    place = queue.place(target)
    form = DecideForm(request.POST) if request.method == "POST" else None
    if form is not None and form.is_valid():
        with form.show_refusals():
            _record(target, form, request)
            return redirect(_next(study, queue, place.after, undo=target))
    context = {"study": study, **_work(study, queue, target, place, form), **_undoable(request, study)}
    return render(request, "questions/decide.html", context, status=422 if form else 200)


@study_page(Action.DECIDE)
@require_POST
def undo(request: ConsoleRequest, study: Study, question: str) -> HttpResponse:
    """Undo the latest decision on a question, and show the question again."""
    target = get_object_or_404(study.questions, public_id=question, kind=Question.Kind.REGULAR)
    try:
        restored = decision_services.undo(target.pk, user=request.user, seen=request.POST.get("seen"))
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        outcome = (
            f"The earlier decision by {restored.user} counts again." if restored else "The question is undecided again."
        )
        messages.success(request, f"The decision on {name_in(target, study)} was undone. {outcome}")
    return redirect(_address(study, _queue(request, study), target))


@study_page(Action.DECIDE)
@require_POST
def withdraw(request: ConsoleRequest, study: Study, question: str) -> HttpResponse:
    target = get_object_or_404(study.questions, public_id=question, kind=Question.Kind.REGULAR)
    decision_services.withdraw(target.pk, user=request.user)
    name = name_in(target, study)
    messages.success(request, f"The decision on {name} was withdrawn. The annotators’ answers count again.")
    return redirect("console:question", study.public_id, target.public_id)


def _record(question: Question, form: DecideForm, request: ConsoleRequest) -> None:
    note = form.cleaned_data["note"]
    seen = form.cleaned_data["seen"] if "seen" in form.data else None
    if form.cleaned_data["keep_both"]:
        decision_services.keep_both(question.pk, user=request.user, note=note, seen=seen)
    else:
        decision_services.decide(question.pk, form.cleaned_data["value"], user=request.user, note=note, seen=seen)


def _queue(request: ConsoleRequest, study: Study) -> adjudication.Queue:
    return adjudication.Queue(study, *(request.GET.get(name, "") for name in ("show", "search", "order")))


def _next(study: Study, queue: adjudication.Queue, following: int | None, *, undo: Question) -> str:
    target = study.questions.filter(pk=following or queue.first() or 0).first()
    return _address(study, queue, target, decided=undo.public_id)


def _address(study: Study, queue: adjudication.Queue, question: Question | None, **more: str) -> str:
    query = _query(queue, **more)
    if question is None and queue.show == adjudication.Show.SAMPLE:
        return reverse("console:label-errors", args=[study.public_id])
    if question is None:
        return f"{reverse('console:adjudicate', args=[study.public_id])}?{query}"
    return f"{reverse('console:decide', args=[study.public_id, question.public_id])}?{query}"


def _query(queue: adjudication.Queue, **more: str) -> str:
    order = queue.order.value if queue.has_repairs else ""
    parameters = {"show": queue.show.value, "search": queue.search, "order": order, **more}
    return urlencode({name: value for name, value in parameters.items() if value})


def _undoable(request: ConsoleRequest, study: Study) -> dict[str, Any]:
    """Return the template context for undoing the decision that led to this page."""
    decided = request.GET.get("decided", "")
    decisions = Decision.objects.filter(question__study=study, question__public_id=decided)
    latest = decisions.select_related("question__study").first() if decided else None
    if latest is not None and not decision_services.can_undo(latest):
        latest = None
    return {"undo": latest, "undo_seen": decision_services.version_of(latest)}


def _work(
    study: Study, queue: adjudication.Queue, question: Question, place: adjudication.Place, form: DecideForm | None
) -> dict[str, Any]:
    """Return the template context for a question and its answers."""
    decision = decision_selectors.decision_on(question)
    shown = decision_selectors.to_decide(study, question, decision)
    neighbours = study.questions.in_bulk([pk for pk in (place.before, place.after) if pk])
    addresses = [
        _address(study, queue, neighbours[pk]) if pk in neighbours else "" for pk in (place.before, place.after)
    ]
    return {
        "task": tasktypes.get(study.task_type),
        "question": question,
        "form": form or DecideForm(initial={"note": decision.note if decision else ""}),
        "seen": decision_services.version_of(decision),
        "decision": decision,
        "shown": shown,
        "place": place,
        "size": queue.rows.count(),
        "list": _address(study, queue, None),
        "query": _query(queue),
        "previous": addresses[0],
        "following": addresses[1],
        "here": _address(study, queue, question),
        "given": [
            {"letter": each.letter, "name": each.name, "value": each.value, "votes": each.votes}
            for each in shown.candidates
        ],
        "value": form["value"].value() if form and form["value"].value() else shown.decided,
        "keep_both": form.cleaned_data.get("keep_both", False) if form else bool(decision and decision.keep_both),
        "styles": tasktypes.styles_of(study.task_type),
        "strings": f"{study.task_type}/strings.html",
        "page_keys": "questions/decide_keys.html",
    }


def _texts(study: Study, questions: list[Question]) -> dict[int, str]:
    """Return the beginning of each question's text, in one query. If a question has no texts, its ref is returned."""
    task = tasktypes.get(study.task_type)
    items = item_texts(study, (key for question in questions for key in task.item_keys(question.payload)))
    texts = {}
    for question in questions:
        known = [items[key].texts for key in task.item_keys(question.payload) if key in items]
        text = " – ".join(text for each in known for text in each)
        texts[question.pk] = Truncator(text).chars(120) or question.ref
    return texts


LIST_PAGE = 25


@study_page()
@require_safe
def questions(request: ConsoleRequest, study: Study) -> HttpResponse:
    wanted = _wanted(request, study)
    if wanted.needs_figures:
        current_figures(study)
    matches = filtered_questions(study, wanted)
    size = questions_of(study, wanted.kind) if wanted.only_kind else _size(matches)
    page = paginate(matches, LIST_PAGE, size).get_page(request.GET.get("page"))
    sampled = items_imported(study) > SAMPLE
    present = {wanted.kind, *study.questions.order_by().values_list("kind", flat=True).distinct()}
    context = {
        "study": study,
        "page": page,
        "rows": selected.question_rows(study, list(page)),
        "may_choose": wanted.kind == Question.Kind.REGULAR
        and not study.is_draft
        and request.console.may[Action.ADD_JUDGEMENTS],
        "kinds": [(name, Question.Kind(name).label) for name in selected.shown_kinds(study) if name in present],
        "wanted": wanted,
        "folded": _folded(wanted),
        "is_gold": wanted.kind in GOLD_KINDS,
        "sorts": [each for each in SORTS.items() if each[0] != "missed" or wanted.kind in GOLD_KINDS],
        "states": STATES.items(),
        "columns": (columns := metadata_columns(study)),
        "has_metadata": bool(columns) or sampled,
        "sampled": SAMPLE if sampled else None,
        "query": urlencode(asdict(wanted)) + "&",
    }
    return render(request, "questions/questions.html", context)


def _wanted(request: ConsoleRequest, study: Study) -> QuestionFilter:
    """Return the question filter given by the query parameters. Unknown parameter values have no effect."""
    sent = {each.name: request.GET[each.name].strip() for each in fields(QuestionFilter) if each.name in request.GET}
    wanted = QuestionFilter(**_usual(study) | sent)
    return replace(
        wanted,
        kind=wanted.kind if wanted.kind in selected.shown_kinds(study) else Question.Kind.REGULAR,
        state=wanted.state if wanted.state in STATES else "",
        sort=wanted.sort if wanted.sort in SORTS else "",
    )


def _usual(study: Study) -> dict[str, str]:
    """Return the filters of the list before the user has chosen any: what annotators disagree on comes first."""
    return {} if study.is_draft else {"sort": "agreement"}


def _folded(wanted: QuestionFilter) -> bool:
    """Return whether the filters that are rarely used are all empty."""
    return not any([wanted.annotator, wanted.column, wanted.value])


def _size(matches: Any) -> int:
    """Return the number of matching questions, which are either a sequence or an unevaluated query."""
    return int(matches.count()) if isinstance(matches, QuerySet) else len(matches)


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
        "reports": reports_of(shown),
        "graded": [row for row in answers if row.answer.passed is not None],
    }
    return render(request, "questions/question.html", context)
