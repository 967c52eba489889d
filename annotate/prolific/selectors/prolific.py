"""A study's Prolific settings, and the number of HITs that a participant from Prolific can get."""

from __future__ import annotations

from annotate.models import Annotator, Outcome, Participation, ProlificSettings, ProlificSubmission, Study

# Prolific replaces the placeholders in a study's URL with the participant's IDs.
PLACEHOLDERS = {name: f"{{{{%{name}%}}}}" for name in ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")}


def prolific_settings(study: Study) -> ProlificSettings:
    """Return the study's Prolific settings, or the default settings without completion codes if the study has never
    recruited on Prolific.
    """
    return ProlificSettings.objects.filter(study=study).first() or ProlificSettings(study=study)


def study_url(join_url: str) -> str:
    """Return the URL that researchers enter on Prolific, with a placeholder for each ID."""
    return f"{join_url}?" + "&".join(f"{name}={placeholder}" for name, placeholder in PLACEHOLDERS.items())


def comes_from_prolific(participation: Participation) -> bool:
    """Return whether the annotator joined from Prolific and the study still recruits there."""
    recruits = participation.study.recruitment == Study.Recruitment.PROLIFIC
    return recruits and participation.annotator.platform == Annotator.Platform.PROLIFIC


def participation_from_prolific(study: Study, participant_id: str) -> Participation | None:
    """Return the participation of the person with this participant ID, or None if the person has not joined."""
    people = study.participations.select_related("study", "annotator").exclude(annotator__external_id="")
    return people.filter(annotator__platform=Annotator.Platform.PROLIFIC, annotator__external_id=participant_id).first()


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


def latest_submission(participation: Participation) -> ProlificSubmission | None:
    """Return the participant's latest submission, or None if no submission has been recorded."""
    return participation.prolific_submissions.order_by("-pk").first()


def was_screened_out(study: Study, participant_id: str, *, verified: bool) -> bool:
    """Return whether the study has screened out a person with this participant ID. Anyone can invent an unverified ID,
    so its outcome never counts for the participant with the verified ID.
    """
    submissions = study.prolific_submissions.filter(participant_id=participant_id, outcome=Outcome.SCREENED_OUT)
    if verified:
        submissions = submissions.filter(verified=True)
    return participant_id != "" and submissions.exists()


def _lower(first: int | None, second: int | None) -> int | None:
    """Return the lower of two limits. None means no limit."""
    return min((limit for limit in (first, second) if limit is not None), default=None)
