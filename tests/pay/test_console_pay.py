"""The Pay page in the console: rows, filters, CSV, payments, bonuses and corrections, by role."""

import csv
import io
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from openpyxl import load_workbook

from annotate.core.permissions import SYSTEM
from annotate.core.services.standing import stop
from annotate.models import Annotator, Assignment, Participation, PayEntry, Payment, Study
from annotate.pay.selectors.balances import balances, chosen, pay_rows
from annotate.pay.services import correct_entry, give_bonus
from annotate.studies.services.settings import change_settings
from tests.console_study import browser_of, collected, page_of, somebody
from tests.factories import make_annotator
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(collected)


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def recorded(client: Client, study: Study, **sent: Any) -> Any:
    values = {"reference": "Transfer 7", "paid_on": "2026-11-20", "who": "selected", "due": dues_of(study)}
    return client.post(page_of(study, "pay/record/"), values | sent)


def dues_of(study: Study) -> list[str]:
    return [f"{row.pseudonym} {row.owed} {row.balance.paid}" for row in pay_rows(study)]


def test_a_study_of_volunteers_has_a_tab_for_pay_once_somebody_has_earned_something(study: Study) -> None:
    client, tab = browser_of(study), f'href="{page_of(study, "pay/")}"'
    overview = page_of(study, "annotators/")
    Study.objects.filter(pk=study.pk).update(reward=0)
    assert tab in markup(client.get(overview))
    Assignment.objects.filter(participation__study=study).update(credited=False)
    assert tab not in markup(client.get(overview))
    give_bonus(study.pk, somebody(study).pseudonym, amount=Decimal(1), reason="Thanks.", user=SYSTEM)
    assert tab in markup(client.get(overview))


@pytest.mark.nightly
def test_the_page_shows_each_annotator_with_the_amounts(study: Study) -> None:
    page = markup(browser_of(study).get(page_of(study, "pay/")))
    rows = pay_rows(study)
    assert len(rows) == 3
    for row in rows:
        assert row.pseudonym in page
        assert row.owed == row.hits * study.reward
        assert f"${row.owed:.2f}" in page
    total = sum(row.owed for row in rows)
    assert f"${total:.2f}" in page
    assert "Record a payment to all 3…" in page
    assert f"Record a payment of ${total:.2f} to 3 annotators?" in page
    assert "amounts in USD" in page


@pytest.mark.nightly
def test_selected_annotators_are_marked_as_paid(study: Study) -> None:
    client = browser_of(study)
    first, *others = dues_of(study)
    response = recorded(client, study, due=[first])
    assert response.status_code == 302
    page = markup(client.get(page_of(study, "pay/")))
    assert "Payment 1 was recorded" in page
    assert "Transfer 7" in page
    assert [row.state for row in pay_rows(study)] == ["paid", "owed", "owed"]
    assert recorded(client, study, who="all", all=";".join(others)).status_code == 302
    assert [row.state for row in pay_rows(study)] == ["paid"] * 3
    assert Payment.objects.count() == 2


def test_a_search_hides_the_button_that_pays_everybody(study: Study) -> None:
    client, address = browser_of(study), page_of(study, "pay/")
    assert 'data-opens="pay-all"' in markup(client.get(address))
    found = markup(client.get(f"{address}?search={somebody(study).pseudonym}"))
    assert somebody(study).pseudonym in found
    assert 'data-opens="pay-all"' not in found


def test_a_second_marking_changes_nothing_and_says_why(study: Study) -> None:
    client, dues = browser_of(study), dues_of(study)
    recorded(client, study, due=dues)
    response = recorded(client, study, due=dues, reference="Transfer 8")
    assert response.status_code == 409
    page = markup(response)
    assert "The payment was not recorded, because amounts have changed since you loaded them" in page
    assert "Transfer 8" in page, "the input is still there"
    assert Payment.objects.count() == 1


