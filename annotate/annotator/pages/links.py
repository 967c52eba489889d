"""The pages that the study's link, a personal link and a group link open. People can also enter a group code on the
page of the study's link.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotate.annotator.pages.consenting import accepted_consent
from annotate.annotator.pages.facts import facts_about
from annotate.annotator.pages.screening import (
    group_by_answers,
    person_of_link,
    screening_of_link,
    screening_page,
    screening_result,
)
from annotate.annotator.pages.work import next_page
from annotate.core.selectors.free_sets import has_free_set
from annotate.core.selectors.participations import current_consent, takes_part
from annotate.core.selectors.quotas import is_in_quota
from annotate.core.services.credentials import PERSONAL_LINKS, reserve_participation, reserved_participation
from annotate.core.services.limits import too_late
from annotate.core.services.networks import note_network
from annotate.models import Annotator, AnnotatorGroup, NamedAnnotator, Outcome, Participation, Study
from annotate.prolific.pages.arrival import (
    arrival_of,
    arrive_again,
    before_joining,
    follow_token,
    hidden_fields,
    outcome_page,
)
from annotate.prolific.services.submissions import Arrival, join_from_prolific
from annotate.recruiting.pages.waiting_place import place_of
from annotate.recruiting.panels import invalid_id
from annotate.recruiting.selectors import groups_by_screening, hits_each, places_taken_in
from annotate.recruiting.services import join as joining
from annotate.recruiting.services.groups import group_refusal, group_with
from annotate.recruiting.services.listed import OnList, note_match
from annotate.recruiting.services.named import join_by_link
from annotate.server.addresses import client_network
from annotate.server.languages import show_in
from annotate.server.refusals import Refused
from annotate.web.pages.flood import limit_group_codes, limit_joining
from annotate.web.pages.remembered import for_annotators, remember, remembered, remembered_as


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
        return _open_page(request, study, Arrival(), refused)
    if page := _sign_in(request, study) or screening_of_link(request, study, arrival.screened_id, arrival.group):
        return page
    try:
        of_link = _group(request, study, arrival.group) if arrival.group else None
    except Refused as refused:
        more = {"may_join": False, "needs_group": True, "platform_fields": hidden_fields(arrival)}
        return _page(request, study, refused, more)
    if page := _full_group_page(request, study, arrival, of_link):
        return page
    return _join_or(
        request,
        study,
        lambda: _joined(request, study, arrival, of_link),
        lambda refusal: _open_page(request, study, arrival, refusal),
    )


@for_annotators
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def personal(request: HttpRequest, token: str) -> HttpResponse:
    """Let a named annotator join the study, or continue on this device. Only a POST request changes data, so link
    previews have no effect.
    """
    people = NamedAnnotator.objects.select_related("study", "participation", "group").exclude(name="")
    named = get_object_or_404(people, public_id=PERSONAL_LINKS.read(token))
    study, participation = named.study, named.participation
    show_in(study.language)
    if participation:
        if request.method == "POST" or remembered(request, study) == participation:
            return remember(request, redirect("annotator:hub", study.public_id), participation)
        return render(request, "annotator/personal_link.html", {"study": study, "participation": participation})
    if not is_in_quota(study, named.group):
        return _outside_quotas(request, study, named.group, named)
    if study.is_open and (page := screening_page(request, study, named.public_id)):
        return page

    def join() -> Participation:
        result = screening_result(request, study, named.public_id)
        return join_by_link(named.pk, public_id=_reserved(request, study), screening=result)

    return _join_or(request, study, join, lambda refusal: _page(request, study, refusal, {"can_wait": False}, named))


@for_annotators
@require_POST
def enter(request: HttpRequest, token: str) -> HttpResponse:
    """Open the link for the group whose code a person has entered on the join page."""
    study = get_object_or_404(Study, join_token=token)
    code = request.POST.get("code", "").strip()
    return redirect("annotator:group", study.join_token, code[:40].replace("/", "-") or "-")


@for_annotators
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def group(request: HttpRequest, token: str, code: str) -> HttpResponse:
    """Show the study's join page to people who have a group link. On a POST request, the annotator joins the study and
    the group.
    """
    study = get_object_or_404(Study.objects.filter(recruitment=Study.Recruitment.LINKS), join_token=token)
    show_in(study.language)
    if participation := remembered(request, study):
        return remember(request, redirect("annotator:hub", study.public_id), participation)
    try:
        chosen = _group(request, study, code)
    except Refused as refused:
        return _page(request, study, refused, {"asks_group": True, "may_join": False})
    if not is_in_quota(study, chosen):
        return _outside_quotas(request, study, chosen)
    if page := _sign_in(request, study):
        return page
    can_join = study.is_open and not too_late(study) and not group_refusal(chosen)
    if can_join and (page := screening_page(request, study, person_of_link(request, study, ""))):
        return page
    return _join_or(
        request,
        study,
        lambda: _joined(request, study, Arrival(), chosen),
        lambda refusal: _group_page(request, study, chosen, refusal or group_refusal(chosen)),
    )


def _full_group_page(
    request: HttpRequest, study: Study, arrival: Arrival, of_link: AnnotatorGroup | None
) -> HttpResponse | None:
    """Return the page for a person whose group gets no further questions, or None. The group comes from the link or
    from the answers in the screening.
    """
    group = of_link or group_by_answers(request, study, person_of_link(request, study, arrival.screened_id))
    if not study.is_open or group is None:
        return None
    is_full = group.places is not None and places_taken_in(group) >= group.places
    if is_in_quota(study, group) and not is_full and has_free_set(study, None, group):
        return None
    if study.recruitment == Study.Recruitment.PROLIFIC:
        return outcome_page(request, study, Outcome.SCREENED_OUT, ending=joining.quota_sentence(group))
    return _outside_quotas(request, study, group)


def _sign_in(request: HttpRequest, study: Study) -> HttpResponse | None:
    """Return the redirect to the sign-in page for a study that needs an account, or None."""
    needs_account = study.admission == Study.Admission.ACCOUNT and not request.user.is_authenticated
    return redirect_to_login(request.get_full_path()) if needs_account and study.is_open else None


def _own(request: HttpRequest, study: Study, arrival: Arrival) -> Participation | None:
    """Return the participation for the platform ID in the link. If the link has no ID, return this browser's last
    participation.
    """
    if arrival.participant:
        return remembered_as(request, study, platform=arrival.platform, external_id=arrival.participant)
    return remembered(request, study)


def _group(request: HttpRequest, study: Study, code: str) -> AnnotatorGroup:
    """Return the group that has the code. Raises `Refused` with the code `too-many` after too many wrong codes from
    this address, or `unknown-code`.
    """
    found = group_with(study, code)
    limit_group_codes(request, wrong=found is None)
    if found is None:
        message = _("This group code is unknown. Check the spelling, or ask the research team for the link.")
        raise Refused("unknown-code", message, status=404)
    return found


def _open_page(request: HttpRequest, study: Study, arrival: Arrival, refusal: Refused | None) -> HttpResponse:
    person = arrival.participant
    known = person != "" and takes_part(study, arrival.platform, person)
    blocked = {
        "known": known,
        "needs_platform": study.recruitment != Study.Recruitment.LINKS and not person,
        "needs_personal_link": study.admission == Study.Admission.NAMED,
        "needs_group": (
            study.has_quotas
            and study.admission != Study.Admission.NAMED
            and not arrival.group
            and not groups_by_screening(study)
        ),
    }
    more = blocked | ({"may_join": False} if any(blocked.values()) else {}) | ({"refusal": None} if known else {})
    return _page(request, study, refusal, {"platform_fields": hidden_fields(arrival), **more})


def _group_page(request: HttpRequest, study: Study, group: AnnotatorGroup, refusal: Refused | None) -> HttpResponse:
    ended = refusal is not None and refusal.code in ("unknown", "full")
    more = {"may_join": False, "too_late": refusal} if ended else {}
    return _page(request, study, refusal, more, group=group)


def _outside_quotas(
    request: HttpRequest, study: Study, group: AnnotatorGroup | None, named: NamedAnnotator | None = None
) -> HttpResponse:
    """Return the page for a person who would get no HITs, before any questions or consent."""
    refusal = Refused("group", joining.quota_sentence(group), status=403)
    return _page(request, study, refusal, {"may_join": False, "asks_group": named is None}, named)


def _page(
    request: HttpRequest,
    study: Study,
    refusal: Refused | None,
    more: dict[str, Any],
    named: NamedAnnotator | None = None,
    group: AnnotatorGroup | None = None,
) -> HttpResponse:
    """Show the page where people join through any link. `more` replaces and extends the page's context. `named` is the
    owner of a personal link, and `group` the group of a group link.
    """
    late = too_late(study, place_of(request)) if study.is_open else None
    context = facts_about(study) | {
        "consent": current_consent(study),
        "folds_consent": not study.full_consent,
        "too_late": late,
        "can_wait": late is not None and late.code == "full" and study.waiting_list,
        "can_mail": bool(settings.EMAIL_HOST),
        "reservation": reserve_participation(study),
        "may_join": study.is_open and not late,
        "none_free": study.is_open and not has_free_set(study, named, named.group if named else group),
        "refusal": refusal,
        "has_personal_link": named is not None,
    }
    if named and context["limit"] is None:
        context["limit"] = hits_each(study)
    return render(request, "annotator/join.html", context | more, status=refusal.status if refusal else 200)


def _join_or(
    request: HttpRequest,
    study: Study,
    join: Callable[[], Participation],
    page: Callable[[Refused | None], HttpResponse],
) -> HttpResponse:
    """Join and record consent on a POST request. Otherwise, and if the person cannot join, return the page. The view
    creates a participation only if the annotator has given valid consent.
    """
    if request.method != "POST":
        return page(None)
    try:
        consent = accepted_consent(request, study)
        limit_joining(request, study)
        participation = join()
        eligible = bool(request.POST.get("eligible"))
        joining.accept_consent(participation.pk, consent.pk if consent else None, eligible=eligible)
    except Refused as refused:
        if isinstance(refused, OnList):
            note_match(refused)
        return page(refused)
    participation.refresh_from_db(fields=["consented_at"])
    note_network(participation, client_network(request))
    starts = "start" in request.POST
    page_after = next_page(participation) if starts else redirect("annotator:hub", study.public_id)
    return remember(request, page_after, participation)


def _joined(request: HttpRequest, study: Study, arrival: Arrival, group: AnnotatorGroup | None = None) -> Participation:
    reserved = _reserved(request, study)
    result = screening_result(request, study, person_of_link(request, study, arrival.screened_id))
    if study.recruitment == Study.Recruitment.PROLIFIC:
        if not arrival.participant:
            raise Refused("prolific-id", _("Open this study from its Prolific page."), status=403)
        return join_from_prolific(study, arrival, public_id=reserved, group=group, screening=result)
    person: dict[str, Any] = {"platform": Annotator.Platform.WEB}
    if study.recruitment == Study.Recruitment.PANEL:
        if not arrival.participant:
            raise invalid_id()
        own = {"external_id": arrival.participant, "verified": arrival.verified}
        person = {"platform": Annotator.Platform.PANEL, **own}
    if study.admission == Study.Admission.ACCOUNT and request.user.is_authenticated:
        own = {"external_id": str(request.user.pk), "contact": request.user.email}
        person = {"platform": Annotator.Platform.ACCOUNT, **own}
    waiting = place_of(request)
    return joining.join(study, **person, public_id=reserved, group=group, screening=result, waiting=waiting)


def _reserved(request: HttpRequest, study: Study) -> str | None:
    return reserved_participation(study, request.POST.get("reservation", ""))
