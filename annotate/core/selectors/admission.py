"""Rules that admit or exclude people who took part in other studies by the same owner."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotate.core.permissions import Action, permitted_studies
from annotate.models import Annotator, Membership, Participation, Study, User


def may_take_part(study: Study, *, platform: str, external_id: str, verified: bool) -> bool:
    """Return whether the study's rules about other studies admit this person. If the study has no rules about other
    studies, no query is needed.

    Only verified IDs are compared, because anyone can invent or borrow an unverified ID. An unverified person is
    therefore never excluded and never admitted by a list.
    """
    if not study.excluded_studies and not study.admitted_studies:
        return True
    if platform in (Annotator.Platform.TRY, Annotator.Platform.SIMULATED, Annotator.Platform.SYSTEM):
        return True
    identified = verified and external_id != ""
    if study.excluded_studies and identified and _took_part(study, study.excluded_studies, platform, external_id):
        return False
    if not study.admitted_studies:
        return True
    return identified and _took_part(study, study.admitted_studies, platform, external_id)


def is_admitted(participation: Participation) -> bool:
    """Return whether the study's rules about other studies still allow the annotator to claim HITs."""
    person = participation.annotator
    return may_take_part(
        participation.study, platform=person.platform, external_id=person.external_id, verified=person.verified
    )


def linkable_studies(user: User, *, apart_from: Study | None = None) -> QuerySet[Study]:
    """Return the studies that can be linked to one of this user's studies, newest first."""
    owned = permitted_studies(user, Action.LINK_STUDIES)
    others = owned.exclude(pk=apart_from.pk) if apart_from else owned
    return others.order_by("-created_at", "-pk")


def people_with(platform: str, external_id: str) -> QuerySet[Annotator]:
    """Return the annotators who have this platform ID in any study on this server."""
    return Annotator.objects.filter(platform=platform, external_id=external_id).exclude(external_id="")


def _took_part(study: Study, others: Sequence[str], platform: str, external_id: str) -> bool:
    """Return whether the person has joined any of the studies in `others`. Studies that have no owner in common with
    this study are ignored.
    """
    owners = Membership.objects.filter(study=study, role=Membership.Role.OWNER).values("user")
    shared = Membership.objects.filter(study=OuterRef("study"), role=Membership.Role.OWNER, user__in=owners)
    joined = Participation.objects.filter(annotator=OuterRef("pk"))
    return (
        people_with(platform, external_id)
        .filter(Q(verified=True), Exists(shared), Exists(joined), study__public_id__in=list(others))
        .exists()
    )
