"""The IDs that Prolific and other panels add to a study's URL, and the pages on which participants return to Prolific.

Anyone can know or invent such an ID. Without a signed token, the ID identifies a new participation, but gives no access
to existing ones. Secured URLs contain a token, which confirms the IDs for one browser.
"""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from annotate.core.selectors.limits import prolific_settings
from annotate.core.selectors.participations import own_part
from annotate.core.services.writing import write
from annotate.models import Annotator, Outcome, Participation, Study
from annotate.prolific.selectors.outcomes import may_finish, own_way_back, way_back
from annotate.prolific.selectors.settings import PLACEHOLDERS, participation_from_prolific, was_screened_out
from annotate.prolific.services.submissions import (
    ID,
    Arrival,
    borrowed,
    needs_refusal,
    record_arrival,
    record_outcome,
    record_refusal,
    starts_submission,
    unconfirmed,
)
from annotate.prolific.services.tokens import verified_arrival
from annotate.recruiting import panels
from annotate.recruiting.selectors import screening_ending
from annotate.recruiting.services.join import confirm_identity
from annotate.server.languages import show_in
from annotate.server.refusals import Refused
from annotate.web.pages.devices import is_handheld
from annotate.web.pages.flood import limit_joining
from annotate.web.pages.remembered import (
    for_annotators,
    participation_or_404,
    remember,
    remembered,
    remembered_as,
)

PARTICIPANT, PROLIFIC_STUDY, SUBMISSION = PLACEHOLDERS
TOKEN = "prolific_token"  # noqa: S105 (the name of a parameter)
PROOF_SECONDS = 12 * 3600


def follow_token(request: HttpRequest, study: Study) -> HttpResponse | None:
    """Verify the signed token in a secured URL, and redirect to the same link without the token. The browser then has a
    signed cookie that confirms the IDs. Return None for a link without a token.

    Raises `Refused` like `verified_arrival`. A used token is accepted in the browser that has used the token.
    """
    token = request.GET.get(TOKEN, "")
    if study.recruitment != Study.Recruitment.PROLIFIC or request.method != "GET" or not token:
        return None
    arrival = arrival_of(request, study)
    if not arrival.verified:
        try:
            confirmed = verified_arrival(study, token, url=request.build_absolute_uri(request.path))
        except Refused:
            if not _is_own(request, study, arrival):
                raise
            confirmed = arrival
        if arrival.participant and _ids(arrival).items() - _ids(confirmed).items():
            raise borrowed()
        arrival = replace(confirmed, group=arrival.group or _code(request))
    response = redirect(f"{request.path}?{urlencode(hidden_fields(arrival))}")
    if arrival.verified:
        response.set_signed_cookie(
            _proof_cookie(study),
            _proof(arrival),
            salt="prolific",
            max_age=PROOF_SECONDS,
            httponly=True,
            samesite="Lax",
            secure=settings.SECURE,
        )
    return response


def arrival_of(request: HttpRequest, study: Study) -> Arrival:
    """Return the IDs in the link or form. All IDs are empty if there is no participant ID, or if the study recruits
    with its own links. The IDs are verified if a token has confirmed them in this browser, or a signature of a panel.

    Raises `Refused` (`prolific-id` or `panel-id`) for several IDs of the same kind, and for an invalid ID.
    """
    if study.recruitment == Study.Recruitment.PANEL:
        return _from_panel(request, study)
    if study.recruitment != Study.Recruitment.PROLIFIC:
        return Arrival()
    participant, prolific_study, submission = (_id(request, name) for name in PLACEHOLDERS)
    if not participant:
        return Arrival()
    arrival = Arrival(participant, prolific_study, submission, group=_code(request))
    proof = request.get_signed_cookie(_proof_cookie(study), default="", salt="prolific", max_age=PROOF_SECONDS)
    return replace(arrival, verified=proof == _proof(arrival))


