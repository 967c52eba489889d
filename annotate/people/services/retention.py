"""Services that remove personal data after the retention period, which begins when a study is closed."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Exists, OuterRef

from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import (
    Annotator,
    Participation,
    ProlificSubmission,
    ReportedSubmission,
    Screening,
    Study,
)
from annotate.models.event import REMOVED_PERSONAL_DATA
from annotate.prolific.services.prolific_removal import delete_all_reported_submissions
from annotate.recruiting.services.survey import replace_survey_answers_by_totals
from annotate.server import clock

from .personal_data import remove_identities

CLOSED = (Study.State.CLOSED, Study.State.ARCHIVED)


def remove_expired_personal_data() -> int:
    """Remove platform IDs, contacts, resume codes and activity summaries from studies whose retention period has ended.

    The annotators' answers stay under their pseudonyms, and each study's log records the removal. IDs from Prolific
    that were stored after the retention period are removed, too. Returns the number of studies.
    """
    now = clock.now()
    closed = Study.objects.filter(state__in=CLOSED, closed_at__lt=now)
    due = [
        study.pk
        for study in closed.filter(personal_data_removed_at=None)
        if study.closed_at and study.closed_at + timedelta(days=study.retention_days) <= now
    ]
    _remove_later_prolific_ids()
    return sum(_remove(study_id) for study_id in due)


def _remove_later_prolific_ids() -> None:
    """Remove IDs from Prolific that were stored after the retention period. People can still open a closed study's
    link, and researchers can import its submissions.
    """
    done = Study.objects.filter(state__in=CLOSED).exclude(personal_data_removed_at=None)
    arrived = ProlificSubmission.objects.filter(study=OuterRef("pk")).exclude(participant_id="", submission_id="")
    reported = ReportedSubmission.objects.filter(study=OuterRef("pk"))
    for study_id in list(done.filter(Exists(arrived) | Exists(reported)).values_list("pk", flat=True)):
        with write():
            study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
            if study.state in CLOSED and study.personal_data_removed_at:
                study.prolific_submissions.update(participant_id="", submission_id="")
                delete_all_reported_submissions(study)
                record(study, REMOVED_PERSONAL_DATA, reason="stored after the retention period")


def _remove(study_id: int) -> bool:
    with write():
        # Payments lock participations in the same order, so deadlocks cannot occur.
        list(Participation.objects.locked().filter(study=study_id).order_by("pk").values_list("pk"))
        study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
        if study.state not in CLOSED or study.personal_data_removed_at:
            return False  # reopened, or already done by another worker
        replace_survey_answers_by_totals(study)
        study.waiting.all().delete()
        study.listed.all().delete()
        # The removal includes the results of people who were screened out or did not join.
        Screening.objects.filter(questionnaire__study=study).update(person_hash="", answers=None)
        annotators = remove_identities(Annotator.objects.filter(study=study))
        study.named_annotators.update(name="", email="", mail_fault="")  # also of people who have never joined
        study.prolific_submissions.update(participant_id="", submission_id="")
        delete_all_reported_submissions(study)
        Study.objects.filter(pk=study.pk).update(personal_data_removed_at=clock.now())
        record(
            study,
            REMOVED_PERSONAL_DATA,
            annotators=annotators,
            reason=f"{study.retention_days} days after the study was closed",
        )
        return True
