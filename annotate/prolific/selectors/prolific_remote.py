"""Functions that return whether a study can use Prolific's API, and the study on Prolific that is linked to it."""

from __future__ import annotations

from django.conf import settings

from annotate.models import ProlificStudy, Study


def allows_api(study: Study) -> bool:
    """Return whether the operator has set a token and has listed the study in `ACCORD_PROLIFIC_STUDIES`.

    The token gives access to the money of one account on Prolific, but everybody with an account in Accord can create
    studies.
    """
    if not settings.PROLIFIC_TOKEN or study.recruitment != Study.Recruitment.PROLIFIC:
        return False
    return "*" in settings.PROLIFIC_STUDIES or study.public_id in settings.PROLIFIC_STUDIES


def linked_study(study: Study) -> str:
    """Return Prolific's ID for the study, or an empty string if the study is not linked to a study on Prolific."""
    linked = ProlificStudy.objects.filter(study=study).first()
    return linked.prolific_id if linked else ""
