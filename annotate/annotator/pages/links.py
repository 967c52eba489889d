"""The pages that a personal link and a group link open. People can also enter a group code on the join page."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotate.annotator.pages.screening import person_of_link, screening_page, screening_result
from annotate.annotator.pages.work import facts_about, take_part
from annotate.core.selectors.participations import current_consent
from annotate.core.services.credentials import read_personal_link, reserve_participation, reserved_participation
from annotate.core.services.limits import too_late
from annotate.models import Annotator, AnnotatorGroup, NamedAnnotator, Participation, Study
from annotate.recruiting.services import join as joining
from annotate.recruiting.services.groups import group_refusal, group_with
from annotate.recruiting.services.named import join_by_link
from annotate.server.languages import show_in
from annotate.server.refusals import Refused
from annotate.web.pages.flood import limit_group_codes
from annotate.web.pages.remembered import for_annotators, remember, remembered


@for_annotators
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def personal(request: HttpRequest, token: str) -> HttpResponse:
    """Let a named annotator join the study, or continue on this device. Only a POST request changes data, so link
    previews have no effect.
    """
    people = NamedAnnotator.objects.select_related("study", "participation").exclude(name="")
    named = get_object_or_404(people, public_id=read_personal_link(token))
    study, participation = named.study, named.participation
    show_in(study.language)
    hub = redirect("annotator:hub", study.public_id)
    if participation:
        if request.method == "POST" or remembered(request, study) == participation:
            return remember(request, hub, participation)
        return render(request, "annotator/personal.html", {"study": study, "participation": participation})
    if study.is_open and (page := screening_page(request, study, named.public_id)):
        return page
    refusal = None
    if request.method == "POST":
        try:
            reserved = reserved_participation(study, request.POST.get("reservation", ""))
            result = screening_result(request, study, named.public_id)
            return take_part(request, study, lambda: join_by_link(named.pk, public_id=reserved, screening=result))
        except Refused as refused:
            refusal = refused
    late = too_late(study) if study.is_open else None
    context = facts_about(study) | {
        "consent": current_consent(study),
        "too_late": late,
        "reservation": reserve_participation(study),
        "may_join": study.is_open and not late,
        "refusal": refusal,
    }
    return render(request, "annotator/join.html", context, status=refusal.status if refusal else 200)


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
    study = get_object_or_404(Study.objects.exclude(recruitment=Study.Recruitment.PROLIFIC), join_token=token)
    show_in(study.language)
    if participation := remembered(request, study):
        return remember(request, redirect("annotator:hub", study.public_id), participation)
    try:
        chosen = _group(request, study, code)
    except Refused as refused:
        return _page(request, study, refused, admits=False)
    if study.admission == Study.Admission.ACCOUNT and not request.user.is_authenticated and study.is_open:
        return redirect_to_login(request.get_full_path())
    can_join = study.is_open and not too_late(study) and not group_refusal(chosen)
    if can_join and (page := screening_page(request, study, person_of_link(request, study, ""))):
        return page
    refusal = None
    if request.method == "POST":
        try:
            return take_part(request, study, lambda: _joined(request, study, chosen))
        except Refused as refused:
            refusal = refused
    return _page(request, study, refusal or group_refusal(chosen), admits=True)


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


def _joined(request: HttpRequest, study: Study, chosen: AnnotatorGroup) -> Participation:
    reserved = reserved_participation(study, request.POST.get("reservation", ""))
    result = screening_result(request, study, person_of_link(request, study, ""))
    if study.admission == Study.Admission.ACCOUNT and request.user.is_authenticated:
        return joining.join(
            study,
            platform=Annotator.Platform.ACCOUNT,
            external_id=str(request.user.pk),
            contact=request.user.email,
            public_id=reserved,
            group=chosen,
            screening=result,
        )
    return joining.join(study, platform=Annotator.Platform.WEB, public_id=reserved, group=chosen, screening=result)


def _page(request: HttpRequest, study: Study, refusal: Refused | None, *, admits: bool) -> HttpResponse:
    late = too_late(study) if study.is_open and not refusal else None
    closes = refusal is not None and refusal.code in ("unknown", "full")
    context = facts_about(study) | {
        "consent": current_consent(study),
        "too_late": late or (refusal if closes else None),
        "can_wait": late is not None and late.code == "full" and study.waiting_list,
        "can_mail": bool(settings.EMAIL_HOST),
        "asks_group": not admits,
        "reservation": reserve_participation(study),
        "may_join": admits and study.is_open and not late and not closes,
        "refusal": refusal,
    }
    return render(request, "annotator/join.html", context, status=refusal.status if refusal else 200)
