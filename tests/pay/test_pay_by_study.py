"""Tests of the page and the API operation about pay in all studies of a researcher."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import new_api_token
from annotate.models import Study, User
from annotate.pay.selectors.balances import pay_rows, pay_totals
from annotate.pay.selectors.by_study import pay_by_study, sums_by_currency
from annotate.pay.services import Due, give_bonus, record_payment
from tests.factories import UserFactory, do_hit, make_annotator, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    """The owner of a study in dollars with a payment, of two studies in euros, and of a study without answers."""
    user = UserFactory()
    for title, settings in (("One", {}), ("Two", {"currency": "EUR"}), ("Three", {"currency": "EUR"})):
        study = make_study(user=user, items=8, **settings)
        Study.objects.filter(pk=study.pk).update(title=title)
        people = [make_annotator(study) for _ in range(2)]
        for person in people:
            do_hit(person)
        if title == "One":
            record_payment(
                study.pk,
                [Due(people[0].pseudonym, Decimal("0.50"), Decimal(0))],
                reference="T1",
                paid_on=study.created_at.date(),
                user=SYSTEM,
            )
        if title == "Two":
            give_bonus(study.pk, people[0].pseudonym, amount=Decimal(2), reason="Thanks.", user=SYSTEM)
    make_study(user=user)
    do_hit(make_annotator(make_study()))
    return user


@pytest.mark.nightly
def test_the_amounts_equal_those_of_each_studys_own_page(owner: User, django_assert_num_queries) -> None:
    studies = list(Study.objects.filter(memberships__user=owner).order_by("pk"))
    with django_assert_num_queries(2):
        rows = pay_by_study(studies)
    assert [row.study.title for row in rows] == ["One", "Two", "Three"]
    for row in rows:
        own = pay_totals(pay_rows(row.study))
        assert row.sums.earned == own.credit + own.bonus
        assert (row.sums.paid, row.sums.owed) == (own.paid, own.owed)
        assert row.sums.annotators_owed == own.annotators_owed
    owed = {currency: sums.owed for currency, sums in sums_by_currency(rows).items()}
    assert owed == {"EUR": Decimal("4.00"), "USD": Decimal("0.50")}


def test_the_page_and_the_api_show_ones_own_studies(owner: User) -> None:
    client = Client()
    client.force_login(owner)
    page = " ".join(markup(client.get("/console/pay/")).split())
    assert "Amount owed in EUR" in page
    assert "€4.00" in page
    assert page.count('/pay/">') == 3
    api = Client(headers={"Authorization": f"Token {new_api_token(owner, 'script')[1]}"})
    rows = api.get("/api/v1/pay").json()["results"]
    assert {row["title"]: row["owed"] for row in rows} == {"One": "0.5000", "Two": "3.0000", "Three": "1.0000"}
    stranger = Client()
    stranger.force_login(UserFactory())
    assert "No earnings yet" in markup(stranger.get("/console/pay/"))
