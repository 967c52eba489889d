"""The pages on which annotators join a study, work, or continue on another device. The work page saves answers through
the API.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import cache

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate import tasktypes
from annotate.annotator.pages.screening import person_of_link, screening_of_link, screening_result
from annotate.core.selectors.assignments import present
from annotate.core.selectors.limits import first_hit_limit, in_time_zone, joining_ends_at
from annotate.core.selectors.participations import credited, current_consent, takes_part
from annotate.core.selectors.put_aside import put_aside_left
from annotate.core.services.claim import claim
from annotate.core.services.credentials import participation_token, reserve_participation, reserved_participation
from annotate.core.services.limits import too_late
from annotate.core.services.networks import note_network
from annotate.models import Annotator, Assignment, Participation, Study
from annotate.prolific.pages.arrival import arrival_of, arrive_again, before_joining, follow_token, hidden_fields
from annotate.prolific.services.submissions import Arrival, join_from_prolific
from annotate.recruiting.pages.survey import asks_first
from annotate.recruiting.pages.waiting_place import place_of
from annotate.recruiting.services import join as joining
from annotate.recruiting.services.listed import OnList, note_match
from annotate.server.addresses import client_network
from annotate.server.languages import show_in
from annotate.server.refusals import Refused
from annotate.web.pages.flood import limit_joining
from annotate.web.pages.remembered import (
    assignment_or_404,
    for_annotators,
    forget,
    participation_or_404,
    remember,
    remembered,
    remembered_as,
)

from .codes import resume_url
from .consenting import accepted_consent

ENDED = (Assignment.State.DONE, Assignment.State.SURPLUS, Assignment.State.VOID)


@for_annotators
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page that the study's link opens, with the task, the pay and the consent form. On a POST request, the
    annotator joins the study.
    """
    study = get_object_or_404(Study, join_token=token)
    show_in(study.language)
    try:
        if page := follow_token(request, study):
            return page
        arrival = arrival_of(request, study)
        if participation := _own(request, study, arrival):
            return arrive_again(request, participation, arrival)
        if page := before_joining(request, study, arrival):
            return page
    except Refused as refused:
        return _join_page(request, study, Arrival(), refused)
    wants_account = study.admission == Study.Admission.ACCOUNT
    if wants_account and not request.user.is_authenticated and study.is_open:
        return redirect_to_login(request.get_full_path())
    if page := screening_of_link(request, study, arrival.screened_id):
        return page
    refusal = None
    if request.method == "POST":
        try:
            return take_part(request, study, lambda: _joined(request, study, arrival))
        except Refused as refused:
            refusal = refused
    return _join_page(request, study, arrival, refusal)


@for_annotators
@require_POST
def start(request: HttpRequest, study_id: str) -> HttpResponse:
    """Claim an assignment and open its page. If no assignment is available, show the overview page, which states the
    reason.
    """
    participation = participation_or_404(request, study_id)
    if asks_first(participation):
        return redirect("annotator:survey", study_id)
    try:
        claimed = claim(participation.pk)
    except Refused:  # the consent text has changed, and the overview links to it
        return redirect("annotator:hub", study_id)
    if claimed.assignment is None:
        return redirect("annotator:hub", study_id)
    return redirect("annotator:work", claimed.assignment.public_id)


@for_annotators
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def not_me(request: HttpRequest, study_id: str) -> HttpResponse:
    """Let the next person on a shared device start as a new annotator. The previous annotator can continue only with a
    resume code.
    """
    participation = participation_or_404(request, study_id)
    study = participation.study
    if request.method == "POST":
        return forget(request, redirect("annotator:join", study.join_token), participation)
    context = {"study": study, "participation": participation}
    return render(request, "annotator/not_me.html", context)


@for_annotators
@never_cache
@require_safe
def work(request: HttpRequest, assignment_id: str) -> HttpResponse:
    """Show the page on which the annotator answers questions."""
    assignment = assignment_or_404(request, assignment_id)
    study = assignment.study
    unread = assignment.answers.filter(tally__isnull=False, acknowledged_at=None)
    if assignment.state in ENDED and not unread.exists():
        return redirect("annotator:hub", study.public_id)
    context = {
        "study": study,
        "participation": assignment.participation,
        "assignment": present(assignment),
        "token": participation_token(assignment.participation),
        "api": reverse("api:docs"),
        "hub": reverse("annotator:hub", args=[study.public_id]),
        "work": reverse("annotator:work", args=["ASSIGNMENT"]),
        "changes": reverse("annotator:hub", args=[study.public_id]),
        "earned": credited(assignment.participation),
        "put_aside_left": put_aside_left(assignment.participation),
        "owner": f"{study.public_id}:{assignment.participation.pseudonym}",
        "resume_url": resume_url(request),
        "task_styles": tasktypes.styles_of(study.task_type),
        "task_strings": f"{study.task_type}/strings.html",
        "task_keys": f"{study.task_type}/keys.html",
        "task_gestures": [f"{study.task_type}/gestures.html", "annotator/gestures.html"],
    }
    return remember(request, render(request, "annotator/work.html", context), assignment.participation)


