"""The screening questions, answered before the consent form."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from annotate.core.selectors.participations import takes_part
from annotate.core.services.limits import too_late
from annotate.models import AnnotatorGroup, Outcome, Questionnaire, Screening, Study
from annotate.prolific.pages.arrival import arrival_of, outcome_page
from annotate.prolific.services.submissions import record_refusal
from annotate.recruiting.pages.waiting_place import place_of
from annotate.recruiting.questionnaires.answers import Answers, posted_answers
from annotate.recruiting.questionnaires.shown import shown_questions
from annotate.recruiting.selectors import active_screening, earlier_screening, groups_by_screening
from annotate.recruiting.services.questionnaires import screen
from annotate.server.refusals import Refused
from annotate.web.pages.flood import limit_joining

YEAR = 365 * 24 * 3600


def screening_page(request: HttpRequest, study: Study, person: str = "") -> HttpResponse | None:
    """Return the page with the screening questions, or the page for people who were screened out. Return None if the
    person can continue to the consent form. `person` is the person's platform ID.
    """
    questionnaire = active_screening(study)
    if questionnaire is None:
        return None
    result = _result(request, questionnaire, person)
    if result:
        return None if result.is_admitted else _screened_out(request, questionnaire)
    refusal, raw = None, None
    if request.method == "POST" and "screening" in request.POST:
        try:
            raw = posted_answers(questionnaire.entries, request.POST)
            return _answered(request, questionnaire, raw, person)
        except Refused as refused:
            refusal = refused
    # The person with a personal link has no resume code.
    has_personal_link = bool(person) and study.admission == Study.Admission.NAMED
    return _questions(request, questionnaire, raw or {}, refusal, has_personal_link=has_personal_link)


def screening_of_link(
    request: HttpRequest, study: Study, participant: str, group_code: str = ""
) -> HttpResponse | None:
    """Return the screening page for people who can join through the study's link, or None. `participant` is the
    platform ID from the link, as returned by `Arrival.screened_id`, and `group_code` the code of the group in the link.
    """
    from_platform = study.recruitment != Study.Recruitment.LINKS
    needs_other_link = (
        study.admission == Study.Admission.NAMED
        or (study.has_quotas and not group_code and not groups_by_screening(study))
        or (from_platform and not participant)
    )
    if not study.is_open or needs_other_link or too_late(study, place_of(request)):
        return None
    if participant and takes_part(study, arrival_of(request, study).platform, participant):
        return None
    return screening_page(request, study, person_of_link(request, study, participant))


def person_of_link(request: HttpRequest, study: Study, participant: str) -> str:
    """Return the platform ID of the person who is joining, or an empty string if there is none."""
    if not participant and study.admission == Study.Admission.ACCOUNT and request.user.is_authenticated:
        return str(request.user.pk)
    return participant


def screening_result(request: HttpRequest, study: Study, person: str = "") -> str:
    """Return the ID of the result that lets this person join, or an empty string."""
    questionnaire = active_screening(study)
    result = _result(request, questionnaire, person) if questionnaire else None
    return result.public_id if result else ""


def group_by_answers(request: HttpRequest, study: Study, person: str = "") -> AnnotatorGroup | None:
    """Return the group that this person joins by the answers to the screening questions, or None."""
    questionnaire = active_screening(study)
    result = _result(request, questionnaire, person) if questionnaire else None
    return result.group if result else None


def _answered(request: HttpRequest, questionnaire: Questionnaire, raw: Answers, person: str) -> HttpResponse:
    study = questionnaire.study
    limit_joining(request, study)
    revision = request.POST["screening"]
    result = screen(study, raw, revision=revision, person=person, public_id=_held(request, study))
    if study.recruitment == Study.Recruitment.PROLIFIC and not result.is_admitted:
        record_refusal(study, arrival_of(request, study), Outcome.SCREENED_OUT)
    response = HttpResponseRedirect(request.get_full_path())
    response.set_signed_cookie(
        _cookie(study),
        result.public_id,
        salt="screening",
        max_age=YEAR,
        httponly=True,
        samesite="Lax",
        secure=settings.SECURE,
    )
    return response


def _questions(
    request: HttpRequest,
    questionnaire: Questionnaire,
    raw: Answers,
    refusal: Refused | None,
    *,
    has_personal_link: bool,
) -> HttpResponse:
    context = {
        "study": questionnaire.study,
        "questionnaire": questionnaire,
        "questions": shown_questions(questionnaire.entries, raw, refusal.fields if refusal else {}),
        "refusal": refusal,
        "has_personal_link": has_personal_link,
    }
    return render(request, "annotator/screening.html", context, status=refusal.status if refusal else 200)


def _screened_out(request: HttpRequest, questionnaire: Questionnaire) -> HttpResponse:
    study = questionnaire.study
    if study.recruitment == Study.Recruitment.PROLIFIC:
        return outcome_page(request, study, Outcome.SCREENED_OUT)
    return render(request, "annotator/screened_out.html", {"study": study, "ending": questionnaire.ending})


def _result(request: HttpRequest, questionnaire: Questionnaire, person: str) -> Screening | None:
    return earlier_screening(questionnaire, person=person, public_id=_held(request, questionnaire.study))


def _held(request: HttpRequest, study: Study) -> str:
    """Return the ID of the result in this browser's cookie, or an empty string for a missing or forged cookie."""
    return request.get_signed_cookie(_cookie(study), default="", salt="screening", max_age=YEAR) or ""


def _cookie(study: Study) -> str:
    return f"{settings.COOKIE_PREFIX}accord-{study.public_id}-screening"