@pytest.mark.parametrize(
    ("sent", "status", "words"),
    [
        ({"due": []}, 400, "Select at least one annotator."),
        ({"due": ["nonsense"]}, 400, "The selection of annotators is invalid. Reload the page"),
        ({"due": ["a b c"]}, 400, "The selection of annotators is invalid. Reload the page"),
        ({"reference": ""}, 422, "This field is required."),
        ({"paid_on": "yesterday"}, 422, "Enter a valid date."),
        ({"paid_on": "2999-01-01"}, 400, "must be between 2000-01-01 and today"),
        ({"due": ["nobody-here 1.00 0"]}, 404, "no annotator with this pseudonym: nobody-here"),
    ],
)
def test_impossible_input_is_refused_on_the_page(study: Study, sent: Any, status: int, words: str) -> None:
    response = recorded(browser_of(study), study, **sent)
    assert response.status_code == status
    assert words in markup(response)
    assert not Payment.objects.exists()


def test_filters_search_and_sorting(study: Study) -> None:
    client = browser_of(study)
    Annotator.objects.filter(pk=somebody(study).annotator_id).update(external_id="5f3a8e91d27c")
    recorded(client, study, due=dues_of(study)[:1])
    rows = pay_rows(study)
    assert [row.state for row in chosen(rows, show="owed")] == ["owed", "owed"]
    assert [row.state for row in chosen(rows, show="paid")] == ["paid"]
    name = somebody(study).pseudonym
    assert [row.pseudonym for row in chosen(rows, search=name.upper())] == [name]
    assert [row.pseudonym for row in chosen(rows, search="8e91")] == [name]
    assert chosen(pay_rows(study, with_platform_ids=False), search="8e91") == []
    owed = [row.owed for row in chosen(rows, sort="-owed")]
    assert owed == sorted(owed, reverse=True)
    assert "No matching annotators" in markup(client.get(page_of(study, "pay/?search=nobody")))


@pytest.mark.nightly
def test_platform_ids_are_only_for_roles_that_may_see_them(study: Study) -> None:
    Annotator.objects.filter(pk=somebody(study).annotator_id).update(external_id="5f3a8e91d27c")
    for role, sees in (("owner", True), ("manager", True), ("reviewer", False), ("viewer", False)):
        client = browser_of(study, role)
        file = b"".join(client.get(page_of(study, "pay/pay.csv"))).decode()
        assert ("5f3a8e91d27c" in file) == sees, role
        page = markup(client.get(page_of(study, "pay/?search=5f3a")))
        assert ("5f3a8e91d27c" in page.replace('value="5f3a"', "")) == sees, role
        assert ("Record the payment" in markup(client.get(page_of(study, "pay/")))) == sees, role


def test_the_file_has_one_row_per_annotator_in_whole_cents(study: Study) -> None:
    give_bonus(study.pk, somebody(study).pseudonym, amount=Decimal("1.25"), reason="Thanks.", user=SYSTEM)
    client = browser_of(study)
    file = csv.DictReader(io.StringIO(b"".join(client.get(page_of(study, "pay/pay.csv"))).decode()))
    rows = {row["annotator"]: row for row in file}
    for row in pay_rows(study):
        own = rows[row.pseudonym]
        amounts = [Decimal(own[name]) for name in ("credited", "bonus", "paid", "owed")]
        assert amounts == [row.balance.credit, row.balance.bonus, row.balance.paid, row.owed]
        assert (own["currency"], own["hits"]) == ("USD", str(row.hits))
    assert rows[somebody(study).pseudonym]["bonus"] == "1.25"


