"""The annotator's overview of a study, which shows progress, pay, messages, and the consequences of a stop."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from math import ceil
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotate.core.selectors.free_sets import has_free_set
from annotate.core.selectors.own_gold import disagreements, latest_stop, own_gold_standing, standing_at_stop
from annotate.core.selectors.participations import OwnPart, current_consent, has_consented, own_part
from annotate.core.selectors.qualification import has_qualification, tries_begun, tries_left
from annotate.core.selectors.remarks import is_answered
from annotate.core.services.claim import free_by
from annotate.core.services.credentials import participation_token
from annotate.core.services.networks import note_network
from annotate.core.services.queue import anything_left
from annotate.core.services.remarks import object_to_stop
from annotate.core.services.sets_left import sets_left
from annotate.core.services.standing import pays_stopped
from annotate.messages.selectors import own_messages, received
from annotate.models import Annotator, Participation, Remark
from annotate.pay.selectors.own import receipt
from annotate.prolific.selectors.outcomes import may_finish, needs_finish, own_way_back
from annotate.recruiting.pages.survey import asks_last
from annotate.recruiting.services import join as joining
from annotate.server import clock
from annotate.server.addresses import client_network
from annotate.server.refusals import Refused
from annotate.web.pages.remembered import for_annotators, participation_or_404, remember

from .consenting import accepted_consent
from .facts import set_facts

# The reasons why an annotator gets no more HITs. In these cases, the overview serves as a receipt for the work.
ENDS = ("stopped", "withdrawn", "finished", "closed", "over", "excluded", "limit")
# The annotator must accept a changed consent text before continuing to work.
ASKS_CONSENT = ("", "nothing", "paused")
CODELESS = (Annotator.Platform.TRY, Annotator.Platform.ACCOUNT)  # these annotators sign in on other devices


@for_annotators
@never_cache
@require_safe
def hub(request: HttpRequest, study_id: str) -> HttpResponse:
    """Show the annotator's overview of the study, with a button to continue working."""
    return _overview(request, participation_or_404(request, study_id))


@for_annotators
@require_POST
def accept(request: HttpRequest, study_id: str) -> HttpResponse:
    """Accept the changed consent text."""
    participation = participation_or_404(request, study_id)
    try:
        consent = accepted_consent(request, participation.study)
        joining.accept_consent(
            participation.pk, consent.pk if consent else None, eligible=bool(request.POST.get("eligible"))
        )
    except Refused as refusal:
        return _overview(request, participation, consent_refusal=refusal)
    participation.refresh_from_db(fields=["consented_at"])
    note_network(participation, client_network(request))
    return redirect("annotator:hub", study_id)


@for_annotators
@require_POST
def object_(request: HttpRequest, study_id: str) -> HttpResponse:
    """Submit an annotator's objection to being stopped."""
    participation = participation_or_404(request, study_id)
    text = request.POST.get("text", "")
    try:
        object_to_stop(participation.pk, text=text)
    except Refused as refusal:
        return _overview(request, participation, objection_refusal=refusal, objection_text=text)
    return redirect("annotator:hub", study_id)


