"""Gold: how it fares, setting a wrong key aside, and making more with other authors."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate import tasktypes
from annotate.forms.gold import DrawForm, JudgeForm, PromoteForm, SetAsideForm
from annotate.forms.uploads import UploadForm
from annotate.models import Question, Study
from annotate.refusals import Refused
from annotate.selectors import gold as found
from annotate.selectors.decisions import present_question
from annotate.selectors.design import gold_cover, stop_chances
from annotate.selectors.studies import MAY
from annotate.services import gold as making

from .access import ConsoleRequest, study_page
from .uploads import limits

PAGE = 30


@study_page()
@require_GET
def gold(request: ConsoleRequest, study: Study) -> HttpResponse:
    return _page(request, study)


@study_page("manage")
@require_POST
def draw(request: ConsoleRequest, study: Study) -> HttpResponse:
    form = DrawForm(request.POST)
    if form.is_valid():
        try:
            drawn = making.draw_candidates(study.pk, form.cleaned_data["count"], user=request.user)
            messages.success(request, f"{len(drawn):,} candidates drawn. Answer them, and ask other authors to.")
            return redirect("console:gold", study.public_id)
        except Refused as refusal:
            form.refuse(refusal)
    return _page(request, study, draw_form=form)


@study_page("review")
def judge(request: ConsoleRequest, study: Study, question: str) -> HttpResponse:
    """Answer a candidate; then on to the next that one has not answered."""
    candidate = get_object_or_404(study.questions, public_id=question, kind=Question.Kind.CANDIDATE)
    value, explanation = found.own_answer(study, candidate, request.user)
    form, status = JudgeForm(initial={"value": value, "explanation": explanation}), 200
    if request.method == "POST":
        form, status = JudgeForm(request.POST), 422
        if form.is_valid():
            try:
                making.judge_candidate(
                    candidate.pk, form.cleaned_data["value"], user=request.user,
                    explanation=form.cleaned_data["explanation"],
                )  # fmt: skip
                return _onwards(request, study, candidate)
            except Refused as refusal:
                form.refuse(refusal)
    task = tasktypes.get(study.task_type)
    waiting = found.candidates_of(study)
    context = {
        "study": study, "task": task, "candidate": candidate, "form": form,
        "content": present_question(study, candidate), "value": form["value"].value() or None,
        "left": waiting.exclude(judgements__user=request.user).count(), "all": waiting.count(),
        "styles": f"css/tasks/{study.task_type}.css", "strings": f"annotate/tasks/{study.task_type}/strings.html",
    }  # fmt: skip
    return render(request, "console/gold_candidate.html", context, status=status)


@study_page("manage")
@require_POST
def promote(request: ConsoleRequest, study: Study) -> HttpResponse:
    form = PromoteForm(request.POST)
    if not form.is_valid():
        return _page(request, study, promote_form=form)
    ids = list(found.candidates_of(study).values_list("pk", flat=True))
    authors = form.cleaned_data["authors"]
    made = making.promote(ids, study_id=study.pk, user=request.user, authors=authors)
    if made:
        messages.success(request, f"{made:,} candidates became gold.")
    else:
        messages.warning(request, f"No candidate has {authors} or more authors who all agree.")
    return redirect("console:gold", study.public_id)


@study_page("manage")
@require_POST
def set_aside(request: ConsoleRequest, study: Study, question: str) -> HttpResponse:
    target = get_object_or_404(study.questions, public_id=question)
    form = SetAsideForm(request.POST)
    if form.is_valid():
        try:
            rescued = making.set_aside(target.pk, user=request.user, reason=form.cleaned_data["reason"])
        except Refused as refusal:
            form.refuse(refusal)
        else:
            _say_aside(request, target, rescued)
            return redirect("console:gold", study.public_id)
    return _page(request, study, aside=target, aside_form=form)


def _say_aside(request: ConsoleRequest, question: Question, rescued: int) -> None:
    text = f"{question.ref} is set aside: it is asked no more, and its grades left everyone's accuracy."
    if rescued:
        people = "annotator was" if rescued == 1 else "annotators were"
        text += f" {rescued} {people} stopped and would no longer be: look at them under Annotators."
    messages.success(request, text)


def _onwards(request: ConsoleRequest, study: Study, candidate: Question) -> HttpResponse:
    following = found.next_candidate(study, request.user, after=candidate.pk)
    if following:
        return redirect("console:candidate", study.public_id, following.public_id)
    messages.success(request, "You have answered every candidate.")
    return redirect("console:gold", study.public_id)


def _page(request: ConsoleRequest, study: Study, **forms: Any) -> HttpResponse:
    """The page, with forms that came back with faults in the place of fresh ones."""
    page = Paginator(found.gold_of(study), PAGE).get_page(request.GET.get("page"))
    candidates = Paginator(found.candidates_of(study), PAGE).get_page(request.GET.get("candidates"))
    cover = gold_cover(study)
    ready = found.promotable(study)
    reviewers = study.memberships.filter(role__in=MAY["review"]).count()
    authors = 2 if reviewers > 1 else 1
    context = {
        "study": study,
        "page": page,
        "query": "",
        "rows": found.gold_rows(study, list(page)),
        "candidates": candidates,
        "candidate_rows": found.candidate_rows(study, request.user, list(candidates)),
        "next": found.next_candidate(study, request.user) if request.console.may["review"] else None,
        "agreement": found.author_agreement(study),
        "ready": [(number, ready.get(number, 0)) for number in range(1, max([authors, *ready]) + 1)],
        "retired": study.questions.filter(kind=Question.Kind.RETIRED).order_by("pk"),
        "practice": study.questions.filter(kind=Question.Kind.PRACTICE).count(),
        "has_items": study.items.filter(upload__revealed_at__isnull=False).exists(),
        "cover": cover,
        "chances": stop_chances(study, cover) if cover.gold and study.rule_threshold else [],
        "form": UploadForm(),
        "draw_form": forms.get("draw_form") or DrawForm(),
        "promote_form": forms.get("promote_form") or PromoteForm(initial={"authors": authors}),
        "aside": forms.get("aside"),
        "aside_form": forms.get("aside_form") or SetAsideForm(),
    }
    return render(request, "console/gold.html", context | limits(), status=422 if forms else 200)
