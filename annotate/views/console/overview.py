"""The overview of a study (/console/<study>/), which shows progress, reliability and matters that need attention."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from decimal import Decimal

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import Truncator
from django.views.decorators.http import require_POST, require_safe

from annotate import clock, tasktypes
from annotate.models import Remark, Study
from annotate.permissions import Action
from annotate.selectors import overview as selected
from annotate.selectors.annotators import needing_a_look
from annotate.selectors.counts import hours
from annotate.selectors.messages import unanswered_messages
from annotate.selectors.pace import pace_of
from annotate.selectors.pilot import Pilot, pilot_of
from annotate.selectors.progress import Progress, excluded_pilot, progress_of
from annotate.selectors.reports import People, Snapshot, people, snapshots
from annotate.services.jobs import request_job
from annotate.services.study import change_settings, missing_before_opening
from annotate.setting_steps import setting_place
from annotate.templatetags.figures import count, money, percent, seconds
from annotate.templatetags.jobs import job_name

from .access import ConsoleRequest, join_url, study_page
from .charts import forecast_sentence, gold_chart, headline_chart, hours_chart, judgements_chart
from .steps import steps_to_opening

SHOWN_PER_KIND = 3  # of the notices of each kind; all others are summarized on one line


@dataclass(frozen=True)
class Need:
    """A notice about a matter that needs attention: its level (bad, warn or info), title, explanation and links."""

    level: str
    title: str
    detail: str
    links: list[tuple[str, str]] = field(default_factory=list)


@study_page()
@require_safe
def overview(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the page. htmx gets only the part with figures, or status 204 if nothing has changed."""
    if not request.htmx:  # type: ignore[attr-defined]
        around: dict[str, object] = {"join_url": join_url(request, study)}
        if study.is_draft:
            around["steps"] = steps_to_opening(study, request.console.home)
        return render(request, "console/overview.html", _context(study) | around)
    progress, reports = progress_of(study), snapshots(study)
    if request.GET.get("seen") == _signature(study, progress, reports):
        return HttpResponse(status=204)
    return render(request, "console/overview_live.html", _context(study, progress, reports))


@study_page(Action.CHANGE_SETTINGS)
@require_POST
def end_pilot(request: ConsoleRequest, study: Study) -> HttpResponse:
    """End the pilot, so that annotators can claim all HITs."""
    change_settings(study.pk, user=request.user, piloting=False)
    messages.success(request, "The pilot has ended. Annotators can now claim all HITs of the study.")
    return redirect(request.console.home)


