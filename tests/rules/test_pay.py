"""Pay is an append-only ledger: nobody is paid twice, corrections only add, and everything adds up to the cent."""

import threading
from datetime import date
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.spend import spend_of
from annotate.core.services.claim import claim
from annotate.core.services.standing import stop
from annotate.core.services.submit import submit
from annotate.models import Assignment, PayEntry, Payment, Study
from annotate.pay.selectors.balances import balances, entries_of, pay_rows, pay_totals, payments_of
from annotate.pay.selectors.own import receipt
from annotate.pay.services import Due, correct_entry, give_bonus, record_payment, undo_payment
from annotate.people.services import remove_personal_data
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings
from tests.factories import answers_to, do_hit, make_annotator, make_study, member_of

pytestmark = [pytest.mark.rules]

TODAY = date(2026, 11, 20)


def due(study: Study, participation, amount: str | None = None) -> Due:
    """Return what the Pay page sends for this annotator, by default with everything that is owed."""
    own = balances(study, [participation.pk])[participation.pk]
    return Due(participation.pseudonym, Decimal(amount) if amount else own.owed, own.paid)


def pay(study: Study, *dues: Due, reference: str = "Transfer 1") -> Payment:
    return record_payment(study.pk, dues, reference=reference, paid_on=TODAY, user=SYSTEM)


def owed_to(study: Study, participation) -> Decimal:
    return balances(study, [participation.pk])[participation.pk].owed


