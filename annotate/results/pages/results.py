"""The results pages (/console/<study>/results/), which calculate results and show the stored reports.

The page of a report is a frame around the part of the task type. The frame shows when the report was created, its
input and its files.
"""

from __future__ import annotations

from django.db.models.functions import Length
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.selectors.jobs import jobs_with_reports
from annotate.core.selectors.progress import judgements_counted
from annotate.core.services.jobs import request_job
from annotate.models import Report, Study
from annotate.results.selectors.comparison import MOST_REPORTS, comparable_reports, in_order_of_time
from annotate.results.selectors.comparison import compare as compare_reports
from annotate.results.selectors.reports import SIMULATED, results_reports
from annotate.tasktypes import RESULTS, Headline, Shown
from annotate.web.pages.access import ConsoleRequest, study_page

from .files import files_of
from .plain_report import plain_report

DIGITS = 9  # in the number of a report


@study_page()
@require_safe
def results(request: ConsoleRequest, study: Study) -> HttpResponse:
    task = tasktypes.get(study.task_type)
    reports = [
        (report, Headline.from_json(report.headline) if report.headline else None) for report in results_reports(study)
    ]
    names = [headline.name for _, headline in reports if headline]
    context = {
        "study": study,
        "reports": reports,
        "headline_name": names[0] if names else task.reports.headline,
        "job": jobs_with_reports(study).filter(kind="report-results").first(),
        "counted": judgements_counted(study, in_scores=True),
        "can_compute": RESULTS in task.reports.kinds,
    }
    return render(request, "console/results.html", context)


@study_page(Action.CALCULATE_REPORTS)
@require_POST
def compute(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Start calculating a report on the current judgements. The report's parameters record whether pilot answers are
    included.
    """
    parameters = {"pilot": "counted" if study.pilot_counts else "left out"} if study.pilot_hits else {}
    request_job(study, f"report:{RESULTS}", parameters=parameters, user=request.user)
    return redirect(f"{request.console.home}results/")


@study_page()
@require_safe
def report(request: ConsoleRequest, study: Study, number: int, page: str = "") -> HttpResponse:
    """Show the report, or another page that the task type defines for it."""
    stored = _report(study, number)
    shown = _shown(request, study, stored, page)
    files = files_of(study, stored)
    sizes = [file.size for file in files if file.size is not None]
    frame = {
        "study": study,
        "report": stored,
        "result": stored.result,
        "simulated": stored.parameters.get(SIMULATED, 0),
        "files": files,
        "files_size": sum(sizes) if len(sizes) == len(files) else None,
        "job": stored.jobs.order_by("pk").first(),
    }
    return render(request, shown.template, {**shown.context, **frame})


def _report(study: Study, number: int) -> Report:
    try:
        return (
            study.reports.select_related("created_by", "study")
            .defer("input", "people")
            .annotate(input_size=Length("input"))
            .get(kind=RESULTS, number=number)
        )
    except Report.DoesNotExist:
        raise Http404("no such report") from None


def _shown(request: ConsoleRequest, study: Study, report: Report, page: str) -> Shown:
    """Return the contents of the report page, as defined by the task type. By default, the page contains all figures.

    The frame is empty if the report has no judgements.
    """
    empty = not report.result.get("judgements")
    if not empty:
        task = tasktypes.get(study.task_type)
        shown = task.reports.show(study, report, page, request.GET.dict())
        if shown is not None:
            return shown
    if page:
        raise Http404("no such page of a report")
    return Shown("console/report.html", {}) if empty else plain_report(study, report)


@study_page()
@require_safe
def compare(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    """Show the main figures of a report next to those of another report of the same task type, with the older report
    first.

    The parameter `with` names the other report, as the public ID of its study, a hyphen and its number.
    """
    stored = _report(study, number)
    others = comparable_reports(request.user, stored)
    public_id, _, other_number = request.GET.get("with", "").rpartition("-")
    other = None
    if public_id:
        if not (other_number.isascii() and other_number.isdigit() and len(other_number) < DIGITS):
            raise Http404("no such report")
        other = (
            others.defer(None).defer("input", "people").filter(study__public_id=public_id, number=other_number).first()
        )
        if other is None:
            raise Http404("no such report")
    older, newer = in_order_of_time(stored, other or stored)
    context = {
        "study": study,
        "report": stored,
        "other": other,
        "others": others[:MOST_REPORTS],
        "number_of_others": others.count(),
        "most_reports": MOST_REPORTS,
        "older": older,
        "newer": newer,
        "tables": compare_reports(older, newer) if other else [],
    }
    return render(request, "console/compare.html", context)
