"""Pages that add to the design of an open study: items, adaptive rounds, and more judgements for questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accord_core.exchange.numbers import is_whole_number
from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.selectors.progress import judgements_per_question
from annotate.core.selectors.quotas import groups_with_quota
from annotate.core.selectors.sizes import questions_of
from annotate.core.selectors.spend import spend_of
from annotate.core.services.jobs import request_job
from annotate.data.forms import RoundForm
from annotate.data.selectors.additions import (
    items_to_add,
    latest_extension,
    latest_plan,
    offers_rounds,
    rounds_of,
    suggested_questions,
)
from annotate.data.selectors.design import checks_of
from annotate.data.services.extension import add_items, current_plan, needs_job, undo_extension
from annotate.data.services.rounds import add_round, choose_round
from annotate.models import Question, Report, Study
from annotate.questions.selectors.more_judgements import (
    Price,
    Scope,
    chosen_questions,
    disputed_number,
    disputed_questions,
    price_for_all,
    price_for_questions,
)
from annotate.questions.services.more_judgements import add_to_all, add_to_questions
from annotate.questions.services.refresh import current_figures
from annotate.server.refusals import Refused
from annotate.tasktypes.extensions import Forecast, Predicted, forecast
from annotate.templatetags.figures import with_noun
from annotate.web.pages.access import ConsoleRequest, study_page

MOST_STEPS = 10  # of the slider
SCOPES = {Scope.ALL: "All questions", Scope.DISPUTED: "Disputed questions", Scope.CHOSEN: "Chosen questions"}


@dataclass(frozen=True)
class Step:
    """A position of the slider: judgements to add to each question, and what they cost and give."""

    number: int
    judgements: int
    judgements_after: int
    price: Price
    predicted: Predicted | None


@study_page(Action.ADD_ITEMS, back="design/")
@require_POST
def plan(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Start the job that plans the extension of a large study."""
    request_job(study, "extension-plan", user=request.user)
    return redirect("console:design", study.public_id)


