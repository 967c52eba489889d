"""Tests that every way to sign in asks for the second factor, and that guesses are limited."""

from __future__ import annotations

import re

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from annotate.accounts import sign_in_limits
from annotate.core.services.credentials import login_path, new_api_token
from annotate.models import User
from tests.factories import PASSWORD, UserFactory
from tests.signing_in import CODE, LOGIN, add_second_factor, code_of, is_signed_in, sign_in

pytestmark = pytest.mark.django_db

NEW_PASSWORD = "seven lakes of tin"


@pytest.fixture(autouse=True)
def _forget_failures() -> None:
    cache.clear()


@pytest.fixture
def staff() -> User:
    return User.objects.create_superuser(email="staff@example.org", password=PASSWORD)


# ── one sign-in path ──────────────────────────────────────────────────────────────────────────────────────────
def test_the_records_send_everyone_to_the_one_sign_in_page(client: Client, staff: User) -> None:
    form = {"username": staff.email, "password": PASSWORD, "next": "/records/"}
    for response in (client.get("/records/login/"), client.post("/records/login/", form)):
        assert response.status_code == 302
        assert response["Location"].startswith(LOGIN)
    assert not is_signed_in(client)


def test_staff_who_are_signed_in_cannot_sign_in_as_others_at_the_records(client: Client, staff: User) -> None:
    add_second_factor(staff)
    other = User.objects.create_superuser(email="other@example.org", password=PASSWORD)
    client.force_login(staff)
    client.post("/records/login/", {"username": other.email, "password": PASSWORD, "next": "/records/"})
    assert client.session["_auth_user_id"] == str(staff.pk)


def test_staff_open_the_records_after_password_and_code(client: Client, staff: User) -> None:
    secret = add_second_factor(staff)
    assert sign_in(client, staff)["Location"] == CODE
    assert not is_signed_in(client)
    assert client.get("/records/").status_code == 302
    client.post(CODE, {"code": code_of(secret)})
    assert client.get("/records/").status_code == 200


def test_staff_without_a_second_factor_are_asked_to_activate_one(client: Client, staff: User, settings) -> None:
    sign_in(client, staff)
    assert client.get("/records/", follow=True).redirect_chain[-1][0] == reverse("mfa_index")
    assert client.get(reverse("admin:annotate_user_changelist")).status_code == 302
    settings.STAFF_SECOND_FACTOR = False
    assert client.get("/records/").status_code == 200


def test_researchers_who_are_not_staff_cannot_open_the_records(client: Client) -> None:
    sign_in(client, UserFactory())
    assert client.get("/records/login/").status_code == 403


def test_the_records_have_no_password_page_of_their_own(client: Client, staff: User) -> None:
    add_second_factor(staff)
    client.force_login(staff)
    assert client.get("/records/password_change/")["Location"] == reverse("account_change_password")


def test_a_login_link_asks_for_the_second_factor(client: Client) -> None:
    user = UserFactory()
    secret = add_second_factor(user)
    assert client.post(login_path(user))["Location"] == CODE
    assert not is_signed_in(client)
    client.post(CODE, {"code": code_of(secret)})
    assert is_signed_in(client)


def test_a_login_link_works_once_and_shows_no_countable_id(client: Client) -> None:
    user = UserFactory(email="link@example.org")
    path = login_path(user)
    assert f"/{user.pk}/" not in path
    assert user.public_id in path
    client.post(path)
    assert is_signed_in(client)
    for method in ("GET", "HEAD", "POST"):
        again = Client()
        assert again.generic(method, path)["Location"] == LOGIN
        assert not is_signed_in(again)


def test_only_the_button_of_a_login_link_signs_in(client: Client) -> None:
    user = UserFactory()
    path = login_path(user)
    for method in ("HEAD", "GET", "HEAD", "GET"):
        assert client.generic(method, path).status_code == 200
        assert not is_signed_in(client)
    assert Client(enforce_csrf_checks=True).post(path).status_code == 403
    client.post(path)
    assert is_signed_in(client)


def test_a_login_link_of_one_account_does_not_open_another(client: Client) -> None:
    user, other = UserFactory(), UserFactory()
    client.post(login_path(user).replace(user.public_id, other.public_id))
    assert not is_signed_in(client)


