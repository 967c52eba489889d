"""Services that change members' roles and remove members. `invitations.py` adds members."""

from __future__ import annotations

from annotate.core.permissions import Action, Actor, require
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import Membership, Study, User
from annotate.server.refusals import Refused


def change_role(study_id: int, *, member: User, role: str, user: Actor) -> Membership:
    """Change a member's role. Raises `Refused` with the code `last-owner`, `not-allowed`, `unknown` or `invalid`."""
    if role not in Membership.Role.values:
        raise Refused("invalid", f"The role “{role}” does not exist.", status=400, fields={"role": ["is not a role"]})
    with write():
        membership = _locked(study_id, member, user)
        _keep_an_owner(membership, role)
        before, membership.role = membership.role, role
        membership.save(update_fields=["role"])
        _withdraw_invitations(membership)
        record(membership.study, "changed role", user=user, member=membership.user.email, before=before, role=role)
        return membership


def remove_member(study_id: int, *, member: User, user: Actor) -> None:
    """Remove a member, and withdraw the pending invitations that the member created. Raises `Refused` with the code
    `last-owner`, `not-allowed` or `unknown`.
    """
    with write():
        membership = _locked(study_id, member, user)
        _keep_an_owner(membership, None)
        record(membership.study, "removed member", user=user, member=membership.user.email)
        membership.role = ""
        _withdraw_invitations(membership)
        membership.delete()


def lock_members(study_id: int, user: Actor) -> Study:
    """Lock the study in order to change its members, and return the study. `user` must be an owner, or the system.

    Without the lock, two owners could remove each other at the same time and leave the study without an owner.
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=study_id)
    require(study, user, Action.CHANGE_MEMBERS)
    return study


def _locked(study_id: int, member: User, user: Actor) -> Membership:
    study = lock_members(study_id, user)
    membership = study.memberships.select_related("user", "study").filter(user=member).first()
    if membership is None:
        raise Refused("unknown", f"{member} is not a member of this study.", status=404)
    return membership


def _keep_an_owner(membership: Membership, role: str | None) -> None:
    owners = membership.study.memberships.filter(role=Membership.Role.OWNER).exclude(pk=membership.pk)
    if membership.role == Membership.Role.OWNER and role != Membership.Role.OWNER and not owners.exists():
        raise Refused("last-owner", "A study needs an owner. Make another member an owner first.")


def _withdraw_invitations(membership: Membership) -> None:
    """Withdraw the pending invitations of a member who is no longer an owner."""
    if membership.role != Membership.Role.OWNER:
        membership.study.invitations.filter(invited_by=membership.user, accepted_at=None).delete()