def hidden_fields(arrival: Arrival) -> dict[str, str]:
    """Return the form fields that send the IDs and the code of the group again."""
    return _ids(arrival) | ({panels.GROUP: arrival.group} if arrival.group else {})


def before_joining(request: HttpRequest, study: Study, arrival: Arrival) -> HttpResponse | None:
    """Return the page for a person from Prolific who cannot join, has declined the consent text, or joined in another
    browser and now arrives with a signed token. For other people, return None.

    Raises `Refused` (`prolific-token`) if the study needs a signed token.
    """
    if not arrival.participant:
        return None
    if study.recruitment == Study.Recruitment.PANEL:
        return _before_joining_from_panel(request, study, arrival)
    stored = prolific_settings(study)
    if stored.secured and not arrival.verified:
        raise unconfirmed()
    if arrival.verified and (participation := participation_from_prolific(study, arrival.participant)):
        return arrive_again(request, participation, arrival)
    if was_screened_out(study, arrival.participant, verified=arrival.verified):
        return outcome_page(request, study, Outcome.SCREENED_OUT)
    if is_handheld(request) and stored.needs_computer:
        return outcome_page(request, study, Outcome.INCOMPATIBLE_DEVICE)
    if request.method == "POST" and "decline" in request.POST:
        return outcome_page(request, study, Outcome.NO_CONSENT)
    return None


def arrive_again(request: HttpRequest, participation: Participation, arrival: Arrival) -> HttpResponse:
    """Open the overview of a participant who has already joined. A further submission starts on a POST request, so
    other requests show a page with a button. If no further submission is allowed, show a page that asks the participant
    to return the submission on Prolific. A person with a confirmed ID takes over a participation that began with the
    same unconfirmed ID.
    """
    study = participation.study
    if arrival.participant and not arrival.parameter:
        try:
            if request.method == "POST":
                with write():
                    participation = _confirmed(participation, arrival)
                    record_arrival(participation, arrival)
            elif starts_submission(participation, arrival):
                return render(request, "annotator/personal_link.html", {"study": study, "participation": participation})
        except Refused as refused:
            context = {"study": study, "refusal": refused}
            if refused.code == "submissions":
                context["back"] = way_back(study, "")
            return render(request, "annotator/outcome.html", context, status=refused.status)
    return remember(request, redirect("annotator:hub", study.public_id), _confirmed(participation, arrival))


def outcome_page(
    request: HttpRequest,
    study: Study,
    outcome: str,
    *,
    participation: Participation | None = None,
    ending: str = "",
) -> HttpResponse:
    """Record the outcome of a person's submission on a POST request, and show the completion code and the link back to
    Prolific. If the outcome is not recorded yet, other requests show a page with a button.

    `participation` is None for people who have not joined. Their IDs come from the request. `ending` replaces the
    study's text for people who were screened out. If the study does not
    recruit on Prolific, the page thanks the person, and nothing is recorded.
    """
    context: dict[str, object] = {"study": study, "outcome": outcome}
    if outcome == Outcome.SCREENED_OUT:
        context["ending"] = ending or screening_ending(study)
    if study.recruitment != Study.Recruitment.PROLIFIC:
        return render(request, "annotator/outcome.html", context)
    try:
        if participation:
            record_outcome(participation, outcome)
        else:
            context["asks_to_finish"] = _refuse(request, study, outcome)
    except Refused as refused:
        context["refusal"] = refused
        return render(request, "annotator/outcome.html", context, status=refused.status)
    return render(request, "annotator/outcome.html", context | {"back": way_back(study, outcome)})


def _refuse(request: HttpRequest, study: Study, outcome: str) -> bool:
    """Record the outcome for a person who has not joined if this is a POST request. Return whether the outcome must
    still be recorded.
    """
    arrival = arrival_of(request, study)
    if prolific_settings(study).secured and not arrival.verified:
        raise unconfirmed()
    if request.method != "POST":
        return needs_refusal(study, arrival, outcome)
    limit_joining(request, study)
    record_refusal(study, arrival, outcome)
    return False


