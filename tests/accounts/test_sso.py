"""Tests of single sign-on against an OpenID Connect provider that runs as a process of its own."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from allauth.socialaccount.models import SocialAccount
from django.contrib.messages import get_messages
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from annotate.accounts.services import create_account
from annotate.core.services.credentials import login_path, new_api_token
from annotate.models import ApiToken, SignInEvent, User
from annotate.studies.services.members import invitation_link, invite
from tests.factories import PASSWORD, make_study, member_of
from tests.issuer import CALLBACK, START, Issuer, begin, running_issuer, sign_in_with
from tests.signing_in import CODE, LOGIN, add_second_factor, code_of, is_signed_in, sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def running() -> Iterator[Issuer]:
    with running_issuer() as issuer:
        yield issuer


@pytest.fixture
def issuer(running: Issuer, settings) -> Issuer:
    cache.clear()
    settings.SSO_ISSUER, settings.SSO_CLIENT_ID, settings.SSO_CLIENT_SECRET = running.url, "accord", "secret"
    settings.SSO_NAME = "the University"
    settings.SITE_URL = "http://testserver"
    return running


def refusal(response: HttpResponse) -> str:
    """Return the message on the sign-in page, to which the response must lead."""
    assert response.status_code == 302
    assert response["Location"] == LOGIN
    *_, message = get_messages(response.wsgi_request)
    return str(message)


def reasons() -> list[str]:
    failures = SignInEvent.objects.filter(kind=SignInEvent.Kind.FAILED).order_by("pk")
    return list(failures.values_list("detail", flat=True))


# ── signing in ────────────────────────────────────────────────────────────────────────────────────────────────
def test_a_new_person_gets_an_account_with_a_confirmed_address(issuer: Issuer, client: Client) -> None:
    issuer.add("ada", name="Ada Lovelace")
    assert sign_in_with(issuer, client, "ada")["Location"] == "/console/"
    assert is_signed_in(client)
    user = User.objects.get(email="ada@example.org")
    assert (user.name, user.is_staff, user.has_usable_password()) == ("Ada Lovelace", False, False)
    assert user.emailaddress_set.get().verified
    entry = SignInEvent.objects.get(kind=SignInEvent.Kind.SIGNED_IN)
    assert (entry.user, entry.detail) == (user, "single sign-on")


def test_the_same_person_gets_the_same_account_after_a_change_of_address(issuer: Issuer, client: Client) -> None:
    issuer.add("bea")
    sign_in_with(issuer, client, "bea")
    issuer.add("bea", email="beatrice@example.org")
    again = Client()
    sign_in_with(issuer, again, "bea")
    assert is_signed_in(again)
    assert User.objects.get().email == "bea@example.org"


def test_no_claims_and_no_tokens_of_the_person_are_stored(issuer: Issuer, client: Client) -> None:
    issuer.add("cleo", phone="+44 20 7946 0000", groups=["lab"])
    sign_in_with(issuer, client, "cleo")
    identity = SocialAccount.objects.get()
    assert (identity.provider, identity.uid, identity.extra_data) == (issuer.url, "cleo", {})
    assert not identity.socialtoken_set.exists()


def test_the_request_has_a_state_a_nonce_and_pkce(issuer: Issuer, client: Client) -> None:
    first, second = (parse_qs(urlsplit(begin(client)).query) for _ in range(2))
    assert first["redirect_uri"] == [f"http://testserver{CALLBACK}"]
    assert first["code_challenge_method"] == ["S256"]
    assert set(first["scope"][0].split()) == {"openid", "profile", "email"}
    for name in ("state", "nonce", "code_challenge"):
        assert len(first[name][0]) >= 16
        assert first[name] != second[name]


@pytest.mark.parametrize(
    ("asked", "reached"),
    [
        ("/console/new/", "/console/new/"),
        ("https://evil.example.org/", "/console/"),
        ("//evil.example.org/", "/console/"),
        ("javascript:alert(1)", "/console/"),
    ],
)
def test_only_pages_of_this_site_are_opened_afterwards(
    issuer: Issuer, client: Client, asked: str, reached: str
) -> None:
    issuer.add("dora")
    assert sign_in_with(issuer, client, "dora", next=asked)["Location"] == reached


def test_the_issuer_asks_for_the_second_factor(issuer: Issuer, client: Client) -> None:
    issuer.add("emmy", groups=["admins"])
    sign_in_with(issuer, client, "emmy")
    user = User.objects.get()
    User.objects.update(is_staff=True, is_superuser=True)
    assert client.get("/records/").status_code == 200
    add_second_factor(user)
    again = Client()
    assert sign_in_with(issuer, again, "emmy")["Location"] == "/console/"
    user.refresh_from_db()
    assert Client().post(login_path(user))["Location"] == CODE


# ── responses that do not count ───────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    "fault",
    [
        "wrong-audience",
        "wrong-party",
        "wrong-issuer",
        "wrong-nonce",
        "no-nonce",
        "expired",
        "other-person",
        "wrong-key",
        "unsigned",
        "no-id-token",
        "x" * 192,  # longer than the column for it
    ],
)
def test_an_invalid_token_signs_nobody_in(issuer: Issuer, client: Client, fault: str) -> None:
    issuer.add(fault, email="emmy@example.org")
    response = sign_in_with(issuer, client, fault)
    assert "could not be verified" in refusal(response)
    assert not User.objects.exists()
    assert reasons() == ["single sign-on: invalid"]


def test_a_response_counts_once_and_only_in_the_same_browser(issuer: Issuer, client: Client) -> None:
    issuer.add("fay")
    address = issuer.enter(begin(client), "fay")
    stranger = Client()
    assert "could not be verified" in refusal(stranger.get(address))
    assert client.get(address)["Location"] == "/console/"
    client.logout()
    assert "could not be verified" in refusal(client.get(address))
    assert reasons() == []  # nobody can fill the log with such requests


def test_a_cancelled_sign_in_leads_back(issuer: Issuer, client: Client) -> None:
    address = issuer.enter(begin(client), "gil", action="deny")
    state = parse_qs(urlsplit(begin(client)).query)["state"][0]
    assert "error=access_denied" in address
    assert refusal(client.get(f"{CALLBACK}?error=access_denied&state={state}")) == (
        "You cancelled the sign-in at the University."
    )


def test_an_issuer_that_names_itself_otherwise_is_refused(issuer: Issuer, client: Client, settings) -> None:
    settings.SSO_ISSUER = f"{issuer.url}/tenant"
    assert "cannot reach" in refusal(client.post(START))  # it has no discovery document there
    issuer.move("https://issuer.example.org")
    settings.SSO_ISSUER = issuer.url
    try:
        assert "could not be verified" in refusal(client.post(START))
    finally:
        issuer.move("")


def test_an_unreachable_issuer_is_named_with_a_way_out(issuer: Issuer, client: Client, settings) -> None:
    settings.SSO_ISSUER = "http://127.0.0.1:9"  # the discard port, on which no server listens
    assert refusal(client.post(START)) == (
        "Accord cannot reach the University. Try again in a few minutes, or use your password."
    )
    settings.SSO_ONLY = True
    assert refusal(client.post(START)).endswith("ask the administrator of this server for a sign-in link.")


@pytest.mark.nightly
def test_an_issuer_that_stops_during_a_sign_in_is_named(issuer: Issuer, client: Client) -> None:
    issuer.add("hal")
    address = issuer.enter(begin(client), "hal")
    with issuer.server.away():
        assert "cannot reach the University" in refusal(client.get(address))
    assert reasons() == ["single sign-on: unavailable"]


def test_nobody_signs_in_without_an_issuer(client: Client) -> None:
    assert client.post(START).status_code == 404
    assert client.get(CALLBACK).status_code == 404
    assert b"single sign-on" not in client.get(LOGIN).content


def test_only_a_form_of_this_site_begins_a_sign_in(issuer: Issuer) -> None:
    assert Client().get(START).status_code == 405
    assert Client(enforce_csrf_checks=True).post(START).status_code == 403


# ── groups ────────────────────────────────────────────────────────────────────────────────────────────────────
def test_only_members_of_the_named_groups_sign_in(issuer: Issuer, client: Client, settings) -> None:
    settings.SSO_GROUPS = ["lab", "guests"]
    for name, groups in (("ira", ["kitchen"]), ("joe", [])):
        issuer.add(name, groups=groups)
        assert "do not give you access" in refusal(sign_in_with(issuer, Client(), name))
    issuer.add("kim")
    assert "do not give you access" in refusal(sign_in_with(issuer, Client(), "kim"))
    assert not User.objects.exists()
    issuer.add("kim", groups=["lab"])
    sign_in_with(issuer, client, "kim")
    assert is_signed_in(client)
    assert reasons() == ["single sign-on: group"] * 3


def test_a_changed_group_counts_at_the_next_sign_in(issuer: Issuer, client: Client, settings) -> None:
    settings.SSO_GROUPS, settings.SSO_STAFF_GROUPS = ["lab"], ["admins"]
    issuer.add("lea", groups=["lab", "admins"])
    sign_in_with(issuer, client, "lea")
    user = User.objects.get()
    assert (user.is_staff, user.is_superuser) == (True, True)
    new_api_token(user, "script")
    issuer.add("lea", groups=["lab"])
    sign_in_with(issuer, Client(), "lea")
    user.refresh_from_db()
    assert (user.is_staff, user.is_superuser, user.api_tokens.count()) == (False, False, 1)
    issuer.add("lea", groups=["kitchen"])
    assert "do not give you access" in refusal(sign_in_with(issuer, Client(), "lea"))
    assert user.api_tokens.count() == 0
    changes = SignInEvent.objects.filter(kind=SignInEvent.Kind.ROLE_CHANGED).order_by("pk")
    assert list(changes.values_list("detail", flat=True)) == ["administrator", "no longer administrator"]


def test_without_groups_for_administrators_the_role_stays(issuer: Issuer, client: Client) -> None:
    issuer.add("mia", groups=["lab"])
    sign_in_with(issuer, client, "mia")
    User.objects.update(is_staff=True)
    sign_in_with(issuer, Client(), "mia")
    assert User.objects.get().is_staff


@pytest.mark.parametrize(
    ("claim", "claims"),
    [
        ("roles", {"roles": "lab"}),
        ("realm_access.roles", {"realm_access": {"roles": ["lab"]}}),
        ("https://example.org/groups", {"https://example.org/groups": ["lab"]}),
    ],
)
def test_the_claim_with_the_groups_can_have_another_name(
    issuer: Issuer, client: Client, settings, claim: str, claims: dict[str, object]
) -> None:
    settings.SSO_GROUPS, settings.SSO_GROUPS_CLAIM = ["lab"], claim
    issuer.add("nia", **claims)
    sign_in_with(issuer, client, "nia")
    assert is_signed_in(client)


def test_a_person_who_lost_the_groups_loses_sessions_role_and_password(
    issuer: Issuer, client: Client, settings
) -> None:
    settings.SSO_GROUPS, settings.SSO_STAFF_GROUPS = ["lab"], ["admins"]
    issuer.add("gus", groups=["lab", "admins"])
    issuer.add("hob", groups=["lab"])
    sign_in_with(issuer, client, "gus")
    colleague = Client()
    sign_in_with(issuer, colleague, "hob")
    user = User.objects.get(email="gus@example.org")
    user.set_password(PASSWORD)
    user.save()
    by_password = Client()
    assert refusal(sign_in(by_password, user)) == "Your account has no password here. Sign in with the University."
    sign_in_with(issuer, client, "gus")
    assert is_signed_in(client)
    issuer.add("gus", groups=[])
    sign_in_with(issuer, Client(), "gus")
    user.refresh_from_db()
    assert (user.is_staff, user.is_superuser) == (False, False)
    assert (is_signed_in(client), is_signed_in(colleague)) == (False, True)


def test_tokens_work_for_a_month_after_the_last_sign_in(issuer: Issuer, client: Client, settings) -> None:
    settings.SSO_GROUPS = ["lab"]
    issuer.add("ina", groups=["lab"])
    sign_in_with(issuer, client, "ina")
    local = create_account("local@example.org", password=PASSWORD)
    keys = [new_api_token(user, "script")[1] for user in (User.objects.get(email="ina@example.org"), local)]

    def statuses() -> list[int]:
        return [client.get("/api/v1/studies", headers={"Authorization": f"Token {key}"}).status_code for key in keys]

    client.logout()
    assert statuses() == [200, 200]
    SocialAccount.objects.update(last_login=timezone.now() - timedelta(days=30, minutes=1))
    assert statuses() == [401, 200]
    settings.SSO_ONLY = True
    assert statuses() == [401, 401]
    settings.SSO_ONLY = False
    settings.SSO_GROUPS = []
    assert statuses() == [200, 200]
    settings.SSO_GROUPS = ["lab"]
    sign_in_with(issuer, Client(), "ina")
    assert statuses() == [200, 200]


# ── existing accounts ─────────────────────────────────────────────────────────────────────────────────────────
def test_an_existing_account_is_connected_only_if_the_option_is_on(issuer: Issuer, client: Client, settings) -> None:
    user = create_account("olga@example.org", password=PASSWORD)
    issuer.add("olga")
    assert refusal(sign_in_with(issuer, client, "olga")) == (
        "An account with the address olga@example.org already exists, but single sign-on cannot open it. "
        "Sign in with its password."
    )
    settings.SSO_CONNECT = True
    sign_in_with(issuer, client, "olga")
    assert is_signed_in(client)
    assert SocialAccount.objects.get().user == user
    assert SignInEvent.objects.filter(kind=SignInEvent.Kind.SSO_CONNECTED, user=user).count() == 1


@pytest.mark.parametrize("verified", [False, "false", None, 1])
def test_an_address_that_the_issuer_has_not_confirmed_opens_no_account(
    issuer: Issuer, client: Client, settings, verified: object
) -> None:
    settings.SSO_CONNECT = True
    create_account("pia@example.org", password=PASSWORD)
    issuer.add("pia", email_verified=verified)
    assert "has not confirmed your address" in refusal(sign_in_with(issuer, client, "pia"))
    settings.SSO_TRUST_EMAIL = True
    sign_in_with(issuer, client, "pia")
    assert is_signed_in(client)


def test_the_confirmation_of_another_address_does_not_count(issuer: Issuer, client: Client, settings) -> None:
    settings.SSO_CONNECT = True
    create_account("victim@example.org", password=PASSWORD)
    issuer.add("other-address")  # the user information contains another address, which is confirmed
    assert "has not confirmed your address victim@example.org" in refusal(sign_in_with(issuer, client, "other-address"))
    assert not SocialAccount.objects.exists()


def test_an_account_whose_address_is_not_confirmed_is_never_connected(issuer: Issuer, client: Client, settings) -> None:
    settings.SSO_CONNECT = True
    User.objects.create_user("quinn@example.org", PASSWORD)  # a stranger may have entered the address of another
    issuer.add("quinn")
    assert "already exists" in refusal(sign_in_with(issuer, client, "quinn"))


def test_a_person_who_gets_the_address_of_another_does_not_get_the_account(
    issuer: Issuer, client: Client, settings
) -> None:
    settings.SSO_CONNECT = True
    issuer.add("rosa")
    sign_in_with(issuer, client, "rosa")
    issuer.add("rosa2", email="rosa@example.org")
    assert "already exists" in refusal(sign_in_with(issuer, Client(), "rosa2"))


def test_an_identity_of_another_issuer_is_another_person(issuer: Issuer, client: Client, settings) -> None:
    owner = create_account("owner@example.org")
    SocialAccount.objects.create(user=owner, provider="https://old.example.org", uid="sam")
    issuer.add("sam")
    sign_in_with(issuer, client, "sam")
    assert SocialAccount.objects.get(provider=issuer.url).user != owner


def test_an_inactive_account_stays_closed(issuer: Issuer, client: Client) -> None:
    issuer.add("tom")
    sign_in_with(issuer, client, "tom")
    User.objects.update(is_active=False)
    again = Client()
    assert sign_in_with(issuer, again, "tom")["Location"] == "/accounts/inactive/"
    assert not is_signed_in(again)


@pytest.mark.parametrize("email", [None, "", "no address", ["a@example.org"]])
def test_a_person_without_an_address_gets_no_account(issuer: Issuer, client: Client, email: object) -> None:
    issuer.add("uma", email=email)
    assert "sent no e-mail address" in refusal(sign_in_with(issuer, client, "uma"))


# ── changes to credentials ──────────────────────────────────────────────────────────────────────────────────────
TOKEN = {"name": "script", "scope": "read", "days": "7"}
PAGES = ("/console/tokens/", "/accounts/password/set/", "/accounts/2fa/totp/activate/", "/accounts/email/")


def make_token(client: Client) -> int:
    return client.post("/console/tokens/", TOKEN).status_code


def test_changes_need_a_new_sign_in_at_the_issuer(issuer: Issuer, client: Client) -> None:
    issuer.add("ivo")
    sign_in_with(issuer, client, "ivo")
    for path in PAGES:
        response = client.post(path, {"action_add": "", "email": "other@example.org"})
        assert response["Location"] == f"/accounts/sso/again/?{urlencode({'next': path})}"
    page = client.get("/accounts/sso/again/?next=/console/tokens/").content.decode()
    assert "Sign in again with the University" in page
    assert '<input type="hidden" name="next" value="/console/tokens/">' in page
    assert "Create the token" not in client.get("/console/tokens/").content.decode()
    asked = parse_qs(urlsplit(begin(client, again="yes")).query)
    assert (asked["prompt"], asked["max_age"]) == (["login"], ["0"])
    assert sign_in_with(issuer, client, "ivo", again="yes", next="/console/tokens/")["Location"] == "/console/tokens/"
    assert make_token(client) == 201
    assert client.get("/accounts/password/set/").status_code == 200


def test_a_new_sign_in_counts_for_minutes_and_for_one_person(issuer: Issuer, client: Client, settings) -> None:
    for name in ("jan", "kai"):
        issuer.add(name)
    sign_in_with(issuer, client, "jan")
    sign_in_with(issuer, client, "jan")  # the issuer need not ask for the password
    assert make_token(client) == 302
    sign_in_with(issuer, client, "kai", again="yes")
    assert make_token(client) == 201
    assert ApiToken.objects.get().user.email == "kai@example.org"
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 0
    assert make_token(client) == 302


def test_a_sign_in_without_the_password_is_no_new_sign_in(issuer: Issuer, client: Client) -> None:
    issuer.add("not-asked-again")
    sign_in_with(issuer, client, "not-asked-again")
    assert "could not be verified" in refusal(sign_in_with(issuer, client, "not-asked-again", again="yes"))
    assert make_token(client) == 302
    assert reasons() == ["single sign-on: too old"]


def test_without_local_accounts_a_second_factor_is_no_proof(issuer: Issuer, client: Client, settings) -> None:
    settings.SSO_ONLY = True
    issuer.add("lou")
    sign_in_with(issuer, client, "lou")
    client.post("/accounts/2fa/reauthenticate/", {"code": code_of(add_second_factor(User.objects.get()))})
    assert make_token(client) == 302
    by_link = Client()
    by_link.post(login_path(create_account("max@example.org")))
    assert make_token(by_link) == 201


# ── without local accounts ────────────────────────────────────────────────────────────────────────────────────
LOCAL = ("signup/", "email/", "password/change/", "password/set/", "password/reset/", "reauthenticate/")


def test_local_accounts_can_be_turned_off(issuer: Issuer, client: Client, settings) -> None:
    settings.SSO_ONLY, settings.SIGNUP_OPEN = True, True
    user = create_account("vera@example.org", password=PASSWORD)
    page = client.get(LOGIN).content.decode()
    assert "Sign in with the University" in page
    assert 'type="password"' not in page
    assert "Sign up" not in page
    assert refusal(sign_in(client, user)) == "This server has no passwords. Use single sign-on."
    client.force_login(user)
    for path in LOCAL:
        assert client.get(f"/accounts/{path}").status_code == 404
        assert client.post(f"/accounts/{path}").status_code == 404
    console = client.get("/console/").content.decode()
    assert "/accounts/password/" not in console
    assert "/accounts/email/" not in console


def test_the_operator_can_still_make_a_sign_in_link(issuer: Issuer, client: Client, settings) -> None:
    settings.SSO_ONLY = True
    client.post(login_path(create_account("wim@example.org", password=PASSWORD)))
    assert is_signed_in(client)


def test_an_invitation_leads_to_single_sign_on(issuer: Issuer, client: Client, settings) -> None:
    settings.SSO_ONLY = True
    study = make_study()
    invitation = invite(study.pk, email="yara@example.org", role="viewer", user=member_of(study, "owner"))
    path = urlsplit(invitation_link(invitation)).path
    assert 'type="password"' not in client.get(path).content.decode()
    issuer.add("yara")
    assert sign_in_with(issuer, client, "yara", next=path)["Location"] == path
    client.post(path)
    assert study.memberships.get(user__email="yara@example.org").role == "viewer"


def test_the_log_contains_neither_secrets_nor_addresses(
    issuer: Issuer, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "accord")
    issuer.add("xenia", email_verified=False)
    sign_in_with(issuer, client, "xenia")
    assert "xenia" not in caplog.text
    assert reasons() == ["single sign-on: unconfirmed"]