def test_payments_bonuses_and_corrections_are_rows_of_a_file_and_of_a_workbook(study: Study) -> None:
    client = browser_of(study)
    assert recorded(client, study, reference="=SUM(A1)").status_code == 302
    bonus = give_bonus(study.pk, somebody(study).pseudonym, amount=Decimal("1.25"), reason="Thanks.", user=SYSTEM)
    correct_entry(study.pk, bonus.public_id, amount=Decimal("1.00"), reason="A slip.", user=SYSTEM)
    path = page_of(study, "pay/files/")
    file = list(csv.DictReader(io.StringIO(b"".join(client.get(f"{path}payments.csv")).decode())))
    assert [row["kind"] for row in file] == ["payment"] * 3 + ["bonus", "correction"]
    assert file[-1]["corrects"] == file[-2]["id"] == bonus.public_id
    for row in pay_rows(study):
        received = sum(Decimal(each["amount"]) for each in file if each["pseudonym"] == row.pseudonym)
        assert received == row.balance.paid + row.balance.bonus
    sheet = load_workbook(io.BytesIO(b"".join(client.get(f"{path}payments.xlsx")))).active
    rows = [dict(zip(file[0], values, strict=True)) for values in sheet.iter_rows(min_row=2, values_only=True)]
    assert [Decimal(str(row["amount"])) for row in rows] == [Decimal(row["amount"]) for row in file]
    assert [row["id"] for row in rows] == [row["id"] for row in file]
    assert sheet["F2"].value == "=SUM(A1)"
    assert sheet["F2"].data_type == "s", "a text is not a formula"
    assert client.get(f"{path}other.csv").status_code == 404


def test_platform_ids_in_the_file_of_payments_are_only_for_roles_that_may_see_them(study: Study) -> None:
    Annotator.objects.filter(pk=somebody(study).annotator_id).update(external_id="5f3a8e91d27c")
    give_bonus(study.pk, somebody(study).pseudonym, amount=Decimal("1.25"), reason="Thanks.", user=SYSTEM)
    for role, sees in (("owner", True), ("reviewer", False)):
        file = b"".join(browser_of(study, role).get(page_of(study, "pay/files/payments.csv"))).decode()
        assert ("5f3a8e91d27c" in file) == sees, role


def test_a_bonus_is_given_and_corrected_with_reasons(study: Study) -> None:
    client, who = browser_of(study), somebody(study)
    place = page_of(study, f"pay/annotators/{who.pseudonym}/")
    page = markup(client.get(place))
    assert "No bonuses or payments yet" in page
    assert page.count('title="An amount, such as 1.50"') == 2, "the dialogs for a bonus and for a correction"
    sent = {"amount": "2.50", "reason": "Careful notes.", "seen": "0"}
    page = markup(client.post(f"{place}bonus/", sent, follow=True))
    assert f"{who.pseudonym} is owed a bonus of $2.50." in page
    assert "Careful notes." in page
    entry = PayEntry.objects.get()
    correct = page_of(study, f"pay/entries/{entry.public_id}/correct/")
    page = markup(client.post(correct, {"amount": "2.00", "reason": "Typing error."}, follow=True))
    assert f"The bonus of {who.pseudonym} is now $2.00." in page
    assert "−$0.50" in page
    assert "Typing error." in page
    assert balances(study)[who.pk].bonus == Decimal(2)


def test_a_bonus_that_is_sent_twice_is_given_once(study: Study) -> None:
    client, who = browser_of(study), somebody(study)
    place = page_of(study, f"pay/annotators/{who.pseudonym}/")
    sent = {"amount": "2.50", "reason": "Careful notes.", "seen": "0"}
    for _ in range(2):
        page = markup(client.post(f"{place}bonus/", sent, follow=True))
    assert "are now $2.50." in page
    assert balances(study)[who.pk].bonus == Decimal("2.50")
    for shown in (place, page_of(study, "pay/")):
        (seen,) = {
            value
            for value in re.findall(r'(?:data-seen|name="seen" value)="([^"]+)"', markup(client.get(shown)))
            if Decimal(value)
        }
        assert Decimal(seen) == Decimal("2.50")
    client.post(f"{place}bonus/", sent | {"seen": seen})
    assert balances(study)[who.pk].bonus == Decimal(5)
    client.post(f"{place}bonus/", {"amount": "2.50", "reason": "Careful notes."})
    assert balances(study)[who.pk].bonus == Decimal(5)


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"amount": "", "reason": "Thanks."}, "Enter an amount, such as 1.50."),
        ({"amount": "one", "reason": "Thanks."}, "Enter an amount, such as 1.50."),
        ({"amount": "0.005", "reason": "Thanks."}, "Enter a whole number of cents that is greater than 0"),
        ({"amount": "1", "reason": ""}, "Enter a reason."),
    ],
)
def test_an_impossible_bonus_is_refused_with_the_way_out(study: Study, sent: dict[str, str], words: str) -> None:
    place = page_of(study, f"pay/annotators/{somebody(study).pseudonym}/bonus/")
    page = markup(browser_of(study).post(place, sent | {"seen": "0"}, follow=True))
    assert f"The bonus for {somebody(study).pseudonym} was not recorded." in page
    assert words in page
    assert not PayEntry.objects.exists()


