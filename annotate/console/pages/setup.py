"""Set up, the first page of a draft (/console/<study>/), with the steps that set up the study and open it."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from annotate.console.selectors.setup import is_team, opening_text, setup_steps
from annotate.core.permissions import Action
from annotate.models import Study
from annotate.recruiting.forms import NamesForm
from annotate.server.refusals import Refused
from annotate.studies.services.study import open_study
from annotate.studies.services.team import make_crowd, make_team
from annotate.tasktypes.extensions import plan_panels
from annotate.web.pages.access import ConsoleRequest, join_text, study_page

AUDIENCES = {
    "team": (make_team, "Only people you name can join."),
    "crowd": (make_crowd, "Anyone with the link can join. The steps below show what is still missing for a crowd."),
}


def setup_page(request: ConsoleRequest, study: Study, refusal: Refused | None = None) -> HttpResponse:
    """Show the steps that set up the draft."""
    steps = setup_steps(study)
    missing = [step for step in steps if step.is_missing]
    without_names = steps[0].is_missing and steps[0].button is None
    context = {
        "study": study,
        "here": request.console.home,
        "steps": steps,
        "missing": len(missing),
        "next": missing[0] if missing else None,
        "names": NamesForm() if without_names else None,
        # The figures depend on the number of annotators in a team, so there are none before their names are entered.
        "estimates": [] if without_names else plan_panels(request, study),
        "opening": opening_text(study),
        "refusal": refusal,
    }
    return render(request, "console/setup.html", context, status=refusal.status if refusal else 200)


@study_page(Action.OPEN)
@require_POST
def open_(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Open the study and show the page with the links to send. A draft that is not ready shows the missing steps."""
    was_draft = study.is_draft
    try:
        open_study(study.pk, user=request.user)
    except Refused as refusal:
        if not was_draft:
            raise
        return setup_page(request, study, refusal)
    if was_draft and is_team(study):
        messages.success(request, "The study is open. Send each annotator the personal link below.")
        return redirect(f"{request.console.home}named/")
    if not was_draft:
        messages.success(request, f"The study is open. {join_text(request, study)}")
        return redirect(request.console.home)
    if study.recruitment == Study.Recruitment.PROLIFIC:
        messages.success(request, "The study is open. Enter the URL and the codes below on Prolific.")
        return redirect(f"{request.console.home}settings/prolific/")
    messages.success(request, "The study is open.")
    return redirect(f"{request.console.home}recruit/")


@study_page(Action.CHANGE_SETTINGS)
@require_POST
def who_answers(request: ConsoleRequest, study: Study, audience: str) -> HttpResponse:
    """Set up the draft for a small team or for a crowd."""
    if audience not in AUDIENCES:
        raise Http404("no such audience")
    service, message = AUDIENCES[audience]
    service(study.pk, user=request.user)
    messages.success(request, message)
    return redirect(request.console.home)
