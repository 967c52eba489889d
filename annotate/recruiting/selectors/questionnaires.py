"""A study's questionnaires, and the numbers of people who passed or failed the screening."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils.crypto import salted_hmac

from annotate.models import Questionnaire, Screening, Study


def latest_questionnaire(study: Study, purpose: str) -> Questionnaire | None:
    """Return the latest version of a questionnaire, or None if the study has never had this questionnaire."""
    return study.questionnaires.filter(purpose=purpose).order_by("-version").first()


def active_screening(study: Study) -> Questionnaire | None:
    """Return the current screening questions, or None if the study has no screening questions."""
    latest = latest_questionnaire(study, Questionnaire.Purpose.SCREENING)
    return latest if latest and latest.questions else None


def screening_ending(study: Study) -> str:
    """Return the researchers' text for people who were screened out, or an empty string to use the default text."""
    latest = latest_questionnaire(study, Questionnaire.Purpose.SCREENING)
    return latest.ending if latest else ""


def earlier_screening(questionnaire: Questionnaire, *, person: str, public_id: str) -> Screening | None:
    """Return the result of this person's answers to this version of the screening questions, or None.

    `person` is the person's platform ID, and `public_id` is the ID of the result in this browser's cookie. Someone who
    was screened out in this browser or under this platform ID stays screened out. A result of an open link is valid for
    one annotator only.
    """
    hashed = person_hash(questionnaire.study, person) if person else ""
    same = Q(public_id=public_id) if public_id else Q()
    if hashed:
        same |= Q(person_hash=hashed)
    results = list(questionnaire.screenings.filter(same)) if same else []
    for result in results:
        if not result.is_admitted:
            return result
    if hashed:
        return next((result for result in results if result.person_hash == hashed), None)
    return next((result for result in results if result.participation_id is None), None)


def verified_id(participant: str) -> str:
    """Return the ID under which the screening result is stored for a participant confirmed by a signed token."""
    return f"verified {participant}"


def person_hash(study: Study, person: str) -> str:
    """Return a keyed hash of a platform ID, which cannot be reversed without the server's key. Hashes from different
    studies cannot be compared.
    """
    return salted_hmac("screened person", f"{study.public_id}\n{person}", algorithm="sha256").hexdigest()


@dataclass(frozen=True)
class ScreeningCounts:
    """The numbers of people who passed the screening, who then joined, and who were screened out."""

    admitted: int
    joined: int
    screened_out: int


def screening_counts(study: Study) -> ScreeningCounts:
    """Count the results of all versions of the screening questions."""
    results = Screening.objects.filter(questionnaire__study=study)
    return ScreeningCounts(
        **results.aggregate(
            admitted=Count("pk", filter=Q(is_admitted=True)),
            joined=Count("pk", filter=Q(participation__isnull=False)),
            screened_out=Count("pk", filter=Q(is_admitted=False)),
        )
    )
