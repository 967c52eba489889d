"""Services that invite people to a study, change members' roles and remove members.

Accepting an invitation through its link confirms the address, so invitations work without a mail server. An account
with an unconfirmed address gets no access through an invitation to that address.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string

from annotate.accounts.services import account_of, create_account
from annotate.core.permissions import SYSTEM, Action, Actor, locked_study, researcher
from annotate.core.services.credentials import INVITATION_LINKS
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import Invitation, Membership, Study, User
from annotate.server import clock
from annotate.server.refusals import Refused, existing


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
    return locked_study(study_id, user, Action.CHANGE_MEMBERS)


def _locked(study_id: int, member: User, user: Actor) -> Membership:
    study = lock_members(study_id, user)
    return existing(
        study.memberships.select_related("user", "study").filter(user=member).first(),
        f"{member} is not a member of this study.",
    )


def _keep_an_owner(membership: Membership, role: str | None) -> None:
    owners = membership.study.memberships.filter(role=Membership.Role.OWNER).exclude(pk=membership.pk)
    if membership.role == Membership.Role.OWNER and role != Membership.Role.OWNER and not owners.exists():
        raise Refused("last-owner", "A study needs an owner. Make another member an owner first.")


def _withdraw_invitations(membership: Membership) -> None:
    """Withdraw the pending invitations of a member who is no longer an owner."""
    if membership.role != Membership.Role.OWNER:
        membership.study.invitations.filter(invited_by=membership.user, accepted_at=None).delete()


def invite(study_id: int | None, *, email: str, role: str, user: Actor) -> Invitation:
    """Create an invitation, which replaces any pending invitation for the same address.

    Without a study, the invitation is for an account on this installation, and only the system can create it. Raises
    `Refused` with the code `invalid`, `member`, or `not-allowed`.
    """
    email = email.strip().lower()
    with write():
        study = lock_members(study_id, user) if study_id else None
        if study is None and user is not SYSTEM:
            raise Refused("not-allowed", "Only the operator of this installation can invite new accounts.", status=403)
        if study:
            _require_role(study, role)
            if study.memberships.filter(user__email=email).exists():
                raise Refused("member", f"{email} is already a member.", fields={"email": ["is already a member"]})
        Invitation.objects.filter(study=study, email=email, accepted_at=None).delete()
        invitation = Invitation.objects.create(
            study=study,
            email=email,
            role=role,
            invited_by=researcher(user),
            expires_at=clock.now() + timedelta(days=settings.INVITATION_DAYS),
        )
        if study:
            record(study, "invited", user=user, detail=_logged(invitation))
        return invitation


def withdraw(study_id: int, *, invitation: str, user: Actor) -> None:
    """Withdraw a pending invitation, so that its link no longer works."""
    with write():
        study = lock_members(study_id, user)
        for pending in study.invitations.filter(public_id=invitation, accepted_at=None):
            record(study, "withdrew invitation", user=user, detail=_logged(pending))
            pending.delete()


def _logged(invitation: Invitation) -> dict[str, str]:
    """Return the details for the log, without an annotator's address, because the log can never forget it."""
    return {"email": invitation.email, "role": invitation.role} if invitation.role else {"role": "annotator"}


def deliver(invitation: Invitation) -> bool:
    """Send the invitation by e-mail, and return True. If no mail server is configured, return False. Without a mail
    server, the inviting member must send the link returned by `shown_link`.

    Raises `Refused` (`mail`) if the mail server does not accept the message. The invitation stays pending.
    """
    if not mail_is_set_up():
        return False
    try:
        _mail(invitation)
    except OSError as error:
        message = f"The invitation to {invitation.email} could not be sent ({error}). Invite the address again."
        raise Refused("mail", message, status=503) from error
    return True


def _mail(invitation: Invitation) -> None:
    subject = f"Invitation to “{invitation.study.title}” on Accord" if invitation.study else "Invitation to Accord"
    context = {"invitation": invitation, "link": invitation_link(invitation)}
    text = render_to_string("studies/mail/invitation.txt", context)
    send_mail(subject, text, None, [invitation.email])


def mail_is_set_up() -> bool:
    """Return whether invitations are sent by e-mail. If invitations are not sent by e-mail, the members page shows the
    links.
    """
    return bool(settings.EMAIL_HOST)


def shown_link(invitation: Invitation) -> str:
    """Return the link that an owner can see and send, or an empty string if the invitation has expired or was sent by
    e-mail. If a link was sent only to the invited address, opening the link confirms this address.
    """
    return "" if mail_is_set_up() or invitation.has_expired else invitation_link(invitation)


def invitation_link(invitation: Invitation) -> str:
    return settings.SITE_URL + INVITATION_LINKS.path(invitation.public_id)


def invitation_of(token: str) -> Invitation:
    """Return the pending invitation for a link. Raises `Refused` (`invitation`) if the link is no longer valid."""
    public_id = INVITATION_LINKS.read(token)
    invitation = Invitation.objects.select_related("study", "invited_by").filter(public_id=public_id).first()
    if invitation is None or invitation.accepted_at or invitation.has_expired:
        raise Refused(
            "invitation",
            "This invitation is no longer valid. Ask the sender for a new invitation.",
            status=404,
        )
    return invitation


def accept(token: str, *, user: User) -> Invitation:
    """Accept an invitation to a study with an existing account. Raises `Refused` (`address`) if the account has not
    confirmed the invited address.
    """
    with write():
        invitation = _accepted(token)
        if account_of(invitation.email) != user:
            raise Refused("address", f"The address {invitation.email} is not confirmed for this account.", status=403)
        return _join(invitation, user)


def accept_with_new_account(token: str, *, name: str, password: str) -> Invitation:
    """Create an account for the invited address, and make it a member of the study. Raises `Refused` (`taken`) if an
    account with this address already exists.
    """
    with write():
        invitation = _accepted(token)
        return _join(invitation, create_account(invitation.email, name=name, password=password))


def _accepted(token: str) -> Invitation:
    """Mark the invitation as accepted, and return it. If two requests accept the same invitation at once, only one of
    them succeeds.
    """
    invitation = invitation_of(token)
    pending = Invitation.objects.filter(pk=invitation.pk, accepted_at=None)
    if not pending.update(accepted_at=clock.now()):
        raise Refused(
            "invitation",
            "This invitation has already been used. Ask the sender for a new invitation.",
            status=404,
        )
    return invitation


def _join(invitation: Invitation, user: User) -> Invitation:
    Invitation.objects.filter(pk=invitation.pk).update(accepted_by=user)
    if invitation.study and invitation.role:
        Membership.objects.get_or_create(study=invitation.study, user=user, defaults={"role": invitation.role})
        record(invitation.study, "joined by invitation", user=user, role=invitation.role)
    invitation.accepted_by = user
    return invitation


def _require_role(study: Study, role: str) -> None:
    annotator = role == "" and study.admission == Study.Admission.ACCOUNT
    if not annotator and role not in Membership.Role.values:
        raise Refused("invalid", f"The role “{role}” does not exist.", status=400, fields={"role": ["is not a role"]})
