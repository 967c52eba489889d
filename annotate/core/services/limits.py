"""The limits on joining a study: the maximum number of annotators and the deadlines."""

from __future__ import annotations

from django.utils.translation import gettext as _

from annotate.core.selectors.limits import in_time_zone, is_full, joining_ends_at, joining_is_over
from annotate.models import Study
from annotate.server.refusals import Refused

DEADLINES = ("joining_ends_at", "claiming_ends_at")
FIRST_YEAR = 2000  # Earlier deadlines are typing errors, such as 18 for 2018.
LAST_YEAR = 9998  # The year after it ends beyond the range of datetime in some time zones.


def limit_errors(study: Study) -> dict[str, list[str]]:
    """Return the errors in the study's limits on joining, by setting."""
    errors: dict[str, list[str]] = {}
    joining, claiming = study.joining_ends_at, study.claiming_ends_at
    if joining and claiming and claiming < joining:
        errors["claiming_ends_at"] = ["cannot be earlier than the deadline for joining"]
    for name in DEADLINES:
        deadline = getattr(study, name)
        if deadline and deadline.year < FIRST_YEAR:
            errors[name] = [f"must be in the year {FIRST_YEAR} or later"]
        elif deadline and deadline.year > LAST_YEAR:
            errors[name] = [f"must be in the year {LAST_YEAR} or earlier"]
    if study.waiting_list and study.annotator_limit is None:
        errors["waiting_list"] = ["needs a maximum number of annotators"]
    elif study.waiting_list and study.recruitment == Study.Recruitment.PROLIFIC:
        errors["waiting_list"] = ["is not possible with Prolific, which limits the number of participants itself"]
    elif study.waiting_list and study.recruitment == Study.Recruitment.PANEL:
        errors["waiting_list"] = ["is not possible with another panel, because its links contain the participant's ID"]
    elif study.waiting_list and study.admission == Study.Admission.NAMED:
        errors["waiting_list"] = ["is not possible if only named annotators can join"]
    return errors


def lock_places(study: Study) -> None:
    """Lock the study's row until the transaction ends if the number of annotators is limited. Therefore, two people who
    join at the same time cannot both take the last place.
    """
    if study.annotator_limit is not None:
        locked = Study.objects.select_for_update(no_key=True).filter(pk=study.pk)
        study.annotator_limit = locked.values_list("annotator_limit", flat=True).get()


def require_place(study: Study, waiting: str = "") -> None:
    """Raise `Refused` (`over` after a deadline, `full` if all places are taken), and remove the person from the waiting
    list. The caller must first lock the places. `waiting` is the public ID of the person on the waiting list.
    """
    refusal = too_late(study, waiting)
    if refusal:
        raise refusal
    if waiting:
        study.waiting.filter(public_id=waiting).delete()


def too_late(study: Study, waiting: str = "") -> Refused | None:
    """Return the reason why the study does not admit the person, or None if the person can join. `waiting` is the
    public ID of the person on the waiting list.
    """
    if joining_is_over(study):
        ended = in_time_zone(study, joining_ends_at(study))
        return Refused("over", _("You could join this study until %(time)s.") % {"time": ended}, status=403)
    if is_full(study, waiting):
        return Refused("full", _("All places in this study are taken. Thank you for your interest."), status=403)
    return None
