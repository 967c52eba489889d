"""A study's Prolific settings, and whether the study can use Prolific's API."""

from __future__ import annotations

from django.conf import settings

from annotate.models import Annotator, Job, Outcome, Participation, ProlificStudy, ProlificSubmission, Study

PAUSE = "prolific-pause"  # the kind of job that pauses the linked study
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


def allows_api(study: Study) -> bool:
    """Return whether the operator has set a token and has listed the study in `ACCORD_PROLIFIC_STUDIES`.

    The token gives access to the money of one account on Prolific, but everybody with an account in Accord can create
    studies.
    """
    if not settings.PROLIFIC_TOKEN or study.recruitment != Study.Recruitment.PROLIFIC:
        return False
    return "*" in settings.PROLIFIC_STUDIES or study.public_id in settings.PROLIFIC_STUDIES


def linked_study(study: Study) -> str:
    """Return the ID of the linked study on Prolific, or an empty string if there is none."""
    linked = ProlificStudy.objects.filter(study=study).first()
    return linked.prolific_id if linked else ""


def pauses_places(study: Study) -> bool:
    """Return whether Accord pauses the linked study on Prolific when this study pauses or closes."""
    return allows_api(study) and linked_study(study) != ""


def places_are_open(study: Study) -> bool:
    """Return whether a study that has paused can still have places on Prolific, because Accord has not paused them."""
    latest = study.jobs.filter(kind=PAUSE).order_by("-pk").first() if pauses_places(study) else None
    return study.recruitment == Study.Recruitment.PROLIFIC and (latest is None or latest.state != Job.State.DONE)
