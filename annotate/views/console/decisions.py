"""The page on which a reviewer decides the answer to a question (/console/<study>/questions/<question>/decide/)."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from annotate import tasktypes
from annotate.forms.decisions import DecideForm
from annotate.models import Question, Study
from annotate.permissions import Action
from annotate.refusals import Refused
from annotate.selectors import decisions as decision_selectors
from annotate.services import decisions as decision_services

from .access import ConsoleRequest, study_page


@study_page(Action.DECIDE)
def decide(request: ConsoleRequest, study: Study, question: str) -> HttpResponse:
    """Show the question with the annotators' answers, and record the decision of the reviewer."""
    target = get_object_or_404(study.questions, public_id=question, kind=Question.Kind.REGULAR)
    decision = decision_selectors.decision_on(target)
    form, status = DecideForm(initial={"note": decision.note if decision else ""}), 200
    if request.method == "POST":
        form, status = DecideForm(request.POST), 422
        if form.is_valid():
            try:
                decision_services.decide(
                    target.pk, form.cleaned_data["value"], user=request.user, note=form.cleaned_data["note"]
                )
                messages.success(request, f"The decision on {target.ref} is recorded.")
                return redirect("console:question", study.public_id, target.public_id)
            except Refused as refusal:
                form.refuse(refusal)
    context = {
        "study": study,
        "task": tasktypes.get(study.task_type),
        "question": target,
        "form": form,
        "decision": decision,
        "content": decision_selectors.present_question(study, target),
        "given": decision_selectors.given_to_decide(study, target),
        "value": (
            form["value"].value() if form.is_bound else decision_selectors.decided_value(study, target, decision)
        ),
        "styles": tasktypes.styles_of(study.task_type),
        "strings": f"{study.task_type}/strings.html",
    }
    return render(request, "console/decide.html", context, status=status)


@study_page(Action.DECIDE)
@require_POST
def withdraw(request: ConsoleRequest, study: Study, question: str) -> HttpResponse:
    target = get_object_or_404(study.questions, public_id=question, kind=Question.Kind.REGULAR)
    decision_services.withdraw(target.pk, user=request.user)
    messages.success(request, f"The decision on {target.ref} was withdrawn. The annotators’ answers count again.")
    return redirect("console:question", study.public_id, target.public_id)
