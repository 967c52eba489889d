"""The overview of a study (/console/<study>/), which shows progress, reliability and the to-do list."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate import tasktypes
from annotate.console.pages.charts import gold_chart, headline_chart, hours_chart, judgements_chart
from annotate.console.selectors import overview as selected
from annotate.console.selectors.todo import Todo
from annotate.console.services import current_todo
from annotate.core.permissions import Action
from annotate.core.selectors.counts import hours
from annotate.core.selectors.pace import pace_of, why_no_end
from annotate.core.selectors.pilot import pilot_of
from annotate.core.selectors.progress import Progress, excluded_pilot, judgements_per_question, progress_of
from annotate.core.services.jobs import request_job
from annotate.models import Study
from annotate.results.selectors.reports import Snapshot, snapshots
from annotate.server import clock
from annotate.studies.selectors import target_of
from annotate.studies.services.settings import change_settings
from annotate.tasktypes import PROGRESS, RESULTS, extensions
from annotate.web.pages.access import ConsoleRequest, study_page
from annotate.web.pages.charts import forecast_sentence
from annotate.web.pages.figures import Figure

from .overview_figures import Outlook, gold_figure, judgements_figure, reliability_figure, spent_figure
from .setup import setup_page
from .target import target_panel

HISTORY = 10  # earlier values behind the main figure


@study_page()
@require_safe
def overview(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the overview page, or the page Set up for a draft. A request from htmx returns only the part with figures,
    or status 204 if nothing has changed.
    """
    if study.is_draft:
        return setup_page(request, study)
    if not request.htmx:  # type: ignore[attr-defined]
        around = {
            "per_question": judgements_per_question(study) or study.judgements,
        }
        return render(request, "console/overview.html", _context(request, study) | around)
    progress, reports = progress_of(study), snapshots(study)
    if request.GET.get("seen") == _signature(study, progress, reports):
        return HttpResponse(status=204)
    return render(request, "console/overview_live.html", _context(request, study, progress, reports))


@study_page(Action.CHANGE_SETTINGS)
@require_POST
def end_pilot(request: ConsoleRequest, study: Study) -> HttpResponse:
    """End the pilot, so that annotators can claim all HITs."""
    change_settings(study.pk, user=request.user, piloting=False)
    messages.success(request, "The pilot has ended. Annotators can now claim any HIT in the study.")
    return redirect(request.console.home)


@study_page(Action.CALCULATE_REPORTS)
@require_POST
def compute_progress(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Start the calculation of a progress report now instead of waiting for more judgements."""
    request_job(study, "report:progress", user=request.user)
    return redirect(request.console.home)


def _context(
    request: ConsoleRequest, study: Study, progress: Progress | None = None, reports: list[Snapshot] | None = None
) -> dict[str, object]:
    progress, reports = progress or progress_of(study), snapshots(study) if reports is None else reports
    affordable = progress.spend.affordable(study.reward)
    worked, pilot = hours(study), pilot_of(study)
    todo = _by_name(current_todo(study, progress, pilot), request.console.names)
    pace = pace_of(study, worked, progress.slots - progress.done, pilot)
    all_affordable = affordable is None or affordable >= progress.slots_open
    in_scores = progress.judgements - excluded_pilot(study)
    # A forecast for all remaining assignments would be wrong if the budget cap ended the study early.
    finish = pace.finish if all_affordable else None
    unfinished = study.is_open and progress.slots > progress.done
    why = why_no_end(study, pace, worked, affordable=all_affordable) if unfinished else ""
    target = target_panel(study, target_of(study, reports, in_scores))
    figures = [
        judgements_figure(progress, Outlook(pace, finish, why, of_pilot=pilot is not None)),
        *([spent_figure(study, progress)] if study.reward or progress.spend.spent else []),
        *_main_figure(request, study, progress, reports, in_scores, has_target=target is not None),
        gold_figure(study, progress),
    ]
    return {
        "study": study,
        "task": tasktypes.get(study.task_type),
        "progress": progress,
        "pilot": pilot,
        "figures": figures,
        "history": [(each, each.headline.text) for each in reversed(reports) if each.kind == RESULTS][:HISTORY],
        "target": target,
        "charts": {
            "judgements": judgements_chart(selected.judgements_over_time(study, worked), progress.wanted),
            "headline": headline_chart(reports),
            "hours": hours_chart(pace.by_hour),
            "gold": gold_chart(study, selected.gold_over_time(study, worked)),
        },
        "parts": extensions.overview_parts(study, progress, worked, None if pilot else finish),
        "todo": todo,
        # Whether work remains before a finished study can be closed. The entry about closing does not count as work.
        "waits": any(entry.level != "info" and not entry.key.startswith(("complete:", "target:")) for entry in todo),
        "signature": _signature(study, progress, reports),
    }


def _by_name(entries: Sequence[Todo], names: Mapping[str, str]) -> list[Todo]:
    """Return the entries with the names of named annotators instead of their pseudonyms."""
    if not names:
        return list(entries)
    known = re.compile("|".join(rf"\b{re.escape(pseudonym)}\b" for pseudonym in names))

    def named(text: str) -> str:
        return known.sub(lambda found: names[found[0]], text)

    return [replace(entry, title=named(entry.title), detail=named(entry.detail)) for entry in entries]


def _main_figure(
    request: ConsoleRequest,
    study: Study,
    progress: Progress,
    reports: list[Snapshot],
    in_scores: int,
    *,
    has_target: bool,
) -> list[Figure]:
    """Return the figure of the latest report, or an empty list if the task type has no main figure."""
    task, latest = tasktypes.get(study.task_type), reports[-1] if reports else None
    name = latest.headline.name if latest else task.reports.headline
    if not name:
        return []
    planned = max(0, progress.wanted - progress.judgements)
    figure = reliability_figure(
        name,
        latest,
        judgements=progress.judgements,
        behind=latest is not None and latest.judgements != in_scores,
        forecast=forecast_sentence(latest.headline, latest.judgements, planned) if latest else "",
        has_target=has_target,
        usual_targets=[figure.usual for figure in task.reports.targets],
        may_calculate=PROGRESS in task.reports.kinds and request.console.may[Action.CALCULATE_REPORTS],
    )
    return [figure]


def _signature(study: Study, progress: Progress, reports: list[Snapshot]) -> str:
    """Return a hash that changes with the contents of the overview page. It also changes every hour, because the
    forecast depends on the time.
    """
    events = study.events.order_by("-pk").values_list("pk", flat=True).first()
    jobs = list(study.jobs.filter(state__in=["waiting", "running", "failed"]).values_list("pk", "state"))
    seen = f"{study.state} {progress} {len(reports)} {events} {jobs} {study.target_missing} {clock.now():%d %H}"
    return hashlib.sha256(seen.encode()).hexdigest()[:16]