def _overview(
    request: HttpRequest,
    participation: Participation,
    *,
    consent_refusal: Refused | None = None,
    objection_refusal: Refused | None = None,
    objection_text: str = "",
) -> HttpResponse:
    study, platform = participation.study, participation.annotator.platform
    part = own_part(participation)
    if _opened_for_others(participation, part):
        part = replace(part, why="nothing")
    messages = own_messages(participation)
    context: dict[str, Any] = set_facts(study) | {
        "study": study,
        "participation": participation,
        "part": part,
        "sets_left": None if part.why else sets_left(participation),
        "sent": [one for one in messages if part.why != "stopped" or one.kind != Remark.Kind.OBJECTION],
        "received": list(received(participation)),
        "objections": [one for one in messages if one.kind == Remark.Kind.OBJECTION],
        "restored": {one.pk for one in messages if is_answered(one) and not one.reply},
        "waits_for_reply": any(one.kind == Remark.Kind.OBJECTION and not is_answered(one) for one in messages),
        "gold": None if part.why == "stopped" else own_gold_standing(participation),
        "consent_refusal": consent_refusal,
        "objection_refusal": objection_refusal,
        "objection_text": objection_text,
        "needs_code": bool(part.handed_in) and participation.resume_hash is None and _needs_codes(participation),
        "guidelines_changed": part.why not in ENDS and study.guidelines_version > participation.guidelines_read,
    }
    if part.why == "nothing" and (until := free_by(participation)):
        context |= _wait(participation, until)
    elif part.why == "nothing":
        # The queue has nothing more for this annotator. This is not the case if only the budget has run out.
        context["all_answered"] = bool(part.handed_in) and participation.dry_at == study.slot_openings
    if participation.standing == Participation.Standing.PRACTISING and not part.why and not part.in_hand:
        named = getattr(participation, "named", None)
        context["none_free"] = platform != Annotator.Platform.TRY and not has_free_set(
            study, named, participation.group
        )
    if platform == Annotator.Platform.TRY:
        context["consent"] = current_consent(study)  # annotators have read it on the join page
    elif part.why in ASKS_CONSENT and not has_consented(participation):
        context |= {"consent": current_consent(study), "asks_consent": True}
    if part.why in ENDS:
        context["receipt"] = receipt(participation)
    if back := own_way_back(participation, part):
        context |= {"back": back, "needs_code": False, "asks_to_finish": needs_finish(participation, back)}
    context["may_finish"] = may_finish(participation, part)
    if participation.standing == Participation.Standing.PRACTISING and has_qualification(study):
        context["qualification"] = {"tries_begun": tries_begun(participation), "tries_left": tries_left(participation)}
    context["asks_survey"] = asks_last(participation, part)
    if part.why == "stopped":
        context |= _stop(participation, part, context["receipt"].sets)
        context["objected"] = any(one.sent_at > context["stop"].at for one in context["objections"] if context["stop"])
    refusal = consent_refusal or objection_refusal
    page = render(request, "annotator/hub.html", context, status=refusal.status if refusal else 200)
    return remember(request, page, participation)


def _needs_codes(participation: Participation) -> bool:
    """Return whether the annotator can continue on another device only with a resume code."""
    return participation.annotator.platform not in CODELESS and not hasattr(participation, "named")


def _opened_for_others(participation: Participation, part: OwnPart) -> bool:
    """Return whether slots have opened since the annotator found none, although the annotator can take none of them.
    After a stop, for example, they often belong to HITs that the annotator has answered. The page then offers to check
    again, because a claim can also divide a HIT.
    """
    found_none = participation.dry_at is not None and not part.why and not part.in_hand
    return found_none and not anything_left(participation)


def _wait(participation: Participation, until: datetime) -> dict[str, Any]:
    """Return the data for waiting for a HIT that another annotator holds until this time at the latest."""
    return {
        "wait_minutes": max(1, ceil((until - clock.now()) / timedelta(minutes=1))),
        "api": reverse("api:docs"),
        "token": participation_token(participation),
        "work": reverse("annotator:work", args=["ASSIGNMENT"]),
    }


def _stop(participation: Participation, part: OwnPart, sets: Any) -> dict[str, Any]:
    """Return the details of the stop, including whether stopped annotators are paid. If the quality rule stopped the
    annotator, also return the gold figures and the answers that differ from the expected answers.
    """
    stop = latest_stop(participation)
    context: dict[str, Any] = {"stop": stop, "pays_stopped": pays_stopped(participation)}
    if stop is None or not part.stopped_by_rule:
        return context
    numbers = {one.assignment_id: one.number for one in sets}
    differing = [(numbers.get(one.assignment_id), one) for one in disagreements(participation, stop)]
    return context | {"gold": standing_at_stop(participation, stop), "differing": differing}
