"""The IDs that Prolific adds to the URL of a study, and the pages on which participants return to Prolific.

Anyone can know or invent such an ID. Without a signed token, the ID identifies a new participation, but gives no access
to existing ones.
"""

from __future__ import annotations

import re

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from annotate.languages import show_in
from annotate.models import Outcome, Participation, Study
from annotate.refusals import Refused
from annotate.selectors.participations import own_part
from annotate.selectors.prolific import PLACEHOLDERS, prolific_settings, was_screened_out
from annotate.selectors.prolific_outcomes import may_finish, way_back
from annotate.services.prolific_submissions import Arrival, borrowed, record_arrival, record_outcome, record_refusal

from .devices import is_handheld
from .flood import limit_joining
from .remembered import for_annotators, participation_or_404, remember

PARTICIPANT, PROLIFIC_STUDY, SUBMISSION = PLACEHOLDERS
_ID = re.compile(r"[A-Za-z0-9]{1,64}")


def arrival_of(request: HttpRequest, study: Study) -> Arrival:
    """Return the IDs in the link or form. All IDs are empty if there is no participant ID, or if the study does not
    recruit on Prolific.

    Raises `Refused` (`prolific-id`) for several IDs of the same kind, and for an invalid ID.
    """
    if study.recruitment != Study.Recruitment.PROLIFIC:
        return Arrival()
    participant, prolific_study, submission = (_id(request, name) for name in PLACEHOLDERS)
    return Arrival(participant, prolific_study, submission) if participant else Arrival()


def hidden_fields(arrival: Arrival) -> dict[str, str]:
    """Return the form fields that send the IDs again."""
    ids = {PARTICIPANT: arrival.participant, PROLIFIC_STUDY: arrival.prolific_study, SUBMISSION: arrival.submission}
    return {name: value for name, value in ids.items() if value}


def before_joining(request: HttpRequest, study: Study, arrival: Arrival) -> HttpResponse | None:
    """Return the page for a person from Prolific who cannot join or has declined the consent text. For other people,
    return None.
    """
    if not arrival.participant:
        return None
    if was_screened_out(study, arrival.participant):
        return outcome_page(request, study, Outcome.SCREENED_OUT)
    if is_handheld(request) and prolific_settings(study).needs_computer:
        return outcome_page(request, study, Outcome.INCOMPATIBLE_DEVICE)
    if request.method == "POST" and "decline" in request.POST:
        return outcome_page(request, study, Outcome.NO_CONSENT)
    return None


def arrive_again(request: HttpRequest, participation: Participation, arrival: Arrival) -> HttpResponse:
    """Record the submission of a participant who has already joined, and open the overview. If no further submission is
    allowed, show a page that asks the participant to return the submission.
    """
    study = participation.study
    if arrival.participant:
        try:
            record_arrival(participation, arrival)
        except Refused as refused:
            context = {"study": study, "refusal": refused, "back": way_back(study, "")}
            return render(request, "annotate/outcome.html", context, status=refused.status)
    return remember(request, redirect("annotator:hub", study.public_id), participation)


def outcome_page(
    request: HttpRequest, study: Study, outcome: str, *, participation: Participation | None = None
) -> HttpResponse:
    """Record the outcome of a person's submission, and show the completion code and the link back to Prolific.

    `participation` is None for people who have not joined. Their IDs come from the request. If the study does not
    recruit on Prolific, the page thanks the person, and nothing is recorded.
    """
    context: dict[str, object] = {"study": study, "outcome": outcome}
    if study.recruitment != Study.Recruitment.PROLIFIC:
        return render(request, "annotate/outcome.html", context)
    try:
        if participation:
            record_outcome(participation, outcome)
        else:
            limit_joining(request, study)
            record_refusal(study, arrival_of(request, study), outcome)
    except Refused as refused:
        context["refusal"] = refused
        return render(request, "annotate/outcome.html", context, status=refused.status)
    return render(request, "annotate/outcome.html", context | {"back": way_back(study, outcome)})


@for_annotators
@require_POST
def finish(request: HttpRequest, study_id: str) -> HttpResponse:
    """Finish a submission without a fixed number of HITs."""
    participation = participation_or_404(request, study_id)
    if not may_finish(participation, own_part(participation)):
        return redirect("annotator:hub", study_id)
    show_in(participation.study.language)
    return outcome_page(request, participation.study, Outcome.COMPLETED, participation=participation)


def _id(request: HttpRequest, name: str) -> str:
    values = {value for value in [*request.GET.getlist(name), *request.POST.getlist(name)] if value}
    if not values:
        return ""
    if len(values) > 1 or not _ID.fullmatch(value := values.pop()):
        raise borrowed()
    return value