@pytest.mark.django_db
class TestLedger:
    @pytest.mark.nightly
    def test_a_payment_settles_what_is_owed_and_later_hits_are_owed_again(self):
        study = make_study()
        ann, other = make_annotator(study), make_annotator(study)
        do_hit(ann), do_hit(ann), do_hit(other)
        payment = pay(study, due(study, ann), due(study, other))
        assert payment.number == 1
        assert sorted(payment.entries.values_list("amount", flat=True)) == [Decimal("0.5"), Decimal(1)]
        assert owed_to(study, ann) == owed_to(study, other) == 0
        do_hit(ann)
        assert owed_to(study, ann) == Decimal("0.50")
        assert pay(study, due(study, ann)).number == 2

    def test_the_second_of_two_equal_payments_is_refused_even_if_more_is_owed_by_then(self):
        study = make_study()
        ann = make_annotator(study)
        do_hit(ann)
        loaded = due(study, ann)
        pay(study, loaded)
        do_hit(ann)
        with pytest.raises(Refused, match=rf"{ann.pseudonym} has been paid \$0.50 and is owed \$0.50") as refusal:
            pay(study, loaded)
        assert refusal.value.code == "changed"
        assert Payment.objects.count() == 1

    @pytest.mark.nightly
    def test_a_payment_is_recorded_as_a_whole_or_not_at_all(self):
        study = make_study()
        ann, other = make_annotator(study), make_annotator(study)
        do_hit(ann)
        with pytest.raises(Refused, match=other.pseudonym):
            pay(study, due(study, ann), Due(other.pseudonym, Decimal("0.50"), Decimal(0)))
        assert not Payment.objects.exists()
        assert not PayEntry.objects.exists()

    def test_neither_payments_nor_entries_ever_change(self, refuses):
        study = make_study()
        ann = make_annotator(study)
        do_hit(ann)
        payment = pay(study, due(study, ann))
        entry = payment.entries.get()
        for rows, change, words in (
            (Payment.objects.filter(pk=payment.pk), {"reference": "another"}, "a payment never changes"),
            (PayEntry.objects.filter(pk=entry.pk), {"amount": Decimal(9)}, "a pay entry never changes"),
        ):
            with refuses(words):
                rows.update(**change)
            with refuses(words), connection.cursor() as cursor:
                cursor.execute(f"DELETE FROM {rows.model._meta.db_table} WHERE id = %s", [rows.get().pk])  # noqa: S608

    def test_the_database_accepts_only_possible_entries(self, refuses):
        study = make_study()
        ann = make_annotator(study)
        do_hit(ann)
        payment = pay(study, due(study, ann))
        shared = {"study": study, "participation": ann, "amount": Decimal(1), "reason": "why"}
        for words, fields in (
            ("pay_entry_kind", {"kind": "payment"}),
            ("pay_entry_kind", {"kind": "bonus", "payment": payment}),
            ("pay_entry_amount", {"kind": "bonus", "amount": Decimal(-1)}),
            (
                "pay_entry_amount",
                {"kind": "payment", "payment": payment, "corrects": payment.entries.get(), "amount": 0},
            ),
            ("pay_entry_has_reason", {"kind": "bonus", "reason": ""}),
            ("pay_entry_once_per_payment|UNIQUE", {"kind": "payment", "payment": payment}),
        ):
            with refuses(words):
                PayEntry.objects.create(**shared | fields)

    def test_a_correction_adds_an_entry_and_the_history_shows_both_amounts(self):
        study = make_study()
        ann, user = make_annotator(study), member_of(study)
        do_hit(ann), do_hit(ann)
        payment = pay(study, due(study, ann))
        entry = payment.entries.get()
        for _ in range(2):  # a repeated correction has no effect
            correct_entry(study.pk, entry.public_id, amount=Decimal("0.40"), reason="The bank deducted it.", user=user)
        assert [each.amount for each in payment.entries.order_by("pk")] == [Decimal(1), Decimal("-0.6")]
        assert owed_to(study, ann) == Decimal("0.60")
        event = study.events.get(verb="corrected payment")
        assert (event.detail["amount"], event.reason) == (["1.00", "0.40"], "The bank deducted it.")

    def test_undoing_a_payment_makes_the_money_owed_again(self):
        study = make_study()
        people = [make_annotator(study) for _ in range(3)]
        for ann in people:
            do_hit(ann)
        payment = pay(study, *(due(study, ann) for ann in people))
        with CaptureQueriesContext(connection) as queries:
            undo_payment(study.pk, payment.number, reason="The transfer failed.", user=SYSTEM)
        inserts = [query for query in queries if 'INSERT INTO "annotate_payentry"' in query["sql"]]
        assert len(inserts) == 1, "the number of queries does not depend on the number of annotators"
        undo_payment(study.pk, payment.number, reason="The transfer failed.", user=SYSTEM)
        assert payments_of(study).get().total == 0
        assert [owed_to(study, ann) for ann in people] == [Decimal("0.50")] * 3
        assert study.events.filter(verb="corrected payment").count() == 1
        assert pay(study, *(due(study, ann) for ann in people)).number == 2

    def test_a_bonus_that_is_withdrawn_after_its_payment_is_deducted_from_later_pay(self):
        study = make_study()
        ann = make_annotator(study)
        bonus = give_bonus(study.pk, ann.pseudonym, amount=Decimal("2.00"), reason="Careful work.", user=SYSTEM)
        pay(study, due(study, ann))
        correct_entry(study.pk, bonus.public_id, amount=Decimal(0), reason="Wrong annotator.", user=SYSTEM)
        do_hit(ann)
        assert owed_to(study, ann) == Decimal("-1.50")
        (row,) = pay_rows(study)
        assert row.state == "overpaid"
        assert pay_totals([row]).owed == 0
        with pytest.raises(Refused, match=r"is owed −\$1.50"):
            pay(study, due(study, ann, "0.50"))

    @pytest.mark.nightly
    def test_fractions_of_a_cent_are_paid_when_they_make_a_cent(self):
        study = make_study(items=12, reward="0.0125", questions_per_hit=2)
        ann = make_annotator(study)
        paid = []
        for _ in range(8):
            do_hit(ann)
            if owed_to(study, ann) > 0:
                paid.append(pay(study, due(study, ann)).entries.get().amount)
        assert sum(paid) == Decimal("0.10")
        assert all(amount == amount.quantize(Decimal("0.01")) for amount in paid)

    @pytest.mark.parametrize("amount", ["0", "-1", "0.001", "NaN", "Infinity", "10000000", "1E+40"])
    def test_impossible_amounts_are_refused_with_the_way_out(self, amount):
        study = make_study()
        ann = make_annotator(study)
        with pytest.raises(Refused, match="Enter a whole number of cents that is greater than 0") as refusal:
            give_bonus(study.pk, ann.pseudonym, amount=Decimal(amount), reason="Thanks.", user=SYSTEM)
        assert refusal.value.fields.keys() == {"amount"}

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"reference": " "}, "Enter a reference"),
            ({"reference": "x" * 201}, "at most 200 characters"),
            ({"paid_on": date(2999, 1, 1)}, "must be between 2000-01-01 and today"),
            ({"dues": []}, "Select at least one annotator"),
            ({"dues": [Due("nobody", Decimal(1), Decimal(0))]}, "no annotator with this pseudonym: nobody"),
            ({"dues": [Due("a", Decimal(1), Decimal(0))] * 2}, "contains a twice"),
        ],
    )
    def test_impossible_payments_are_refused_with_the_way_out(self, change, words):
        study = make_study()
        sent = {"dues": [Due("a", Decimal(1), Decimal(0))], "reference": "Transfer", "paid_on": TODAY} | change
        with pytest.raises(Refused, match=words):
            record_payment(study.pk, sent.pop("dues"), user=SYSTEM, **sent)

    def test_pay_records_survive_the_removal_of_personal_data_under_the_pseudonym(self):
        study = make_study()
        owner = study.memberships.get().user
        ann = make_annotator(study, platform="prolific")
        do_hit(ann)
        pay(study, due(study, ann))
        remove_personal_data(ann.annotator_id, user=owner, reason="requested")
        (row,) = pay_rows(study)
        assert (row.pseudonym, row.platform_id, row.balance.paid) == (ann.pseudonym, "", Decimal("0.50"))
        assert entries_of(study.pay_entries.all())[0].entry.participation == ann


