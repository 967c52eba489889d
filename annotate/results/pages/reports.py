"""Pages about results: calculating and showing reports, and their files.

The page of a report is a frame around the part of the task type. The frame shows when the report was created, its input
and its files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models.functions import Length
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.selectors.jobs import jobs_with_reports
from annotate.core.selectors.progress import judgements_counted
from annotate.core.services.jobs import request_job
from annotate.models import Job, Report, Study
from annotate.questions.selectors.decisions import decisions_since
from annotate.questions.selectors.error_sample import error_sample
from annotate.results.selectors.by_group import tables_by_group
from annotate.results.selectors.comparison import MOST_REPORTS, comparable_reports, in_order_of_time
from annotate.results.selectors.comparison import compare as compare_reports
from annotate.results.selectors.files import main_file, report_files, sizes
from annotate.results.selectors.reports import SIMULATED, headlines, results_reports
from annotate.server.refusals import or_404
from annotate.tasktypes import RESULTS, Headline, Shown
from annotate.templatetags.figures import count, with_noun
from annotate.web.pages.access import ConsoleRequest, study_page
from annotate.web.pages.charts import forecast_sentence, people_chart
from annotate.web.pages.figures import Figure, main_figure


@dataclass(frozen=True)
class File:
    """An entry in a list of downloads. `href` is empty if the file depends on results that have not been calculated.
    `size` is in bytes. If `estimated` is true, the size is an estimate. `group` is one of `FILE_GROUPS`. A list does
    not link an `empty` file.
    """

    name: str
    description: str
    note: str
    href: str
    size: int | None = None
    estimated: bool = False
    group: str = ""
    empty: bool = False


def files_of(study: Study, report: Report) -> list[File]:
    """Return a report's downloadable files with their sizes."""
    home = f"{reverse('console:studies')}{study.public_id}/results/{report.number}/files/"
    files = report_files(study, report)
    known = sizes(files, report, getattr(report, "input_size", None))
    return [File(file.name, file.description, file.note, home + file.name, known.get(file.name)) for file in files]


ROWS = 50  # shown per table on the page; report.json contains all rows
FRAMED = {"headline", "people", "judgements", "annotators", "repeats"}  # shown in their own parts of the page


@dataclass(frozen=True)
class PlainTable:
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    all: int


def plain_report(study: Study, report: Report) -> Shown:
    result = report.result
    headline = Headline.from_json(result["headline"]) if result.get("headline") else None
    figures, tables = figures_and_tables({name: part for name, part in result.items() if name not in FRAMED})
    return Shown(
        "results/report_plain.html",
        {
            "first_figures": _first_figures(report, headline),
            "figures": figures,
            "tables": tables,
            "people": people_chart(study, result),
        },
    )


def _first_figures(report: Report, headline: Headline | None) -> list[Figure]:
    judgements = Figure("Judgements", count(report.result["judgements"]), explanation="judgements")
    if headline is None:
        return [judgements]
    return [main_figure(headline, report, forecast_sentence(headline, report.result["judgements"])), judgements]


def figures_and_tables(result: Mapping[str, Any], above: str = "") -> tuple[list[tuple[str, str]], list[PlainTable]]:
    """Return the name and value of every figure, including nested figures, and a table for every list.

    The names include the names of the parts that contain a figure.
    """
    figures: list[tuple[str, str]] = []
    tables: list[PlainTable] = []
    for name, part in result.items():
        title = f"{above}, {_words(name)}" if above else _words(name).capitalize()
        if isinstance(part, Mapping):
            deeper = figures_and_tables(part, title)
            figures += deeper[0]
            tables += deeper[1]
        elif isinstance(part, list):
            tables.append(_table(title, part))
        else:
            figures.append((title, _printed(part)))
    return figures, tables


