"""/console/<study>/questions/<question>/decide/: a researcher's answer where annotators disagree."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from annotate import tasktypes
from annotate.forms.decisions import DecideForm
from annotate.models import Question, Study
from annotate.refusals import Refused
from annotate.selectors import decisions as found
from annotate.services.decisions import decide as keep
from annotate.services.decisions import withdraw as take_back

from .access import ConsoleRequest, study_page


@study_page("review")
def decide(request: ConsoleRequest, study: Study, question: str) -> HttpResponse:
    """Answer with the annotators' own module, their answers beside it; `next` leads on through a list."""
    target = get_object_or_404(study.questions, public_id=question, kind=Question.Kind.REGULAR)
    standing = found.decision_on(target)
    form, status = DecideForm(initial={"note": standing.note if standing else ""}), 200
    if request.method == "POST":
        form, status = DecideForm(request.POST), 422
        if form.is_valid():
            try:
                keep(target.pk, form.cleaned_data["value"], user=request.user, note=form.cleaned_data["note"])
                messages.success(request, f"Decided: {target.ref}.")
                return redirect("console:question", study.public_id, target.public_id)
            except Refused as refusal:
                form.refuse(refusal)
    context = {
        "study": study, "task": tasktypes.get(study.task_type), "question": target, "form": form, "decision": standing,
        "content": found.present_question(study, target), "given": found.given_to_decide(study, target),
        "value": form["value"].value() if form.is_bound else found.decided_value(study, target, standing),
        "styles": f"css/tasks/{study.task_type}.css", "strings": f"annotate/tasks/{study.task_type}/strings.html",
    }  # fmt: skip
    return render(request, "console/decide.html", context, status=status)


@study_page("review")
@require_POST
def withdraw(request: ConsoleRequest, study: Study, question: str) -> HttpResponse:
    target = get_object_or_404(study.questions, public_id=question, kind=Question.Kind.REGULAR)
    take_back(target.pk, user=request.user)
    messages.success(request, f"The decision on {target.ref} is withdrawn; the annotators’ answers speak again.")
    return redirect("console:question", study.public_id, target.public_id)
