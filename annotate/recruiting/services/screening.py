"""Services for screening, in which people answer screening questions before they can join a study."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from annotate.core.services.archived import refuse_if_archived
from annotate.core.services.writing import write
from annotate.models import Annotator, Participation, Questionnaire, Screening, Study
from annotate.recruiting.questionnaires.answers import Answers, admits, read_answers
from annotate.recruiting.selectors import active_screening, earlier_screening, person_hash, verified_id
from annotate.server.refusals import Refused

SCREENED = frozenset(
    [Annotator.Platform.WEB, Annotator.Platform.ACCOUNT, Annotator.Platform.NAMED, Annotator.Platform.PROLIFIC]
)
CHUNK = 5_000  # hashes in one query


def screen(study: Study, raw: Answers, *, revision: str, person: str = "", public_id: str = "") -> Screening:
    """Store whether a person passes the screening, and return the result. The first result counts, so a person who
    answers the same version again gets the earlier result.

    `revision` is the revision of the questions that the person has read, `person` is the platform ID, and `public_id`
    identifies the result in this browser's cookie.

    Raises `Refused` with the code `stale` if the screening questions have changed, or `invalid` for missing or invalid
    answers.
    """
    with write():
        refuse_if_archived(study.pk)
        questionnaire = _locked(study, revision)
        earlier = earlier_screening(questionnaire, person=person, public_id=public_id)
        if earlier:
            return earlier
        answers = read_answers(questionnaire.entries, raw, may_decline=False)
        return Screening.objects.create(
            questionnaire=questionnaire,
            is_admitted=admits(questionnaire.entries, answers),
            person_hash=person_hash(study, person) if person else "",
            answers=answers if questionnaire.stores_answers else None,
        )


def passed_screening(study: Study, *, platform: str, is_program: bool, public_id: str) -> Screening | None:
    """Return the result with which a person can join, locked until the transaction ends. If the study or the platform
    needs no screening, return None.

    Raises `Refused` (`screening`) if the person has not passed the current screening questions, or if another person
    has already joined with this result.
    """
    questionnaire = active_screening(study)
    if questionnaire is None or is_program or platform not in SCREENED:
        return None
    results = questionnaire.screenings.select_for_update(of=("self",)).filter(is_admitted=True, participation=None)
    result = results.filter(public_id=public_id).first() if public_id else None
    if result is None:
        raise Refused("screening", _("Answer the screening questions before you take part."), status=403)
    return result


def join_with(result: Screening | None, participation: Participation) -> None:
    """Record that the annotator joined with this result, so that nobody else can use the result."""
    if result:
        result.participation = participation
        result.save(update_fields=["participation"])


def remove_screening_answers(annotators: QuerySet[Annotator]) -> None:
    """Remove these annotators' answers and hashes, including results that were not used to join, such as answers to an
    earlier version. The annotators' identities must not have been removed yet.
    """
    hashed = Screening.objects.exclude(person_hash="")
    in_study = Exists(hashed.filter(questionnaire__study=OuterRef("study")))
    identified = annotators.exclude(external_id="").filter(in_study).select_related("study")
    hashes = [
        person_hash(each.study, known)
        for each in identified.iterator()
        for known in (each.external_id, verified_id(each.external_id))
    ]
    for start in range(0, len(hashes), CHUNK):
        hashed.filter(person_hash__in=hashes[start : start + CHUNK]).update(person_hash="", answers=None)
    Screening.objects.filter(participation__annotator__in=annotators).update(person_hash="", answers=None)


def _locked(study: Study, revision: str) -> Questionnaire:
    """Lock the questionnaire, so that its questions do not change while the answers are stored."""
    screening = Questionnaire.objects.filter(study=study, purpose=Questionnaire.Purpose.SCREENING)
    latest = screening.select_for_update(no_key=True).order_by("-version").first()
    if latest is None or str(latest.revision) != revision:
        raise Refused(
            "stale", _("The questions have changed since you opened this page. Answer the current questions.")
        )
    return latest