def test_a_password_reset_signs_nobody_in(client: Client) -> None:
    user = UserFactory()
    add_second_factor(user)
    client.post("/accounts/password/reset/", {"email": user.email})
    (link,) = re.findall(r"/accounts/password/reset/key/\S+", mail.outbox[0].body)
    form = client.get(link, follow=True).redirect_chain[-1][0]
    client.post(form, {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})
    user.refresh_from_db()
    assert user.check_password(NEW_PASSWORD)
    assert not is_signed_in(client)
    assert sign_in(client, user, NEW_PASSWORD)["Location"] == CODE


def test_the_api_knows_no_session_that_waits_for_its_second_factor(client: Client) -> None:
    user = UserFactory()
    add_second_factor(user)
    sign_in(client, user)
    assert client.get("/api/v1/studies").status_code == 401


def test_a_code_works_once(client: Client) -> None:
    user = UserFactory()
    secret = add_second_factor(user)
    code = code_of(secret)
    for browser, lets_in in ((client, True), (Client(), False)):
        sign_in(browser, user)
        browser.post(CODE, {"code": code})
        assert is_signed_in(browser) == lets_in


# ── limits ────────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.nightly
def test_the_code_that_activates_a_second_factor_does_not_sign_in(client: Client) -> None:
    user = UserFactory()
    sign_in(client, user)
    activate = reverse("mfa_activate_totp")
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    client.get(activate)
    code = code_of(client.session["mfa.totp.secret"])
    assert client.post(activate, {"code": code}).status_code == 302
    assert user.authenticator_set.filter(type="totp").exists()
    other = Client()
    sign_in(other, user)
    other.post(CODE, {"code": code})
    assert not is_signed_in(other)


def test_an_address_is_locked_out_of_the_account_on_which_it_failed_and_of_no_other(client: Client) -> None:
    user, other = UserFactory(), UserFactory()
    for _ in range(sign_in_limits.FAILURES_PER_ADDRESS):
        assert sign_in(client, user, "wrong").status_code == 200
    refused = sign_in(client, user)
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= sign_in_limits.WAIT_OF_ADDRESS
    assert not is_signed_in(client)
    assert sign_in(Client(), user, REMOTE_ADDR="198.51.100.7").status_code == 302, "the same account, elsewhere"
    assert sign_in(client, other).status_code == 302, "another account, the same address"


def test_an_account_that_does_not_exist_is_limited_alike(client: Client) -> None:
    nobody = UserFactory.build(email="nobody@example.org")
    replies = [sign_in(client, nobody, "wrong").status_code for _ in range(sign_in_limits.FAILURES_PER_ADDRESS + 1)]
    assert replies == [200] * sign_in_limits.FAILURES_PER_ADDRESS + [429]


@pytest.mark.parametrize("proxies", [0, 1])
def test_a_forged_header_does_not_evade_the_lock_out(client: Client, settings, proxies: int) -> None:
    settings.PROXIES = proxies
    user = UserFactory()
    for number in range(sign_in_limits.FAILURES_PER_ADDRESS + 1):
        forged = f"203.0.113.{number}" + (", 198.51.100.7" if proxies else "")  # from the proxy
        response = sign_in(client, user, "wrong", HTTP_X_FORWARDED_FOR=forged)
    assert response.status_code == 429


@pytest.mark.nightly
@pytest.mark.parametrize("proxies", [0, 1])
def test_a_forged_header_locks_out_nobody_else(client: Client, settings, proxies: int) -> None:
    settings.PROXIES = proxies
    user, victim = UserFactory(), "192.0.2.1"
    for _ in range(sign_in_limits.FAILURES_PER_ADDRESS + 1):
        sign_in(client, user, "wrong", HTTP_X_FORWARDED_FOR=victim + (", 198.51.100.7" if proxies else ""))
    own = {"HTTP_X_FORWARDED_FOR": victim} if proxies else {"REMOTE_ADDR": victim}
    assert sign_in(Client(), user, **own).status_code == 302