@study_page(Action.CALCULATE_REPORTS)
@require_POST
def compute_progress(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Start the calculation of a progress report now instead of waiting for more judgements."""
    request_job(study, "report:progress", user=request.user)
    return redirect(request.console.home)


def _context(
    study: Study, progress: Progress | None = None, reports: list[Snapshot] | None = None
) -> dict[str, object]:
    progress, reports = progress or progress_of(study), snapshots(study) if reports is None else reports
    with_figures = [report for report in reports if report.headline.low is not None]
    latest = with_figures[-1] if with_figures else None
    # The total cost can only be estimated, because stopped annotators keep their credit while other annotators are paid
    # for the same slots.
    spend, offered = progress.spend, progress.slots_open
    affordable = spend.affordable(study.reward)
    forecast_cost = spend.committed + study.reward * (offered if affordable is None else min(offered, affordable))
    task = tasktypes.get(study.task_type)
    worked, pilot = hours(study), pilot_of(study)
    pace = pace_of(study, worked, progress.slots - progress.done, pilot)
    in_scores = progress.judgements - excluded_pilot(study)
    return {
        "study": study,
        "task": task,
        "progress": progress,
        "forecast_cost": forecast_cost,
        "spend": spend,
        "affordable": affordable,
        "pilot": pilot,
        "pace": pace,
        # The budget cap ends the study before a forecast of the remaining assignments.
        "finish": pace.finish if affordable is None or affordable >= offered else None,
        "wage": progress.wage,
        "shares": {
            "judgements": _share(progress.judgements, progress.wanted),
            "spent": _share(spend.spent, forecast_cost),
            "cap": None if spend.cap is None else _share(spend.committed, spend.cap),
            "gold": _share(progress.gold_right, progress.gold_given),
            "headline": _filled(latest.headline.high) if latest else None,
            "target": _filled(latest.headline.target) if latest else None,
        },
        "gold_share": progress.gold_right / progress.gold_given if progress.gold_given else None,
        "threshold": float(study.rule_threshold),
        "latest": latest,
        "headline": latest.headline if latest else None,
        "headline_name": latest.headline.name if latest else task.reports.headline,
        "forecast": forecast_sentence(latest.headline, latest.judgements) if latest else None,
        "behind": latest is not None and latest.judgements != in_scores,
        "has_progress": "progress" in task.reports.kinds,
        "planned": max(0, progress.wanted - progress.judgements),
        "charts": {
            "judgements": judgements_chart(selected.judgements_over_time(study, worked), progress.wanted),
            "headline": headline_chart(reports),
            "hours": hours_chart(pace.by_hour),
            "gold": gold_chart(selected.gold_over_time(study, worked), float(study.rule_threshold)),
        },
        "needs": needs(study, people(study), progress, pilot),
        "signature": _signature(study, progress, reports),
    }


def needs(study: Study, figures: People, progress: Progress, pilot: Pilot | None) -> list[Need]:
    """Return notices about everything that currently needs attention, most urgent first."""
    home = f"{reverse('console:studies')}{study.public_id}/"
    return sorted(
        [
            *_failed(study, home),
            *_design(study, home),
            *_pilot(pilot, home),
            *_budget(study, progress, home),
            *_wage(study, progress, home),
            *_objections(study, home),
            *_missed(study, home),
            *_disputed(study, home),
            *_flagged(study, figures, home),
            *_stopped(study, home),
        ],
        key=lambda need: ("bad", "warn", "info").index(need.level),
    )


def _failed(study: Study, home: str) -> list[Need]:
    return [
        Need("bad", f"The job “{job_name(job.kind)}” failed", job.error, [("View jobs", f"{home}jobs/")])
        for job in selected.failed_jobs(study)
    ]


def _design(study: Study, home: str) -> list[Need]:
    stale = missing_before_opening(study).get("design") if study.design_id and study.is_draft else None
    return [Need("bad", "The design is out of date", stale, [("Build it again", f"{home}design/")])] if stale else []


def _pilot(pilot: Pilot | None, home: str) -> list[Need]:
    if pilot is None or not pilot.complete:
        return []
    detail = (
        "Annotators get no more HITs until the pilot ends. Check the results. Then end the pilot, or close the study "
        "and start over with a copy that has different settings."
    )
    links = [("View the results", f"{home}results/"), ("Copy the study", f"{home}settings/")]
    return [Need("warn", "The pilot is complete", detail, links)]


def _budget(study: Study, progress: Progress, home: str) -> list[Need]:
    """Return a notice if the budget cap prevents annotators of an open study from claiming available assignments."""
    spend, currency = progress.spend, study.currency
    if not (study.is_open and progress.slots_open and spend.affordable(study.reward) == 0):
        return []
    detail = (
        f"Annotators get no new HITs, although {_number(progress.slots_open, 'assignment is', 'assignments are')} "
        f"available. The study has committed {money(spend.committed, currency)} of {money(spend.cap, currency)}."
    )
    return [Need("bad", "The budget cap is reached", detail, [("Change the cap", home + setting_place("budget_cap"))])]


def _wage(study: Study, progress: Progress, home: str) -> list[Need]:
    """Return a notice if the actual hourly wage is below the minimum."""
    wage = progress.wage
    if wage is None or not wage.below_minimum:
        return []
    hourly, minimum = money(wage.hourly, study.currency), money(wage.minimum, study.currency)
    title = f"The actual hourly wage of {hourly} is below the minimum of {minimum}"
    detail = f"The median time of {count(wage.hits)} submitted HITs is {seconds(wage.seconds)}."
    links = [("Change the reward", home + setting_place("reward")), ("View the pay", f"{home}pay/")]
    return [Need("warn", title, detail, links)]


def _objections(study: Study, home: str) -> list[Need]:
    objections = list(unanswered_messages(study).filter(kind=Remark.Kind.OBJECTION))
    one_by_one = [
        Need(
            "bad",
            f"{objection.participation.pseudonym} objects to being stopped",
            f"“{Truncator(objection.text).chars(200)}”",
            [("Read and answer the objection", f"{home}messages/?show=objection#message-{objection.public_id}")],
        )
        for objection in objections[:SHOWN_PER_KIND]
    ]
    link = f"{home}messages/?show=objection"
    return one_by_one + _rest("bad", len(objections), "objections have no reply yet", link)


def _missed(study: Study, home: str) -> list[Need]:
    missed = selected.missed_gold(study)
    one_by_one = [
        Need(
            "bad",
            f"{percent(gold.missed / gold.given)} of annotators miss gold question “{gold.ref}”",
            f"{gold.missed} of {gold.given} annotators gave a different answer. The expected answer may be wrong.",
            [("View the question", f"{home}questions/{gold.public_id}/"), ("View all gold questions", f"{home}gold/")],
        )
        for gold in missed[:SHOWN_PER_KIND]
    ]
    return one_by_one + _rest("bad", len(missed), "gold questions are missed by most annotators", f"{home}gold/")


def _disputed(study: Study, home: str) -> list[Need]:
    disputed = selected.disputed_gold(study)
    one_by_one = [
        Need(
            "warn",
            f"{_number(gold.disputes, 'annotator disputes', 'annotators dispute')} gold question “{gold.ref}”",
            "Annotators disagree with the expected answer to this gold question.",
            [("Read their comments", f"{home}questions/{gold.public_id}/")],
        )
        for gold in disputed[:SHOWN_PER_KIND]
    ]
    return one_by_one + _rest("warn", len(disputed), "gold questions are disputed", f"{home}gold/")


def _flagged(study: Study, figures: People, home: str) -> list[Need]:
    rows = needing_a_look(study, figures)
    one_by_one = [
        Need(
            "warn",
            f"{', '.join(sign['title'] for sign in row.signs)}: {row.participation.pseudonym}",
            row.reasons,
            [("View the answers", f"{home}annotators/{row.participation.pseudonym}/")],
        )
        for row in rows[:SHOWN_PER_KIND]
    ]
    return one_by_one + _rest("warn", len(rows), "annotators need attention", f"{home}annotators/?show=look")


def _stopped(study: Study, home: str) -> list[Need]:
    events = selected.stopped_since(study)
    if not events:
        return []
    assignments = sum(event.detail.get("assignments", 0) for event in events)
    opened = sum(event.detail.get("opened", 0) for event in events)
    title = f"{_number(len(events), 'annotator', 'annotators')} stopped since yesterday"
    detail = (
        f"{_number(assignments, 'assignment no longer counts', 'assignments no longer count')}. "
        f"{_number(opened, 'slot is', 'slots are')} open again."
    )
    return [Need("info", title, detail, [("View the reasons", f"{home}annotators/?show=stopped")])]


def _rest(level: str, total: int, what: str, link: str) -> list[Need]:
    more = total - SHOWN_PER_KIND
    return [Need(level, f"{more} more {what}", "", [("View all", link)])] if more > 0 else []


def _number(number: int, one: str, many: str) -> str:
    return f"{count(number)} {one if number == 1 else many}"


def _share(part: int | Decimal, whole: int | Decimal) -> float:
    """Return `part` as a percentage of `whole`, limited to 100."""
    return min(100.0, round(100 * float(part) / float(whole), 2)) if whole else 0.0


def _filled(figure: float | None) -> float | None:
    """Return a figure of at most 1 as a percentage for a meter. If the figure is negative, the meter is empty."""
    return None if figure is None else min(100.0, max(0.0, round(100 * figure, 2)))


def _signature(study: Study, progress: Progress, reports: list[Snapshot]) -> str:
    """Return a hash that changes whenever the contents of the overview page change, and every hour, because the
    forecast depends on the time.
    """
    events = study.events.order_by("-pk").values_list("pk", flat=True).first()
    jobs = list(study.jobs.filter(state__in=["waiting", "running", "failed"]).values_list("pk", "state"))
    seen = f"{study.state} {progress} {len(reports)} {events} {jobs} {clock.now():%d %H}"
    return hashlib.sha256(seen.encode()).hexdigest()[:16]
