"""The survey that annotators answer before their first HIT or after their last HIT."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotate.core.selectors.participations import OwnPart
from annotate.models import Participation, Questionnaire
from annotate.recruiting.questionnaires.answers import Answers, posted_answers
from annotate.recruiting.questionnaires.shown import shown_questions
from annotate.recruiting.selectors import survey_for
from annotate.recruiting.services.questionnaires import answer_survey
from annotate.server.refusals import Refused
from annotate.web.pages.remembered import for_annotators, participation_or_404

# The reasons why an annotator gets no more HITs, after which the overview offers the final survey.
LAST_HIT = ("finished", "limit", "closed", "over", "nothing")


@for_annotators
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def survey(request: HttpRequest, study_id: str, start: Callable[[Participation], HttpResponse]) -> HttpResponse:
    """Show the survey, and store its answers on a POST request. After that, `start` the first HIT, or continue to the
    overview if the annotator has answered the last HIT.
    """
    participation = participation_or_404(request, study_id)
    asked = _survey(participation)
    if asked is None:
        return redirect("annotator:hub", study_id)
    refusal = None
    raw: Answers = {}
    if request.method == "POST":
        try:
            raw = posted_answers(asked.entries, request.POST)
            answer_survey(participation.pk, raw, revision=request.POST.get("survey", ""))
            if asked.timing == Questionnaire.Timing.BEFORE:
                return start(participation)
            return redirect("annotator:hub", study_id)
        except Refused as refused:
            refusal = refused
    errors = refusal.fields if refusal else {}
    context = {
        "study": participation.study,
        "questionnaire": asked,
        "questions": shown_questions(asked.entries, raw, errors, may_decline=True),
        "refusal": refusal,
    }
    return render(request, "annotator/survey.html", context, status=refusal.status if refusal else 200)


def asks_first(participation: Participation) -> bool:
    """Return whether the annotator answers the survey before the first HIT."""
    return survey_for(participation, timing=Questionnaire.Timing.BEFORE) is not None


def asks_last(participation: Participation, part: OwnPart) -> bool:
    """Return whether the overview asks the annotator to answer the survey after the last HIT."""
    return part.why in LAST_HIT and survey_for(participation, timing=Questionnaire.Timing.AFTER) is not None


def _survey(participation: Participation) -> Questionnaire | None:
    surveys = (survey_for(participation, timing=timing) for timing in Questionnaire.Timing)
    return next((one for one in surveys if one), None)