@study_page(Action.ADD_ITEMS, back="design/")
@require_POST
def add_later_items(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Add the items to the design. A background job extends large designs."""
    if needs_job(study):
        request_job(study, "extension", user=request.user)
    else:
        added = latest_extension_of(add_items(study.pk, user=request.user))
        questions, hits = with_noun(added["questions"], "question"), with_noun(added["hits"], "HIT")
        items = with_noun(added["items"], "item")
        messages.success(request, f"Accord added {items} to the design, with {questions} in {hits}.")
    return redirect("console:design", study.public_id)


@study_page(Action.ADD_ITEMS, back="design/")
@require_POST
def undo(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Remove the questions that the latest extension added."""
    removed = undo_extension(study.pk, user=request.user)
    messages.success(request, f"Accord removed {with_noun(removed, 'question')} from the design. The items stay.")
    return redirect("console:design", study.public_id)


def latest_extension_of(report: Report) -> dict[str, Any]:
    extension: dict[str, Any] = report.result["extension"]
    return extension


def extension_context(study: Study) -> dict[str, Any]:
    """Return the template context for the design page's section on added items."""
    waiting = items_to_add(study)
    context: dict[str, Any] = {"items_to_add": waiting, "extension": latest_extension(study)}
    if not waiting:
        return context
    try:
        plan = current_plan(study)
    except Refused as refusal:
        return context | {"extension_refusal": refusal}
    if plan is None:
        return context
    checks = checks_of(Report(result=plan))
    return context | {"plan": plan, "plan_cost": plan["slots"] * study.reward, "plan_checks": checks}


@study_page(Action.ADD_JUDGEMENTS)
@require_http_methods(["GET", "HEAD", "POST"])
def rounds(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the rounds and the size and cost of the next round. On a POST request, choose the next round."""
    if not offers_rounds(study):
        raise Http404("the task type has no adaptive rounds")
    form = RoundForm(request.POST or None, initial={"questions": suggested_questions(study)})
    if request.method == "POST" and form.is_valid():
        with form.show_refusals():
            choose_round(study, form.cleaned_data["questions"], user=request.user)
            return redirect("console:rounds", study.public_id)
    context = {
        "study": study,
        "here": f"{request.console.home}rounds/",
        "texts": tasktypes.get(study.task_type).rounds,
        "rounds": rounds_of(study),
        "plan": latest_plan(study),
        "job": study.jobs.filter(kind="report-round").order_by("-pk").first(),
        "left": spend_of(study).left,
        "form": form,
    }
    return render(request, "data/rounds.html", context, status=422 if form.errors else 200)


@study_page(Action.ADD_JUDGEMENTS, back="rounds/")
@require_POST
def add_next_round(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    """Add the round that report `number` has chosen."""
    added = add_round(study.pk, number, user=request.user)
    hits = with_noun(added.last_hit - added.first_hit + 1, "HIT")
    messages.success(request, f"Round {added.number} was added, with {hits} after all other HITs.")
    return redirect("console:rounds", study.public_id)


@study_page(Action.ADD_JUDGEMENTS)
@require_safe
def judgements(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the price of more judgements for all questions, the disputed questions or the chosen questions, and for all
    questions also the predicted figure.
    """
    age = current_figures(study)
    names = request.GET.getlist("question")
    numbers = {
        Scope.ALL: questions_of(study, Question.Kind.REGULAR),
        Scope.DISPUTED: disputed_number(study),
        Scope.CHOSEN: len(chosen_questions(study, names)),
    }
    offered = {scope: number for scope, number in numbers.items() if number}
    usual = Scope.CHOSEN if Scope.CHOSEN in offered else Scope.ALL
    scope = Scope(asked) if (asked := request.GET.get("scope", "")) in offered else usual
    predicted = forecast(request, study) if offered and scope == Scope.ALL else None
    context = {
        "study": study,
        "here": request.get_full_path(),
        "scope": scope,
        "offered": [(each, SCOPES[each], number) for each, number in offered.items()],
        "steps": _steps(study, scope, offered[scope], predicted) if offered else [],
        "forecast": predicted,
        "predicted_now": predicted.figures.get(_each(study)) if predicted else None,
        "names": names,
        "left": spend_of(study).left,
        "figures_current": age.current,
        "offers_rounds": offers_rounds(study),
        "quotas": groups_with_quota(study) if study.has_quotas else [],
    }
    return render(request, "data/judgements.html", context)


@study_page(Action.ADD_JUDGEMENTS, back="judgements/")
@require_POST
def add_judgements(request: ConsoleRequest, study: Study, scope: str) -> HttpResponse:
    """Add judgements to each question in the scope."""
    if scope not in set(Scope):
        raise Http404("no such scope")
    seen, number = _number(request, "seen"), _number(request, "per_question") or 1
    group = request.POST.get("group", "")
    if scope == Scope.ALL:
        added = add_to_all(study.pk, user=request.user, per_question=number, seen=seen, group=group)
    else:
        disputed = scope == Scope.DISPUTED
        names = request.POST.getlist("question")
        questions = disputed_questions(study) if disputed else chosen_questions(study, names)
        added = add_to_questions(study.pk, questions, user=request.user, per_question=number, seen=seen, group=group)
    messages.success(request, f"{added:,} assignment{' was' if added == 1 else 's were'} added.")
    return redirect(request.console.home)


def _number(request: ConsoleRequest, name: str) -> int | None:
    text = request.POST.get(name, "")
    return int(text) if is_whole_number(text) else None


def _each(study: Study) -> int:
    """Return the number of judgements planned for each question."""
    return round(judgements_per_question(study) or study.judgements)


def _steps(study: Study, scope: Scope, questions: int, forecast: Forecast | None) -> list[Step]:
    """Return what 1, 2, … more judgements per question cost and, for all questions, what they are predicted to give."""
    figures = forecast.figures if forecast else {}
    now = _each(study)
    return [
        Step(
            number,
            questions * number,
            study.judgements_planned + questions * number,
            price_for_all(study, number) if scope == Scope.ALL else price_for_questions(study, questions, number),
            figures.get(now + number),
        )
        for number in range(1, MOST_STEPS + 1)
    ]
