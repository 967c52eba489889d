"""The annotator's receipt after payments and bonuses: dates, references, reasons and the amount that is still owed."""

from __future__ import annotations

import csv
import io
import json
from datetime import date
from decimal import Decimal

import pytest
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import payment_code
from annotate.models import Participation, Study
from annotate.pay.selectors.balances import chosen, pay_rows
from annotate.pay.selectors.own import receipt
from annotate.pay.services import Due, correct_entry, give_bonus, record_payment
from tests.annotator.test_annotator_pages import come_in
from tests.console_study import browser_of
from tests.factories import do_hit, make_annotator, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


def paid(client: Client, language: str = "en") -> tuple[Study, Participation]:
    """Let an annotator submit two sets, and record a bonus, a payment that covers one set, and a correction."""
    study = make_study(language=language)
    participation = come_in(client, study)
    do_hit(participation), do_hit(participation)
    name = participation.pseudonym
    bonus = give_bonus(study.pk, name, amount=Decimal("2.00"), reason="Careful notes.", user=SYSTEM)
    part = Due(name, Decimal("2.50"), Decimal(0))
    record_payment(study.pk, [part], reference="Transfer 7", paid_on=date(2026, 11, 20), user=SYSTEM)
    correct_entry(study.pk, bonus.public_id, amount=Decimal("1.80"), reason="Agreed by phone.", user=SYSTEM)
    return study, participation


def test_the_receipt_shows_payments_with_date_and_reference(client: Client) -> None:
    study, _ = paid(client)
    page = " ".join(markup(client.get(f"/s/{study.public_id}/pay")).split())
    for text in ("20 November 2026", "Transfer 7", "Careful notes.", "Correction of a bonus", "−$0.20", "$2.50"):
        assert text in page
    assert "Agreed by phone." not in page, "reasons for corrections are for researchers"
    assert 'Still owed to you</th><td class="num">$0.30</td>' in page.replace("> <", "><")


def test_the_receipt_of_an_unpaid_study_mentions_no_payment(client: Client) -> None:
    study = make_study(reward=Decimal(0))
    do_hit(come_in(client, study))
    _, _, table = markup(client.get(f"/s/{study.public_id}/pay")).partition("<table")
    sets, end, _ = table.partition("</table>")
    assert end
    assert "payment" not in sets.lower()


@pytest.mark.nightly
def test_a_receipt_asks_an_unknown_person_who_is_owed_money_to_send_the_payment_code(client: Client) -> None:
    study, participation = paid(client)
    code = payment_code(participation.public_id)
    page = f"/s/{study.public_id}/pay"
    assert code in markup(client.get(page))
    found = [row.participation_id for row in chosen(pay_rows(study), search=f"unknown {code.lower()}, 0000")]
    assert found == [participation.pk]
    console = browser_of(study)
    search = f"/console/{study.public_id}/pay/?search={code.replace('-', '+')}"
    assert participation.pseudonym in markup(console.get(search))
    assert code not in markup(console.get(f"/console/{study.public_id}/pay/")), "only the annotator sees the code"
    rest = Due(participation.pseudonym, Decimal("0.30"), Decimal("2.50"))
    record_payment(study.pk, [rest], reference="Transfer 8", paid_on=date(2026, 11, 21), user=SYSTEM)
    assert code not in markup(client.get(page))


@pytest.mark.parametrize(("platform", "has_code"), [("web", True), ("named", False), ("prolific", False)])
def test_only_people_without_a_name_or_an_id_have_a_payment_code(platform: str, has_code: bool) -> None:
    participation = make_annotator(make_study(), platform=platform)
    do_hit(participation)
    assert bool(receipt(participation).code) == has_code


def test_the_receipt_is_german_in_a_german_study(client: Client) -> None:
    study, _ = paid(client, "de")
    page = " ".join(markup(client.get(f"/s/{study.public_id}/pay")).split())
    for text in ("Boni und Zahlungen", "20. November 2026", "Erhaltene Zahlung", "Noch an Sie zu zahlen", "0,30 $"):
        assert text in page


def test_the_amounts_in_the_file_add_up_to_the_amount_that_is_still_owed(client: Client) -> None:
    study, _ = paid(client)
    rows = list(csv.DictReader(io.StringIO(client.get(f"/s/{study.public_id}/pay.csv").content.decode())))
    assert [(row["set"], row["outcome"]) for row in rows[:-1]] == [
        ("1", "paid"),
        ("2", "will be paid"),
        ("bonus", "Bonus: Careful notes."),
        ("payment", "Payment received: Transfer 7"),
        ("bonus", "Correction of a bonus"),
    ]
    assert sum(Decimal(row["owed"]) for row in rows[:-1]) == Decimal(rows[-1]["owed"]) == Decimal("0.30")


def test_the_downloaded_data_contains_bonuses_and_payments(client: Client) -> None:
    study, _ = paid(client)
    own = json.loads(client.get(f"/s/{study.public_id}/data").content)
    kinds = [(each["kind"], each["correction"], each["note"]) for each in own["bonuses_and_payments"]]
    assert kinds == [("bonus", False, "Careful notes."), ("payment", False, "Transfer 7"), ("bonus", True, "")]
