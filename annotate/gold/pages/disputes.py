"""*Review* → *Disputed gold*: one disputed question after another, with the expected answer beside the annotators'."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.selectors.counts import GoldTotals, gold_totals
from annotate.gold import services as gold_services
from annotate.gold.forms import KeepForm, SetAsideForm
from annotate.gold.selectors.disputes import disputed_answers, disputed_gold, is_kept
from annotate.models import Question, Study
from annotate.questions.selectors.decisions import present_question
from annotate.questions.selectors.questions import in_words
from annotate.web.pages.access import ConsoleRequest, study_page


@study_page()
@require_safe
def disputes(request: ConsoleRequest, study: Study, question: str = "") -> HttpResponse:
    """Show this disputed question, or the first one. A question whose disputes are settled has its own page."""
    keys = disputed_gold(study)
    target: Question | None
    if question:
        target = get_object_or_404(study.questions, public_id=question, kind=Question.Kind.GOLD)
        if target.pk not in keys:
            return redirect("console:question", study.public_id, target.public_id)
    else:
        target = study.questions.filter(pk__in=keys[:1]).first()
    context = {"study": study, **_undoable(request, study), **(_shown(study, target, keys) if target else {})}
    return render(request, "gold/disputes.html", context)


@study_page(Action.DECIDE, back="gold/disputes/")
@require_POST
def keep(request: ConsoleRequest, study: Study, question: str) -> HttpResponse:
    """Keep the expected answer, and show the next disputed question."""
    target = get_object_or_404(study.questions, public_id=question, kind=Question.Kind.GOLD)
    keys = disputed_gold(study)
    form = KeepForm(request.POST)
    if not form.is_valid():
        return redirect(_address(study, target))
    gold_services.keep_expected_answer(target.pk, user=request.user, until=form.cleaned_data["until"])
    following = [key for key in keys[keys.index(target.pk) + 1 :] if key != target.pk] if target.pk in keys else []
    then = study.questions.filter(pk__in=following[:1]).first()
    return redirect(f"{_address(study, then)}?kept={target.public_id}")


@study_page(Action.DECIDE, back="gold/disputes/")
@require_POST
def reopen(request: ConsoleRequest, study: Study, question: str) -> HttpResponse:
    """Undo the decision to keep the expected answer, and show the disputes again."""
    target = get_object_or_404(study.questions, public_id=question, kind=Question.Kind.GOLD)
    gold_services.reopen_disputes(target.pk, user=request.user)
    return redirect(_address(study, target))


def _address(study: Study, question: Question | None) -> str:
    more = [question.public_id] if question else []
    return reverse("console:dispute" if question else "console:disputes", args=[study.public_id, *more])


def _undoable(request: ConsoleRequest, study: Study) -> dict[str, Any]:
    """Return the context for undoing the decision that led to this page."""
    kept = study.questions.filter(public_id=request.GET.get("kept", ""), kind=Question.Kind.GOLD).first()
    return {"kept": kept if kept and is_kept(kept) else None}


def _shown(study: Study, question: Question, keys: list[int]) -> dict[str, Any]:
    """Return the template context for a disputed question and its place among all of them."""
    task = tasktypes.get(study.task_type)
    content = present_question(study, question)
    answers, until = disputed_answers(study, question)
    place = keys.index(question.pk)
    others = study.questions.in_bulk(keys[max(place - 1, 0) : place + 2])
    values = {"expected": task.reveal(question.payload, [], question.gold)}
    values |= {str(answer.pk): answer.value for answer in answers}
    return {
        "task": task,
        "question": question,
        "totals": gold_totals(study).get(question.pk, GoldTotals()),
        "expected": in_words(study, question, question.gold),
        "answers": answers,
        "until": until.isoformat() if until else "",
        "number": place + 1,
        "size": len(keys),
        "previous": _address(study, others[keys[place - 1]]) if place else "",
        "following": _address(study, others[keys[place + 1]]) if place + 1 < len(keys) else "",
        "aside_form": SetAsideForm(),
        "pictures": {name: {"content": content, "value": value} for name, value in values.items()},
        "styles": tasktypes.styles_of(study.task_type),
        "strings": f"{study.task_type}/strings.html",
    }
