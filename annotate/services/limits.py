"""Limits on joining a study: the maximum number of annotators and the deadlines."""

from __future__ import annotations

from django.utils.translation import gettext as _

from annotate.models import Study
from annotate.refusals import Refused
from annotate.selectors.limits import in_time_zone, is_full, joining_ends_at, joining_is_over

DEADLINES = ("joining_ends_at", "claiming_ends_at")


def limit_errors(study: Study) -> dict[str, list[str]]:
    """Return the errors in the study's limits on joining, keyed by setting."""
    joining, claiming = study.joining_ends_at, study.claiming_ends_at
    if joining and claiming and claiming < joining:
        return {"claiming_ends_at": ["cannot be earlier than the deadline for joining"]}
    return {}


def lock_places(study: Study) -> None:
    """Lock the study's row until the transaction ends if the number of annotators is limited. Two people who join at
    the same time therefore cannot both take the last place.
    """
    if study.annotator_limit is not None:
        locked = Study.objects.select_for_update(no_key=True).filter(pk=study.pk)
        study.annotator_limit = locked.values_list("annotator_limit", flat=True).get()


def require_place(study: Study) -> None:
    """Raise `Refused` (`over` after a deadline, `full` if all places are taken). The caller must lock the places."""
    refusal = too_late(study)
    if refusal:
        raise refusal


def too_late(study: Study) -> Refused | None:
    """Return the reason why the study admits nobody else, or None if people can still join."""
    if joining_is_over(study):
        ended = in_time_zone(study, joining_ends_at(study))
        return Refused("over", _("You could join this study until %(time)s.") % {"time": ended}, status=403)
    if is_full(study):
        return Refused("full", _("All places in this study are taken. Thank you for your interest."), status=403)
    return None
