"""The page on which managers choose and add an adaptive round (/console/<study>/rounds/)."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.selectors.spend import spend_of
from annotate.data.forms import RoundForm
from annotate.data.selectors.rounds import latest_plan, offers_rounds, rounds_of, suggested_questions
from annotate.data.services.rounds import add_round, choose_round
from annotate.models import Study
from annotate.server.refusals import Refused
from annotate.templatetags.figures import with_noun
from annotate.web.pages.access import ConsoleRequest, study_page


@study_page(Action.ADD_JUDGEMENTS)
@require_http_methods(["GET", "HEAD", "POST"])
def rounds(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the rounds and the size and cost of the next round. On a POST request, choose the next round."""
    if not offers_rounds(study):
        raise Http404("the task type has no adaptive rounds")
    form = RoundForm(request.POST or None, initial={"questions": suggested_questions(study)})
    if request.method == "POST" and form.is_valid():
        try:
            choose_round(study, form.cleaned_data["questions"], user=request.user)
        except Refused as refusal:
            form.refuse(refusal)
        else:
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
    return render(request, "console/rounds.html", context, status=422 if form.errors else 200)


@study_page(Action.ADD_JUDGEMENTS)
@require_POST
def add(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    """Add the round that report `number` has chosen."""
    try:
        added = add_round(study.pk, number, user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        hits = with_noun(added.last_hit - added.first_hit + 1, "HIT")
        messages.success(request, f"Round {added.number} was added, with {hits} after all other HITs.")
    return redirect("console:rounds", study.public_id)