@pytest.mark.nightly
def test_an_account_tried_from_many_addresses_is_slowed_and_never_locked(monkeypatch: pytest.MonkeyPatch) -> None:
    user, clock = UserFactory(), [1_000_000.0]
    monkeypatch.setattr(sign_in_limits.time, "time", lambda: clock[0])
    for number in range(40):
        sign_in(Client(), user, "wrong", REMOTE_ADDR=f"203.0.113.{number}")
    owner = Client()
    first = sign_in(owner, user, REMOTE_ADDR="198.51.100.7")
    assert first.status_code == 429
    wait = int(first["Retry-After"])
    assert 1 <= wait <= sign_in_limits.PASSWORD.longest_wait
    for number in range(40, 80):  # the attack continues in the meantime
        sign_in(Client(), user, "wrong", REMOTE_ADDR=f"203.0.113.{number}")
    assert sign_in(owner, user, REMOTE_ADDR="198.51.100.7").status_code == 429, "too early"
    clock[0] += wait
    assert sign_in(owner, user, REMOTE_ADDR="198.51.100.7").status_code == 302
    assert is_signed_in(owner)


@pytest.mark.nightly
def test_addresses_of_an_attack_must_wait_between_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    user, clock = UserFactory(), [1_000_000.0]
    monkeypatch.setattr(sign_in_limits.time, "time", lambda: clock[0])
    for number in range(sign_in_limits.FAILURES_PER_ACCOUNT + 5):
        sign_in(Client(), user, "wrong", REMOTE_ADDR=f"203.0.113.{number}")
    replies = [sign_in(Client(), user, "wrong", REMOTE_ADDR="203.0.113.200").status_code for _ in range(3)]
    assert replies == [429, 429, 429]
    clock[0] += sign_in_limits.PASSWORD.longest_wait
    replies = [sign_in(Client(), user, "wrong", REMOTE_ADDR="203.0.113.200").status_code for _ in range(2)]
    assert replies == [200, 429], "one attempt, then the next wait"


def test_codes_are_limited_by_address_and_account_too(client: Client) -> None:
    user = UserFactory()
    secret = add_second_factor(user)
    sign_in(client, user)
    for _ in range(sign_in_limits.FAILURES_PER_ADDRESS):
        assert client.post(CODE, {"code": "000000"}).status_code == 200
    assert client.post(CODE, {"code": code_of(secret)}).status_code == 429
    elsewhere = Client(REMOTE_ADDR="198.51.100.7")
    sign_in(elsewhere, user)
    elsewhere.post(CODE, {"code": code_of(secret)})
    assert is_signed_in(elsewhere)


def test_success_forgets_the_failures_of_the_address(client: Client) -> None:
    user = UserFactory()
    for _ in range(2):
        for _ in range(sign_in_limits.FAILURES_PER_ADDRESS - 1):
            sign_in(Client(), user, "wrong")
        assert sign_in(Client(), user).status_code == 302


@pytest.mark.nightly
def test_other_limits_answer_429_with_the_time_to_wait(client: Client) -> None:
    for number in range(31):
        response = client.post(LOGIN, {"login": f"{number}@example.org", "password": "wrong"})
    assert response.status_code == 429
    assert response["Retry-After"] == "60"


# ── passwords ─────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("password", ["eleven char", "1q2w3e4r5t6y", "researcher@example"])
def test_short_common_and_own_passwords_are_refused(client: Client, settings, password: str) -> None:
    settings.SIGNUP_OPEN = True
    form = {"email": "researcher@example.org", "password1": password, "password2": password}
    response = client.post("/accounts/signup/", form)
    assert response.status_code == 200
    assert response.context["form"].errors["password1"]
    assert not User.objects.exists()


def test_a_new_password_ends_sessions_and_api_tokens_on_every_path(client: Client, staff: User) -> None:
    user = UserFactory()
    other, own = Client(), client
    for browser in (other, own):
        sign_in(browser, user)
    new_api_token(user, "script")
    form = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    own.post("/accounts/password/change/", form)
    assert is_signed_in(own)
    assert not is_signed_in(other)
    assert not user.api_tokens.exists()

    new_api_token(user, "script")
    add_second_factor(staff)
    admin = Client()
    admin.force_login(staff)
    admin.post(f"/records/annotate/user/{user.pk}/password/", {"password1": PASSWORD, "password2": PASSWORD})
    assert not is_signed_in(own)
    assert not user.api_tokens.exists()


@pytest.mark.nightly
def test_a_new_hash_of_the_same_password_ends_no_token(client: Client, settings) -> None:
    user = UserFactory()
    new_api_token(user, "script")
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher", *settings.PASSWORD_HASHERS]
    sign_in(client, user)
    user.refresh_from_db()
    assert user.password.startswith("pbkdf2")
    assert user.api_tokens.exists()
