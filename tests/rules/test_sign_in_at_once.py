"""Tests of requests at the same time that use the same credential: each works once."""

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import INVITATION_LINKS, login_path
from annotate.models import User
from annotate.studies.services.members import invite
from tests.factories import PASSWORD, UserFactory, make_study
from tests.signing_in import CODE, add_second_factor, code_of, is_signed_in, sign_in

pytestmark = [pytest.mark.rules, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _forget_failures():
    cache.clear()


def browsers(user: User, number: int = 5) -> list[Client]:
    """Return browsers that have sent the user's password."""
    clients = [Client() for _ in range(number)]
    for client in clients:
        sign_in(client, user)
    return clients


def post_at_once(at_once, clients, path, forms):
    return at_once(
        [lambda client=client, form=form: client.post(path, form) for client, form in zip(clients, forms, strict=True)]
    )


def test_a_login_link_signs_in_one_browser(at_once):
    clients = [Client() for _ in range(5)]
    post_at_once(at_once, clients, login_path(UserFactory()), [{}] * 5)
    assert sum(map(is_signed_in, clients)) == 1


@pytest.mark.nightly
def test_a_code_of_an_authenticator_and_a_recovery_code_sign_in_one_browser(at_once):
    user = UserFactory()
    secret = add_second_factor(user)
    recovery = RecoveryCodes.activate(user).get_unused_codes()[0]
    for new_code in (lambda: code_of(secret), lambda: recovery):
        clients = browsers(user)  # signing in could take longer than a code is valid
        post_at_once(at_once, clients, CODE, [{"code": new_code()}] * 5)
        assert sum(map(is_signed_in, clients)) == 1
        cache.clear()


@pytest.mark.nightly
def test_one_of_several_new_second_factors_is_activated(at_once):
    user = UserFactory()
    clients, activate = browsers(user), reverse("mfa_activate_totp")
    for client in clients:
        client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
        client.get(activate)
    codes = [{"code": code_of(client.session["mfa.totp.secret"])} for client in clients]
    replies = post_at_once(at_once, clients, activate, codes)
    assert {reply.status_code for reply in replies} == {302}
    assert user.authenticator_set.filter(type="totp").count() == 1


@pytest.mark.nightly
def test_two_invitations_of_a_new_address_create_one_account(at_once):
    for email in ("ada@example.org", "ben@example.org", "cy@example.org"):
        invitations = [invite(None, email=email, role="", user=SYSTEM)]
        study = make_study(items=0, state="draft")
        invitations.append(invite(study.pk, email=email, role="viewer", user=study.memberships.get().user))
        form = {"name": "New", "password": "seven lakes of tin", "repeated": "seven lakes of tin"}
        paths = [INVITATION_LINKS.path(invitation.public_id) for invitation in invitations]
        replies = at_once([lambda path=path, form=form: Client().post(path, form) for path in paths])
        assert [reply.status_code for reply in replies].count(302) == 1
        assert max(reply.status_code for reply in replies) < 500
        assert User.objects.filter(email=email).count() == 1
