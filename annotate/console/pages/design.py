"""The design page, which shows the questions, checks on them and the cost."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.selectors.sizes import items_imported
from annotate.core.services.jobs import request_job
from annotate.data.pages.additions import extension_context
from annotate.data.selectors.additions import items_to_add, unopened_counts, updates_unopened
from annotate.data.selectors.design import charts_of, checks_of, cost_of
from annotate.data.services.design import build_design
from annotate.data.services.unopened import refuse_without_unopened
from annotate.gold.selectors.appearance import gold_appearance
from annotate.models import Study
from annotate.server.refusals import Refused
from annotate.studies.services.study import missing_before_opening
from annotate.templatetags.figures import with_noun
from annotate.web.pages.access import ConsoleRequest, study_page
from annotate.web.pages.charts import bars_chart

DESIGN_JOBS = ("design", "extension", "extension-plan", "unopened")


@study_page()
@require_safe
def design(request: ConsoleRequest, study: Study) -> HttpResponse:
    return _page(request, study)


@study_page(Action.BUILD_DESIGN)
@require_POST
def build(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Build the design. A background job builds large designs. The button in Set up leads back to that page."""
    items = items_imported(study, in_design=True)
    if items > settings.ROWS_AT_ONCE:
        request_job(study, "design", user=request.user)
        return redirect("console:design", study.public_id)
    try:
        report = build_design(study.pk, user=request.user)
    except Refused as refusal:
        return _page(request, study, refusal)
    messages.success(request, f"{with_noun(report.result['questions'], 'question')} built.")
    return redirect(request.console.home if "setup" in request.POST else f"{request.console.home}design/")


@study_page(Action.UPDATE_UNOPENED, back="design/")
@require_POST
def update_unopened(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Start the job that updates the unopened questions."""
    refuse_without_unopened(study)
    request_job(study, "unopened", user=request.user)
    return redirect("console:design", study.public_id)


def _page(request: ConsoleRequest, study: Study, refusal: Refused | None = None) -> HttpResponse:
    report = study.design
    faults = [check for check in checks_of(report) if check.state == "fault"] if report else []
    context = {
        "study": study,
        "here": f"{request.console.home}design/",
        "report": report,
        "job": study.jobs.filter(kind__in=DESIGN_JOBS).order_by("-pk").first(),
        "refusal": refusal,
        "faults": faults,
        "stale": missing_before_opening(study).get("design", "") if report else "",
        "items": items_imported(study, in_design=True) - items_to_add(study),
    }
    if not study.is_draft and request.console.may[Action.ADD_ITEMS]:
        context |= extension_context(study)
    if request.console.may[Action.UPDATE_UNOPENED] and updates_unopened(study):
        context |= {"unopened": unopened_counts(study), "update_texts": tasktypes.get(study.task_type).update_texts}
    if report:
        checks = checks_of(report, gold_appearance(study))
        of_addition = "extension" in report.result and tasktypes.get(study.task_type).checks_only_new_items
        context |= {
            "checks": checks,
            "advice": sum(check.state == "advice" for check in checks),
            "checks_addition": of_addition,
            "charts": [] if of_addition else [bars_chart(title, bars) for title, bars in charts_of(report)],
            "cost": cost_of(study, report),
        }
    return render(request, "console/design.html", context, status=refusal.status if refusal else 200)