@for_annotators
@require_POST
def finish(request: HttpRequest, study_id: str) -> HttpResponse:
    """Finish a submission that has ended or has no fixed number of HITs."""
    participation = participation_or_404(request, study_id)
    part = own_part(participation)
    if (back := own_way_back(participation, part)) and back.outcome:
        record_outcome(participation, back.outcome)
    if not may_finish(participation, part):
        return redirect("annotator:hub", study_id)
    show_in(participation.study.language)
    return outcome_page(request, participation.study, Outcome.COMPLETED, participation=participation)


def _from_panel(request: HttpRequest, study: Study) -> Arrival:
    """Return the ID that a panel has added to the link."""
    participants, signatures = (_values(request, name) for name in (study.identity_parameter, panels.SIGNATURE))
    if not participants:
        return Arrival()
    if len(participants) > 1 or len(signatures) > 1:
        raise panels.invalid_id()
    participant, signature = participants[0], "".join(signatures)
    return Arrival(
        participant,
        verified=panels.is_signed(study, participant, signature),
        group=_code(request),
        parameter=study.identity_parameter,
        signature=signature,
    )


def _before_joining_from_panel(request: HttpRequest, study: Study, arrival: Arrival) -> HttpResponse | None:
    """Open the overview of the person with a signed ID who has joined in another browser. In the browser of another
    person, show a page with a button, because anyone can send a link. Raises `Refused` (`panel-other-id`) for an
    unsigned ID in the browser of another person from the panel.
    """
    earlier = remembered(request, study)
    if not arrival.verified:
        if earlier and earlier.annotator.platform == arrival.platform:
            raise panels.other_id()
        return None
    people = study.participations.select_related("study", "annotator")
    same = people.filter(annotator__platform=arrival.platform, annotator__external_id=arrival.participant).first()
    if same and earlier and request.method != "POST":
        return render(request, "annotator/personal_link.html", {"study": study, "participation": same})
    return arrive_again(request, same, arrival) if same else None


def _confirmed(participation: Participation, arrival: Arrival) -> Participation:
    takes_back = arrival.verified and not participation.annotator.verified
    return confirm_identity(participation) if takes_back else participation


def _id(request: HttpRequest, name: str) -> str:
    values = _values(request, name)
    if not values:
        return ""
    if len(values) > 1 or not ID.fullmatch(values[0]):
        raise borrowed()
    return values[0]


def _values(request: HttpRequest, name: str) -> list[str]:
    """Return the different values of a parameter in the link and the form."""
    return [*{value for value in [*request.GET.getlist(name), *request.POST.getlist(name)] if value}]


def _ids(arrival: Arrival) -> dict[str, str]:
    if arrival.parameter:
        signed = {panels.SIGNATURE: arrival.signature} if arrival.signature else {}
        return {arrival.parameter: arrival.participant} | signed
    ids = {PARTICIPANT: arrival.participant, PROLIFIC_STUDY: arrival.prolific_study, SUBMISSION: arrival.submission}
    return {name: value for name, value in ids.items() if value}


def _code(request: HttpRequest) -> str:
    """Return the code of a group in the link or form."""
    return (request.POST.get(panels.GROUP) or request.GET.get(panels.GROUP, ""))[:40]


def _is_own(request: HttpRequest, study: Study, arrival: Arrival) -> bool:
    """Return whether this browser's cookie contains the participant's participation."""
    if not arrival.participant:
        return False
    platform = Annotator.Platform.PROLIFIC
    return remembered_as(request, study, platform=platform, external_id=arrival.participant) is not None


def _proof(arrival: Arrival) -> str:
    return ".".join((arrival.participant, arrival.prolific_study, arrival.submission))


def _proof_cookie(study: Study) -> str:
    return f"{settings.COOKIE_PREFIX}accord-{study.public_id}-prolific"
