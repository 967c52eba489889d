"""Actions on the design page that add items to a study that has been opened."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from annotate.core.permissions import Action
from annotate.core.services.jobs import request_job
from annotate.data.selectors.design import checks_of
from annotate.data.selectors.extension import items_to_add, latest_extension
from annotate.data.services.extension import add_items, undo_extension
from annotate.data.services.extension_plans import current_plan, needs_job
from annotate.models import Report, Study
from annotate.server.refusals import Refused
from annotate.templatetags.figures import with_noun
from annotate.web.pages.access import ConsoleRequest, study_page


@study_page(Action.ADD_ITEMS)
@require_POST
def plan(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Start the job that plans the extension of a large study."""
    try:
        request_job(study, "extension-plan", user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect("console:design", study.public_id)


@study_page(Action.ADD_ITEMS)
@require_POST
def add(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Add the items to the design. A background job extends large designs."""
    try:
        if needs_job(study):
            request_job(study, "extension", user=request.user)
        else:
            added = latest_extension_of(add_items(study.pk, user=request.user))
            questions, hits = with_noun(added["questions"], "question"), with_noun(added["hits"], "HIT")
            items = with_noun(added["items"], "item")
            messages.success(request, f"Accord added {items} to the design, with {questions} in {hits}.")
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect("console:design", study.public_id)


@study_page(Action.ADD_ITEMS)
@require_POST
def undo(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Remove the questions that the latest extension added."""
    try:
        removed = undo_extension(study.pk, user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
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