@pytest.mark.nightly
def test_a_payment_has_a_page_and_can_be_undone(study: Study) -> None:
    client = browser_of(study)
    recorded(client, study)
    place = page_of(study, "pay/payments/1/")
    page = markup(client.get(place))
    assert all(row.pseudonym in page for row in pay_rows(study))
    assert "Enter a reason. The reason will appear in the history." in markup(
        client.post(f"{place}undo/", {"reason": " "}, follow=True)
    )
    page = markup(client.post(f"{place}undo/", {"reason": "The bank returned it."}, follow=True))
    assert "Payment 1 is undone. The annotators in this payment are owed the money again." in page
    assert "The bank returned it." in page
    assert "Undo the payment" not in page
    assert {row.state for row in pay_rows(study)} == {"owed"}
    assert "$0.00" in markup(client.get(page_of(study, "pay/payments/")))
    history = markup(client.get(page_of(study, "history/")))
    assert "recorded payment" in history
    assert "corrected payment" in history
    assert client.get(page_of(study, "pay/payments/2/")).status_code == 404


def test_stopped_annotators_are_owed_their_submitted_hits(study: Study) -> None:
    who = somebody(study)
    owed = balances(study)[who.pk].owed
    stop(who.pk, reason="haste", user=SYSTEM)
    assert balances(study)[who.pk].owed == owed
    assert "Owed (stopped)" in markup(browser_of(study).get(page_of(study, "pay/")))


def test_the_page_warns_of_a_wage_below_the_minimum(study: Study) -> None:
    Assignment.objects.filter(study=study).update(seconds=120)
    client = browser_of(study)
    change_settings(study.pk, minimum_hourly_wage=Decimal("15.00"), user=SYSTEM)
    assert "below the minimum" not in markup(client.get(page_of(study, "pay/")))
    change_settings(study.pk, minimum_hourly_wage=Decimal("15.01"), user=SYSTEM)
    page = " ".join(markup(client.get(page_of(study, "pay/"))).split())
    assert "The actual hourly wage is $15.00, below the minimum of $15.01." in page


def test_try_outs_of_researchers_are_not_paid(study: Study) -> None:
    trying = make_annotator(study, platform="try")
    client = browser_of(study)
    assert trying.pseudonym not in markup(client.get(page_of(study, "pay/")))
    assert client.get(page_of(study, f"pay/annotators/{trying.pseudonym}/")).status_code == 404
    assert recorded(client, study, due=[f"{trying.pseudonym} 1.00 0"]).status_code == 404


@pytest.mark.nightly
def test_a_page_has_25_annotators(study: Study) -> None:
    for _ in range(23):
        make_annotator(study)
    client = browser_of(study)
    for number, rows in ((1, 25), (2, 1)):
        page = markup(client.get(page_of(study, f"pay/?page={number}")))
        assert page.count('name="due"') == rows


@pytest.mark.nightly
def test_the_number_of_queries_does_not_grow_with_the_annotators(study: Study) -> None:
    larger = collected(items=20, annotators=8, gold=12)
    counts = []
    for one in (study, larger):
        client = browser_of(one)
        recorded(client, one, due=dues_of(one)[: Participation.objects.filter(study=one).count() // 2])
        for place in ("pay/", "pay/payments/1/", "pay/payments/"):
            with CaptureQueriesContext(connection) as queries:
                assert client.get(page_of(one, place)).status_code == 200
            counts.append(len(queries))
    assert counts[:3] == counts[3:]
    assert max(counts) <= 24