AMOUNTS = st.integers(1, 500).map(lambda cents: Decimal(cents) / 100)
WHO = st.integers(0, 2)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("hit"), WHO),
        st.tuples(st.just("bonus"), WHO, AMOUNTS),
        st.tuples(st.just("pay"), st.sets(WHO, min_size=1)),
        st.tuples(st.just("part"), WHO, AMOUNTS),
        st.tuples(st.just("correct"), st.integers(0, 20), AMOUNTS),
        st.tuples(st.just("undo"), st.integers(1, 3)),
        st.tuples(st.just("stop"), WHO),
        st.tuples(st.just("reward"), AMOUNTS),
    ),
    min_size=6,
    max_size=16,
)


def carry_out(study: Study, people, step) -> None:
    """Carry out one step of a study's weeks. Refused steps change nothing."""
    kind, *values = step
    if kind == "hit":
        assignment = claim(people[values[0]].pk).assignment
        if assignment:
            submit(people[values[0]].pk, assignment.public_id, answers_to(assignment))
    elif kind == "bonus":
        give_bonus(study.pk, people[values[0]].pseudonym, amount=values[1], reason="Thanks.", user=SYSTEM)
    elif kind == "pay":
        pay(study, *(due(study, people[who]) for who in values[0]))
    elif kind == "part":
        pay(study, due(study, people[values[0]], str(values[1])))
    elif kind == "correct":
        entries = list(study.pay_entries.filter(corrects=None).order_by("pk"))
        if entries:
            entry = entries[values[0] % len(entries)]
            correct_entry(study.pk, entry.public_id, amount=values[1], reason="Wrong.", user=SYSTEM)
    elif kind == "undo":
        undo_payment(study.pk, values[0], reason="It failed.", user=SYSTEM)
    elif kind == "stop":
        stop(people[values[0]].pk, reason="for the test", user=SYSTEM)
    else:
        change_settings(study.pk, reward=values[0], user=SYSTEM)


def by_history(study: Study, noun: str, beginning: str) -> Decimal:
    """Return the sum of payments or bonuses according to the log alone."""
    total = Decimal(0)
    for verb, detail in study.events.values_list("verb", "detail"):
        if verb == beginning:
            total += Decimal(detail["amount"])
        elif verb == f"corrected {noun}":
            total += Decimal(detail["amount"][1]) - Decimal(detail["amount"][0])
    return total


