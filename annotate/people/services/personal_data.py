"""Removal of personal data. Answers are kept under pseudonyms, which differ between studies."""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from annotate.core.permissions import Action, permitted_studies
from annotate.core.selectors.admission import people_with
from annotate.core.services.activity import delete_activity
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import (
    Annotator,
    NamedAnnotator,
    NetworkSighting,
    Participation,
    ProlificSubmission,
    Study,
    User,
)
from annotate.models.event import REMOVED_PERSONAL_DATA
from annotate.prolific.services.prolific_removal import delete_reported_submissions
from annotate.recruiting.services.listed import remove_from_lists
from annotate.recruiting.services.screening import remove_screening_answers
from annotate.recruiting.services.survey import delete_survey_answers
from annotate.server.refusals import Refused


def remove_personal_data(annotator_id: int, *, user: User, reason: str, limited_to: int | None = None) -> int:
    """Remove an annotator's platform ID, contact, resume codes, questionnaire answers and activity summaries. Return
    the number of studies from which data was removed.

    The data is removed from every study that the user manages and in which the same platform ID takes part. For an
    administrator, these are all studies on the server. If `limited_to` is specified, only this study is changed. Raises
    `Refused` (`not-allowed`) if the annotator's own study is not included.
    """
    with write():
        annotator = Annotator.objects.get(pk=annotator_id)
        same = Q(pk=annotator.pk) | Q(pk__in=people_with(annotator.platform, annotator.external_id).values("pk"))
        annotators = Annotator.objects.filter(same)
        if not is_administrator(user):
            annotators = annotators.filter(study__in=permitted_studies(user, Action.REMOVE_PERSONAL_DATA))
        if limited_to is not None:
            annotators = annotators.filter(study=limited_to)
        participations = list(Participation.objects.locked().filter(annotator__in=annotators).order_by("pk"))
        annotator_ids = [participation.annotator_id for participation in participations]
        if annotator_id not in annotator_ids:
            raise Refused(
                "not-allowed", "Only members who manage a study can remove personal data from it.", status=403
            )
        remove_identities(Annotator.objects.filter(pk__in=annotator_ids))
        for participation in participations:
            record(participation.study, REMOVED_PERSONAL_DATA, user=user, participation=participation, reason=reason)
        return len(participations)


def remove_identities(annotators: QuerySet[Annotator]) -> int:
    """Remove these annotators' identifying data, activity summaries and questionnaire answers. Return the number of
    annotators whose data was removed.
    """
    remove_from_lists(annotators)
    NetworkSighting.objects.filter(participation__annotator__in=annotators).delete()
    remove_screening_answers(annotators)
    delete_activity(Q(annotator__in=annotators))
    delete_survey_answers(Participation.objects.filter(annotator__in=annotators))
    Participation.objects.filter(annotator__in=annotators).update(resume_hash=None, resume_until=None)
    # If a named annotator has no name, the annotator's reservations have no effect, and other annotators can claim the
    # slots.
    Study.objects.filter(named_annotators__participation__annotator__in=annotators).update(supply=F("supply") + 1)
    NamedAnnotator.objects.filter(participation__annotator__in=annotators).update(name="", email="", mail_fault="")
    remove_submission_ids(annotators)
    return annotators.update(external_id="", contact="", verified=False)


def remove_submission_ids(annotators: QuerySet[Annotator]) -> int:
    """Remove Prolific's IDs from these annotators' submissions, including submissions without a participation. Return
    the number of changed submissions.
    """
    same = annotators.filter(study=OuterRef("study"), external_id=OuterRef("participant_id")).exclude(external_id="")
    own = Q(participation__annotator__in=annotators) | Exists(same.filter(platform=Annotator.Platform.PROLIFIC))
    delete_reported_submissions(annotators)
    return ProlificSubmission.objects.filter(own).update(participant_id="", submission_id="")


def is_administrator(user: User) -> bool:
    """Return whether the user is an administrator of this server."""
    return user.is_active and (user.is_superuser or user.is_staff)