@never_cache
@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker. The URL of the service worker limits its scope to the work pages."""
    return HttpResponse(_worker_source(), content_type="text/javascript; charset=utf-8")


@cache
def _worker_source() -> str:
    return (settings.SHARED_DIR / "static" / "js" / "annotate" / "worker.js").read_text(encoding="utf-8")


def _own(request: HttpRequest, study: Study, arrival: Arrival) -> Participation | None:
    """Return the participation for the Prolific ID in the link. If the link has no ID, return this browser's last
    participation.
    """
    if arrival.participant:
        return remembered_as(request, study, platform=Annotator.Platform.PROLIFIC, external_id=arrival.participant)
    return remembered(request, study)


def _join_page(request: HttpRequest, study: Study, arrival: Arrival, refusal: Refused | None) -> HttpResponse:
    person = arrival.participant
    takes_part_elsewhere = person != "" and takes_part(study, Annotator.Platform.PROLIFIC, person)
    needs_prolific = study.recruitment == Study.Recruitment.PROLIFIC and not person
    needs_personal_link = study.admission == Study.Admission.NAMED
    late = too_late(study, place_of(request)) if study.is_open else None
    context = facts_about(study) | {
        "consent": current_consent(study),
        "too_late": late,
        "can_wait": late is not None and late.code == "full" and study.waiting_list,
        "can_mail": bool(settings.EMAIL_HOST),
        "prolific": hidden_fields(arrival),
        "reservation": reserve_participation(study),
        "known": takes_part_elsewhere,
        "needs_prolific": needs_prolific,
        "needs_personal_link": needs_personal_link,
        "may_join": study.is_open and not (takes_part_elsewhere or needs_prolific or needs_personal_link or late),
        "refusal": None if takes_part_elsewhere else refusal,
    }
    return render(request, "annotator/join.html", context, status=refusal.status if refusal else 200)


def take_part(request: HttpRequest, study: Study, join: Callable[[], Participation]) -> HttpResponse:
    """Join and record consent. The view creates a participation only if the annotator has given valid consent."""
    consent = accepted_consent(request, study)
    limit_joining(request, study)
    try:
        participation = join()
    except OnList as refused:
        note_match(refused)
        raise
    joining.accept_consent(
        participation.pk, consent.pk if consent else None, eligible=bool(request.POST.get("eligible"))
    )
    participation.refresh_from_db(fields=["consented_at"])
    note_network(participation, client_network(request))
    return remember(request, redirect("annotator:hub", study.public_id), participation)


def _joined(request: HttpRequest, study: Study, arrival: Arrival) -> Participation:
    reserved = reserved_participation(study, request.POST.get("reservation", ""))
    result = screening_result(request, study, person_of_link(request, study, arrival.screened_id))
    if study.recruitment == Study.Recruitment.PROLIFIC:
        if not arrival.participant:
            raise Refused("prolific-id", _("Open this study from its Prolific page."), status=403)
        return join_from_prolific(study, arrival, public_id=reserved, screening=result)
    if study.admission == Study.Admission.ACCOUNT and request.user.is_authenticated:
        return joining.join(
            study,
            platform=Annotator.Platform.ACCOUNT,
            external_id=str(request.user.pk),
            contact=request.user.email,
            public_id=reserved,
            screening=result,
            waiting=place_of(request),
        )
    return joining.join(
        study,
        platform=Annotator.Platform.WEB,
        public_id=reserved,
        screening=result,
        waiting=place_of(request),
    )


def facts_about(study: Study) -> dict[str, object]:
    """Return the study information that the join page shows."""
    gold = -(-study.questions_per_hit // study.gold_block) if study.gold_block else 0
    minutes = None
    if study.reward and study.planned_hourly_wage:
        minutes = (study.reward / study.planned_hourly_wage * 60).quantize(Decimal("0.1")).normalize()
    return {
        "study": study,
        "questions": study.questions_per_hit + gold,
        "minutes": minutes,
        "limit": first_hit_limit(study),
        "joining_ends": in_time_zone(study, joining_ends_at(study)),
        "claiming_ends": in_time_zone(study, study.claiming_ends_at),
    }
