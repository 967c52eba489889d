"""The number of HITs that an annotator can submit, also through submissions on Prolific."""

from __future__ import annotations

from annotate.models import Annotator, Participation, ProlificSettings, Study


def prolific_settings(study: Study) -> ProlificSettings:
    """Return the study's Prolific settings, or the default settings without completion codes if the study has never
    recruited on Prolific.
    """
    return ProlificSettings.objects.filter(study=study).first() or ProlificSettings(study=study)


def comes_from_prolific(participation: Participation) -> bool:
    """Return whether the annotator joined from Prolific and the study still recruits there."""
    recruits = participation.study.recruitment == Study.Recruitment.PROLIFIC
    return recruits and participation.annotator.platform == Annotator.Platform.PROLIFIC


def first_hit_limit(study: Study) -> int | None:
    """Return the maximum number of HITs that a new annotator can submit, or None if there is no limit. For participants
    from Prolific, this is the maximum for the first submission.
    """
    if study.recruitment != Study.Recruitment.PROLIFIC:
        return study.hits_per_annotator
    return _lower(study.hits_per_annotator, prolific_settings(study).hits_per_submission)


def hit_limit(participation: Participation) -> int | None:
    """Return the maximum number of HITs that the annotator can submit, or None if there is no limit.

    For participants from Prolific, each submission adds a fixed number of HITs.
    """
    limit = participation.study.hits_per_annotator
    if not comes_from_prolific(participation):
        return limit
    per_submission = prolific_settings(participation.study).hits_per_submission
    if per_submission is None:
        return limit
    # Participants who joined before Accord recorded submissions count as having one submission.
    own = per_submission * max(1, participation.prolific_submissions.count())
    return _lower(limit, own)


def _lower(first: int | None, second: int | None) -> int | None:
    """Return the lower of two limits. None means no limit."""
    return min((limit for limit in (first, second) if limit is not None), default=None)