@pytest.mark.nightly
@pytest.mark.django_db
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
@example(steps=[*[("hit", 0)] * 8, ("pay", {0}), ("correct", 0, Decimal("0.08"))])  # SQLite adds 2 and -1.92
def test_the_pay_page_the_history_the_receipts_and_the_assignments_agree_to_the_cent(steps):
    study = make_study(items=8, questions_per_hit=4)
    people = [make_annotator(study) for _ in range(3)]
    codes = set()
    for step in steps:
        try:
            carry_out(study, people, step)
        except Refused as refusal:
            codes.add(refusal.code)
    assert codes <= {"changed", "unknown", "invalid"}
    rows = pay_rows(study)
    totals = pay_totals(rows)
    credited = Assignment.objects.filter(study=study, credited=True)
    assert totals.credit == sum((each.reward for each in credited), Decimal(0))
    assert totals.paid == by_history(study, "payment", "recorded payment")
    assert totals.bonus == by_history(study, "bonus", "gave bonus")
    assert totals.paid == sum((payment.total for payment in payments_of(study)), Decimal(0))
    assert sum(row.owed for row in rows) == totals.credit + totals.bonus - totals.paid
    spend = spend_of(study)
    assert (spend.credit, spend.bonuses, spend.paid) == (totals.credit, totals.bonus, totals.paid)
    own = {row.pseudonym: row for row in rows}
    for ann in people:
        theirs, row = receipt(ann), own[ann.pseudonym]
        assert (theirs.earned, theirs.bonuses, theirs.paid) == (row.balance.credit, row.balance.bonus, row.balance.paid)
        assert theirs.owed == row.owed
        assert sum(each.amount for each in theirs.entries if each.is_payment) == theirs.paid


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    @pytest.mark.nightly
    def test_two_researchers_who_record_the_same_payment_pay_once(self, at_once):
        study = make_study(items=40)
        people = [make_annotator(study) for _ in range(4)]
        for ann in people:
            do_hit(ann)
        loaded = [due(study, ann) for ann in people]

        def marks(dues):
            try:
                return pay(study, *dues).number
            except Refused as refusal:
                return refusal.code

        # Both orders, because payments lock the same annotators.
        outcomes = at_once([lambda n=n: marks(loaded if n % 2 else loaded[::-1]) for n in range(6)])
        assert sorted(map(str, outcomes)) == ["1", *["changed"] * 5]
        assert study.pay_entries.count() == 4

    @pytest.mark.nightly
    def test_payments_of_different_annotators_get_different_numbers(self, at_once):
        study = make_study(items=40)
        people = [make_annotator(study) for _ in range(4)]
        for ann in people:
            do_hit(ann)
        loaded = [due(study, ann) for ann in people]
        numbers = at_once([lambda one=one: pay(study, one).number for one in loaded])
        assert sorted(numbers) == [1, 2, 3, 4]

    def test_a_correction_made_twice_at_once_is_made_once(self, at_once):
        study = make_study()
        ann = make_annotator(study)
        do_hit(ann)
        entry = pay(study, due(study, ann)).entries.get()
        at_once(
            [
                lambda: correct_entry(
                    study.pk, entry.public_id, amount=Decimal("0.10"), reason="Wrong amount.", user=SYSTEM
                )
            ]
            * 5
        )
        assert balances(study)[ann.pk].paid == Decimal("0.10")
        assert study.pay_entries.count() == 2

    def test_a_bonus_given_twice_at_once_is_given_once(self, at_once):
        study = make_study()
        ann = make_annotator(study)

        def give():
            try:
                give_bonus(study.pk, ann.pseudonym, amount=Decimal(2), reason="Thanks.", user=SYSTEM, seen=Decimal(0))
            except Refused as refusal:
                return refusal.code
            return ""

        outcomes = at_once([give] * 6)
        assert sorted(outcomes) == ["", *["changed"] * 5]
        assert balances(study)[ann.pk].bonus == Decimal(2)

    @pytest.mark.nightly
    def test_claims_and_bonuses_at_once_never_exceed_the_budget_cap(self, at_once):
        """Seven of the rewards fit, and nothing is committed twice."""
        study = make_study(items=60, judgements=2, budget_cap="3.60")
        people = [make_annotator(study) for _ in range(8 if connection.vendor == "sqlite" else 20)]
        highest, lock = [], threading.Lock()

        def works(ann):
            claimed = claim(ann.pk)
            with lock:
                highest.append(spend_of(study).committed)
            if claimed.assignment and ann.pk % 2:
                submit(ann.pk, claimed.assignment.public_id, answers_to(claimed.assignment))
                with lock:
                    highest.append(spend_of(study).committed)
            return claimed.why

        def bonus():
            try:
                give_bonus(study.pk, people[0].pseudonym, amount=Decimal("0.50"), reason="Thanks.", user=SYSTEM)
            except Refused as refusal:
                return refusal.code
            return ""

        outcomes = at_once([*(lambda ann=ann: works(ann) for ann in people), bonus, bonus])
        assert set(outcomes) == {"", "nothing", "budget"} or set(outcomes) == {"", "nothing"}
        assert max(highest) <= Decimal("3.60")
        assert spend_of(study).committed == Decimal("3.50")
        assert outcomes.count("") == 7
        assert study.slots.filter(open=1).exists()

    @pytest.mark.nightly
    def test_payments_corrections_undoing_and_bonuses_at_once_leave_a_possible_balance(self, at_once):
        """Twenty researchers change the pay of the same annotators. Everyone is paid at most once, and the bonuses stay
        below the budget cap.
        """
        study = make_study(items=40, budget_cap="4.00")
        people = [make_annotator(study) for _ in range(4)]
        for ann in people:
            do_hit(ann)
        dues = [due(study, ann) for ann in people]
        first = pay(study, dues[0])
        entry = first.entries.get().public_id
        bonus = {"amount": Decimal("0.50"), "reason": "Thanks.", "user": SYSTEM}

        def attempt(change):
            try:
                change()
            except Refused as refusal:
                return refusal.code
            return "done"

        changes = [
            lambda: undo_payment(study.pk, first.number, reason="Returned.", user=SYSTEM),
            lambda: correct_entry(study.pk, entry, amount=Decimal("0.10"), reason="Wrong.", user=SYSTEM),
            lambda: pay(study, *dues[1:]),
            lambda: give_bonus(study.pk, people[0].pseudonym, **bonus),
        ]
        outcomes = at_once([lambda change=change: attempt(change) for change in changes * 5])
        assert outcomes[2::4].count("done") == 1
        assert outcomes[3::4].count("done") == 4  # of 4.00, the HITs have used 2.00
        assert spend_of(study).left == 0
        assert study.payments.count() == 2
        held = balances(study)
        assert held[people[0].pk].paid in (Decimal(0), Decimal("0.10"))
        assert [held[ann.pk].paid for ann in people[1:]] == [Decimal("0.50")] * 3
