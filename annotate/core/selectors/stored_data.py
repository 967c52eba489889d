"""The information on stored data that annotators see in a study without a privacy notice."""

from __future__ import annotations

from django.utils.translation import ngettext

from annotate.models import Membership, Study


def stored_data(study: Study) -> str:
    """Return sentences that state who stores which data about annotators, and for how long."""
    owners = study.memberships.filter(role=Membership.Role.OWNER).select_related("user").order_by("pk")
    return ngettext(
        "The research team (%(names)s) stores your answers with their times, and the name and any e-mail address "
        "that you were invited with. The name and the address are removed %(days)s day after the study ends.",
        "The research team (%(names)s) stores your answers with their times, and the name and any e-mail address "
        "that you were invited with. The name and the address are removed %(days)s days after the study ends.",
        study.retention_days,
    ) % {"names": ", ".join(str(owner.user) for owner in owners), "days": study.retention_days}
