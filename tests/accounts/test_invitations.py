"""Tests that members join through personal links that confirm their address, and that an address alone
gives no access.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from annotate.accounts.services import account_of, confirm_address, create_account
from annotate.core.services.credentials import new_api_token
from annotate.models import Invitation, Membership, Study, User
from annotate.server.refusals import Refused
from annotate.studies.services.members import accept, change_role, invitation_link, invite, remove_member, withdraw
from tests.factories import PASSWORD, MembershipFactory, UserFactory, make_study
from tests.markup import markup
from tests.signing_in import CODE, add_second_factor, code_of, is_signed_in, sign_in

pytestmark = pytest.mark.django_db

ADA = "ada@example.org"


@pytest.fixture(autouse=True)
def _forget_failures() -> None:
    cache.clear()


@pytest.fixture
def study() -> Study:
    return make_study()


@pytest.fixture
def owner(study: Study) -> User:
    return study.memberships.get().user


@pytest.fixture
def invitation(study: Study, owner: User) -> Invitation:
    return invite(study.pk, email=ADA, role="reviewer", user=owner)


def path_of(invitation: Invitation) -> str:
    return "/invitation/" + invitation_link(invitation).partition("/invitation/")[2]


def token_of(invitation: Invitation) -> str:
    return path_of(invitation).split("/")[2]


def new_account(**changes: str) -> dict[str, str]:
    return {"name": "Ada", "password": PASSWORD, "repeated": PASSWORD} | changes


def roles(study: Study) -> dict[str, str]:
    return dict(study.memberships.values_list("user__email", "role"))


def signed_in_as(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


# ── inviting ──────────────────────────────────────────────────────────────────────────────────────────────────
def test_without_a_mail_server_an_owner_copies_the_link(study: Study, owner: User) -> None:
    page = signed_in_as(owner).post(
        f"/console/{study.public_id}/members/invite/", {"email": "Ada@Example.org", "role": "reviewer"}, follow=True
    )
    invitation = study.invitations.get()
    assert (invitation.email, invitation.role) == (ADA, "reviewer")
    assert invitation_link(invitation) in markup(page)
    assert not mail.outbox


def test_with_a_mail_server_the_link_goes_to_the_address_alone(study: Study, owner: User, settings) -> None:
    settings.EMAIL_HOST = "smtp.example.org"
    page = signed_in_as(owner).post(
        f"/console/{study.public_id}/members/invite/", {"email": ADA, "role": "viewer"}, follow=True
    )
    (sent,) = mail.outbox
    assert sent.to == [ADA]
    assert invitation_link(study.invitations.get()) in sent.body
    assert invitation_link(study.invitations.get()) not in markup(page)


def test_a_mail_server_that_fails_is_reported(study: Study, owner: User, settings, monkeypatch) -> None:
    settings.EMAIL_HOST = "smtp.example.org"

    def refuse(*_: object, **__: object) -> None:
        raise OSError("connection refused")

    monkeypatch.setattr("annotate.studies.services.members.send_mail", refuse)
    page = signed_in_as(owner).post(
        f"/console/{study.public_id}/members/invite/", {"email": ADA, "role": "viewer"}, follow=True
    )
    assert "could not be sent (connection refused)" in markup(page)


@pytest.mark.parametrize("role", ["viewer", "reviewer", "manager"])
def test_only_owners_invite_and_see_invitations(study: Study, invitation: Invitation, role: str) -> None:
    client = signed_in_as(MembershipFactory(study=study, role=role).user)
    invite_path = f"/console/{study.public_id}/members/invite/"
    assert client.post(invite_path, {"email": "b@example.org", "role": "owner"}).status_code == 404
    assert ADA not in markup(client.get(f"/console/{study.public_id}/members/"))


def test_a_new_invitation_replaces_the_pending_one(study: Study, owner: User, invitation: Invitation) -> None:
    invite(study.pk, email=ADA, role="viewer", user=owner)
    assert Client().get(path_of(invitation)).status_code == 404
    assert study.invitations.get().role == "viewer"


def test_members_and_unknown_roles_are_refused(study: Study, owner: User) -> None:
    with pytest.raises(Refused, match="is already a member"):
        invite(study.pk, email=owner.email, role="viewer", user=owner)
    for role in ("king", ""):
        with pytest.raises(Refused, match="The role “"):
            invite(study.pk, email=ADA, role=role, user=owner)


def test_the_invitations_of_an_owner_end_with_the_ownership(study: Study, owner: User, invitation: Invitation) -> None:
    other = MembershipFactory(study=study, role="owner").user
    change_role(study.pk, member=owner, role="manager", user=other)
    assert Client().get(path_of(invitation)).status_code == 404


# ── accepting ─────────────────────────────────────────────────────────────────────────────────────────────────
def test_the_link_creates_the_account_with_a_confirmed_address(
    client: Client, study: Study, invitation: Invitation
) -> None:
    assert client.get(path_of(invitation)).status_code == 200
    response = client.post(path_of(invitation), new_account())
    assert response["Location"] == f"/console/{study.public_id}/"
    assert is_signed_in(client)
    assert roles(study)[ADA] == "reviewer"
    assert account_of(ADA) == User.objects.get(email=ADA)


def test_opening_the_link_alone_changes_nothing(client: Client, study: Study, invitation: Invitation) -> None:
    for method in (client.get, client.head):
        method(path_of(invitation))
    assert ADA not in roles(study)
    assert not User.objects.filter(email=ADA).exists()


@pytest.mark.nightly
def test_a_confirmed_account_joins_after_signing_in(client: Client, study: Study, invitation: Invitation) -> None:
    user = create_account(ADA, password=PASSWORD)
    secret = add_second_factor(user)
    assert "To join, sign in to that account" in markup(client.get(path_of(invitation)))
    client.post(path_of(invitation), new_account())
    assert ADA not in roles(study)
    sign_in(client, user)
    client.post(CODE, {"code": code_of(secret)})
    assert client.post(path_of(invitation)).status_code == 302
    assert roles(study)[ADA] == "reviewer"


def test_a_link_works_once(study: Study, invitation: Invitation) -> None:
    Client().post(path_of(invitation), new_account())
    again = Client()
    assert again.post(path_of(invitation), new_account()).status_code == 404
    assert not is_signed_in(again)
    assert len(roles(study)) == 2


def test_expired_withdrawn_and_forged_links_do_not_work(study: Study, owner: User, invitation: Invitation) -> None:
    forged = path_of(invitation)[:-3] + "xx/"
    assert Client().post(forged, new_account()).status_code == 404
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert Client().post(path_of(invitation), new_account()).status_code == 404
    Invitation.objects.update(expires_at=timezone.now() + timedelta(days=1))
    assert Client().get(path_of(invitation)).status_code == 200
    withdraw(study.pk, invitation=invitation.public_id, user=owner)
    assert Client().post(path_of(invitation), new_account()).status_code == 404
    assert not User.objects.filter(email=ADA).exists()


def test_somebody_else_cannot_accept(study: Study, invitation: Invitation) -> None:
    other = create_account("eve@example.org", password=PASSWORD)
    client = signed_in_as(other)
    assert "You are signed in as eve@example.org" in markup(client.get(path_of(invitation)))
    client.post(path_of(invitation))
    with pytest.raises(Refused, match="not confirmed for this account"):
        accept(token_of(invitation), user=other)
    assert set(roles(study)) == {study.memberships.get().user.email}


def test_an_unconfirmed_account_with_the_address_never_becomes_a_member(
    client: Client, study: Study, invitation: Invitation
) -> None:
    squatter = UserFactory(email=ADA)
    signed_in_as(squatter).post(path_of(invitation))
    with pytest.raises(Refused, match="not confirmed"):
        accept(token_of(invitation), user=squatter)
    client.post(path_of(invitation), new_account())
    assert ADA not in roles(study)
    assert not EmailAddress.objects.filter(verified=True).exists()


def test_the_password_and_the_link_confirm_ones_own_account(study: Study, invitation: Invitation) -> None:
    client = signed_in_as(UserFactory(email=ADA))
    assert client.post(path_of(invitation), {"password": "wrong"}).status_code == 422
    assert ADA not in roles(study)
    assert client.post(path_of(invitation), {"password": PASSWORD}).status_code == 302
    assert roles(study)[ADA] == "reviewer"
    assert account_of(ADA) is not None


def test_weak_and_differing_passwords_are_refused(client: Client, invitation: Invitation) -> None:
    for changes in ({"password": "short", "repeated": "short"}, {"repeated": "another password"}):
        assert client.post(path_of(invitation), new_account(**changes)).status_code == 422
    assert not User.objects.filter(email=ADA).exists()
    assert client.post(path_of(invitation), new_account()).status_code == 302


def test_an_annotator_of_a_study_for_accounts_joins_without_seeing_it(client: Client) -> None:
    study = make_study(admission=Study.Admission.ACCOUNT)
    invitation = invite(study.pk, email=ADA, role="", user=study.memberships.get().user)
    response = client.post(path_of(invitation), new_account())
    assert response["Location"] == f"/join/{study.join_token}"
    assert client.get(f"/console/{study.public_id}/").status_code == 404


# ── signing up ────────────────────────────────────────────────────────────────────────────────────────────────
def test_signing_up_is_by_invitation_unless_set_otherwise(client: Client, settings) -> None:
    form = {"email": ADA, "password1": PASSWORD, "password2": PASSWORD}
    page = markup(client.post("/accounts/signup/", form))
    assert "You need an invitation to sign up" in page
    assert "Sign up" not in markup(client.get("/accounts/login/"))
    assert not User.objects.exists()
    settings.SIGNUP_OPEN = True
    assert "Sign up" in markup(client.get("/accounts/login/"))
    client.post("/accounts/signup/", form)
    assert User.objects.get().email == ADA


def test_the_address_of_an_open_sign_up_is_not_confirmed(client: Client, settings) -> None:
    settings.SIGNUP_OPEN = True
    client.post("/accounts/signup/", {"email": ADA, "password1": PASSWORD, "password2": PASSWORD})
    assert account_of(ADA) is None


def test_with_mandatory_confirmation_nobody_signs_in_before_it(client: Client, settings) -> None:
    settings.SIGNUP_OPEN, settings.ACCOUNT_EMAIL_VERIFICATION = True, "mandatory"
    client.post("/accounts/signup/", {"email": ADA, "password1": PASSWORD, "password2": PASSWORD})
    assert not is_signed_in(client)
    (sent,) = mail.outbox
    link = sent.body[sent.body.index("/accounts/confirm-email/") :].split()[0]
    client.post(link)
    assert account_of(ADA) is not None
    assert not is_signed_in(client), "a confirmed address signs nobody in"
    sign_in(client, User.objects.get())
    assert is_signed_in(client)


def test_an_administrator_from_the_command_line_is_confirmed() -> None:
    user = User.objects.create_superuser("root@example.org", PASSWORD)
    assert account_of("root@example.org") == user


def test_an_address_is_confirmed_for_one_account_only() -> None:
    create_account(ADA)
    thief = UserFactory(email="thief@example.org")
    User.objects.filter(pk=thief.pk).update(email="x@example.org")
    EmailAddress.objects.create(user=thief, email=ADA)
    thief.email = ADA
    with pytest.raises(Refused, match="confirmed for another account"):
        confirm_address(thief)


# ── roles ─────────────────────────────────────────────────────────────────────────────────────────────────────
def test_members_get_other_roles_and_leave(study: Study, owner: User) -> None:
    client, member = signed_in_as(owner), MembershipFactory(study=study, role="viewer").user
    base = f"/console/{study.public_id}/members/{member.public_id}"
    client.post(f"{base}/role/", {"role": "manager"})
    assert roles(study)[member.email] == "manager"
    client.post(f"{base}/remove/")
    assert set(roles(study)) == {owner.email}


def test_the_last_owner_stays(study: Study, owner: User) -> None:
    for lose in (
        lambda: remove_member(study.pk, member=owner, user=owner),
        lambda: change_role(study.pk, member=owner, role="viewer", user=owner),
    ):
        with pytest.raises(Refused, match="A study needs an owner"):
            lose()
    assert roles(study) == {owner.email: Membership.Role.OWNER}


def test_a_former_owner_changes_no_members(study: Study, owner: User) -> None:
    other = MembershipFactory(study=study, role="owner").user
    change_role(study.pk, member=owner, role="manager", user=other)
    with pytest.raises(Refused, match="Your role in this study does not allow this action: change members"):
        remove_member(study.pk, member=other, user=owner)
    with pytest.raises(Refused, match="Your role in this study does not allow this action: change members"):
        invite(study.pk, email=ADA, role="viewer", user=owner)


def test_the_only_owner_can_neither_leave_nor_become_less(study: Study, owner: User) -> None:
    client = Client()
    client.force_login(owner)
    page = f"/console/{study.public_id}/members/"
    assert b'data-opens="remove-' not in client.get(page).content
    for path in ("remove", "role"):
        reply = client.post(f"{page}{owner.public_id}/{path}/", {"role": "viewer"}, follow=True)
        assert "A study needs an owner." in reply.content.decode()
    assert roles(study) == {owner.email: "owner"}
    MembershipFactory(study=study, role="owner")
    assert client.get(page).content.count(b'data-opens="remove-') == 2


# ── the API ───────────────────────────────────────────────────────────────────────────────────────────────────
def test_a_script_invites_and_manages_members(study: Study, owner: User) -> None:
    api = Client(headers={"Authorization": f"Token {new_api_token(owner, 'script')[1]}"})
    base = f"/api/v1/studies/{study.public_id}"
    json = {"content_type": "application/json"}
    invited = api.post(f"{base}/invitations", {"email": ADA, "role": "reviewer"}, **json).json()
    assert invited["link"] == invitation_link(study.invitations.get())
    assert [one["email"] for one in api.get(f"{base}/invitations").json()["results"]] == [ADA]
    Client().post(invited["link"].removeprefix(settings.SITE_URL), new_account())
    members = {one["email"]: one for one in api.get(f"{base}/members").json()["results"]}
    assert {email: member["role"] for email, member in members.items()} == {owner.email: "owner", ADA: "reviewer"}
    changed = api.patch(f"{base}/members/{members[ADA]['id']}", {"role": "manager"}, **json)
    assert (changed.status_code, roles(study)[ADA]) == (200, "manager")
    last = api.delete(f"{base}/members/{members[owner.email]['id']}")
    assert (last.status_code, last.json()["code"]) == (409, "last-owner")
    assert api.delete(f"{base}/members/{members[ADA]['id']}").status_code == 204
    assert api.delete(f"{base}/members/{members[ADA]['id']}").json()["code"] == "unknown"
    assert set(roles(study)) == {owner.email}


def test_a_script_gets_no_link_that_was_sent_by_e_mail(study: Study, owner: User, settings) -> None:
    settings.EMAIL_HOST = "smtp.example.org"
    api = Client(headers={"Authorization": f"Token {new_api_token(owner, 'script')[1]}"})
    path = f"/api/v1/studies/{study.public_id}/invitations"
    invited = api.post(path, {"email": ADA, "role": "viewer"}, content_type="application/json").json()
    assert invited["link"] is None
    assert invitation_link(study.invitations.get()) in mail.outbox[0].body
    for status in (204, 404):
        assert api.delete(f"{path}/{invited['id']}").status_code == status
    assert not study.invitations.exists()
