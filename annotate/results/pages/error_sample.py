"""The page about the share of wrong final labels: the plan, the sample that reviewers check, and the bound."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from annotate.core.permissions import Action
from annotate.models import Study
from annotate.questions.selectors.adjudication import Queue, Show
from annotate.questions.selectors.decision_pace import decision_pace
from annotate.questions.selectors.error_sample import error_sample, has_samples, labels_now, offers
from annotate.results.forms import SampleForm
from annotate.results.services import draw_error_sample
from annotate.server.refusals import Refused, or_404
from annotate.web.pages.access import ConsoleRequest, study_page


@study_page(Action.DECIDE)
def label_errors(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the sample and its bound, and draw a sample."""
    or_404(has_samples(study) or None, "no labels to check")
    form = SampleForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with form.show_refusals():
            draw_error_sample(study.pk, wanted=form.cleaned_data["percent"] / 100, user=request.user)
            return redirect("console:label-errors", study.public_id)
    context = {"study": study, "form": form, "sample": error_sample(study), "pace": decision_pace(study)}
    try:
        now = labels_now(study)
    except Refused as refusal:
        context["refusal"] = refusal.message
    else:
        context |= {"labels": len(now.places), "report": now.report, "offers": offers(study, now)}
    first = Queue(study, Show.SAMPLE).ordered.values_list("question__public_id", flat=True).first()
    if first:
        context["first"] = f"{reverse('console:decide', args=[study.public_id, first])}?show={Show.SAMPLE.value}"
    return render(request, "results/label_errors.html", context, status=422 if form.errors else 200)