def _table(title: str, entries: list[Any]) -> PlainTable:
    shown = entries[:ROWS]
    if all(isinstance(entry, Mapping) for entry in entries):
        names = list(dict.fromkeys(name for entry in entries for name in entry))
        rows = [[_printed(entry.get(name)) for name in names] for entry in shown]
        return PlainTable(title, [_words(name) for name in names], rows, len(entries))
    return PlainTable(title, ["value"], [[_printed(entry)] for entry in shown], len(entries))


def _words(name: Any) -> str:
    return str(name).replace("_", " ")


def _printed(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


HISTORY = 10  # earlier values behind the main figure
DIGITS = 9  # in the number of a report


@study_page()
@require_safe
def results(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Redirect to the newest report. Before the first report, during a calculation and after a failure, show the list
    of reports with the job instead.
    """
    job = jobs_with_reports(study).filter(kind="report-results").first()
    newest = results_reports(study).values_list("number", flat=True).first()
    if newest is None or (job and (job.unfinished or job.state == "failed")):
        return _reports(request, study, job)
    if request.headers.get("HX-Request"):  # the job on this page has ended
        return HttpResponse(headers={"HX-Redirect": reverse("console:report", args=[study.public_id, newest])})
    return redirect("console:report", study.public_id, newest)


@study_page()
@require_safe
def reports(request: ConsoleRequest, study: Study) -> HttpResponse:
    return _reports(request, study)


def _reports(request: ConsoleRequest, study: Study, job: Job | None = None) -> HttpResponse:
    task = tasktypes.get(study.task_type)
    reports = [
        (report, Headline.from_json(report.headline) if report.headline else None) for report in results_reports(study)
    ]
    names = [headline.name for _, headline in reports if headline]
    context = {
        "study": study,
        "reports": reports,
        "headline_name": names[0] if names else task.reports.headline,
        "job": job,
        "counted": judgements_counted(study, in_scores=True),
        "can_compute": RESULTS in task.reports.kinds,
    }
    return render(request, "results/results.html", context)


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
    shown = contents_of(study, stored, page, request.GET.dict())
    files = files_of(study, stored)
    sizes = [file.size for file in files if file.size is not None]
    frame = {
        "study": study,
        "report": stored,
        "result": stored.result,
        "simulated": stored.parameters.get(SIMULATED, 0),
        "files": files,
        "main_file": files[0] if main_file(study, stored) else None,
        "files_size": sum(sizes) if len(sizes) == len(files) else None,
        "job": stored.jobs.order_by("pk").first(),
    }
    if repeats := stored.result.get("repeats"):
        frame["repeats_after"] = _time_between(repeats["median_days"])
    if not page:
        frame["tables_by_group"] = tables_by_group(stored)
        frame["history"] = headlines(study, HISTORY)
        frame["sample"] = error_sample(study, of_report=stored)
        frame["counted_now"] = judgements_counted(study, in_scores=True)
        if tasktypes.get(study.task_type).decisions_count:
            frame["decisions_since"] = decisions_since(study, stored.created_at)
    return render(request, shown.template, {**shown.context, **frame})


def _time_between(days: float) -> str:
    if days >= 1:
        return with_noun(round(days), "day")
    hours = 24 * days
    return with_noun(round(hours), "hour") if hours >= 1 else with_noun(round(60 * hours), "minute")


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


def contents_of(study: Study, report: Report, page: str = "", query: Mapping[str, str] | None = None) -> Shown:
    """Return the contents of the report page, as defined by the task type. By default, the page contains all figures.

    The frame is empty if the report has no judgements.
    """
    empty = not report.result.get("judgements")
    if not empty:
        task = tasktypes.get(study.task_type)
        shown = task.reports.show(study, report, page, query or {})
        if shown is not None:
            return shown
    if page:
        raise Http404("no such page of a report")
    return Shown("results/report.html", {}) if empty else plain_report(study, report)


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
        other = or_404(
            others.defer(None).defer("input", "people").filter(study__public_id=public_id, number=other_number).first(),
            "no such report",
        )
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
    return render(request, "results/compare.html", context)
