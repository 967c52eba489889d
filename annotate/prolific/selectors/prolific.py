"""A study's Prolific settings, and the number of HITs that a participant from Prolific can get."""

from __future__ import annotations

from annotate.models import Annotator, Outcome, Participation, ProlificSubmission, Study

# Prolific replaces the placeholders in a study's URL with the participant's IDs.
PLACEHOLDERS = {name: f"{{{{%{name}%}}}}" for name in ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")}


def study_url(join_url: str) -> str:
    """Return the URL that researchers enter on Prolific, with a placeholder for each ID."""
    return f"{join_url}?" + "&".join(f"{name}={placeholder}" for name, placeholder in PLACEHOLDERS.items())


def participation_from_prolific(study: Study, participant_id: str) -> Participation | None:
    """Return the participation of the person with this participant ID, or None if the person has not joined."""
    people = study.participations.select_related("study", "annotator").exclude(annotator__external_id="")
    return people.filter(annotator__platform=Annotator.Platform.PROLIFIC, annotator__external_id=participant_id).first()


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
