"""Services that remove personal data from the submissions reported by Prolific."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Exists, OuterRef, QuerySet

from annotate.models import Annotator, ProlificSubmission, ReportedSubmission, Study, SubmissionImport
from annotate.server import clock

PREVIEW_KEPT = timedelta(days=1)


def delete_reported_submissions(annotators: QuerySet[Annotator]) -> None:
    """Delete these annotators' reported submissions. Earlier imports in their studies can no longer be undone, because
    the earlier values contain the same IDs.
    """
    people = annotators.filter(platform=Annotator.Platform.PROLIFIC).exclude(external_id="")
    same = people.filter(study=OuterRef("study"), external_id=OuterRef("participant_id"))
    own = ProlificSubmission.objects.filter(participation__annotator__in=annotators).exclude(submission_id="")
    theirs = own.filter(study=OuterRef("study"), submission_id=OuterRef("submission_id"))
    ReportedSubmission.objects.filter(Exists(same) | Exists(theirs)).delete()
    _empty(SubmissionImport.objects.filter(study__in=people.values("study")))


def delete_all_reported_submissions(study: Study) -> None:
    """Delete all of a study's reported submissions."""
    study.reported_submissions.all().delete()
    _empty(study.submission_imports.all())


def delete_old_previews() -> int:
    """Delete previews that were not imported within a day, because they contain participant IDs. Return their
    number.
    """
    old = SubmissionImport.objects.filter(imported_at=None, created_at__lt=clock.now() - PREVIEW_KEPT)
    return old.delete()[0]


def _empty(imports: QuerySet[SubmissionImport]) -> None:
    imports.filter(imported_at=None).delete()
    imports.update(before={})
