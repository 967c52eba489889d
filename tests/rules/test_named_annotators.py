"""Tests of named annotators: only they can join, and only they can hold the slots that are reserved for them."""

import threading
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.numerics.sharing import share_evenly
from annotate.core.permissions import SYSTEM
from annotate.core.services.claim import claim, reap
from annotate.core.services.returns import return_hit, withdraw
from annotate.core.services.standing import restore, stop
from annotate.core.services.submit import submit
from annotate.core.services.writing import write
from annotate.models import Annotator, Assignment, NamedAnnotator, Participation, Slot, Study
from annotate.people.services import remove_personal_data
from annotate.recruiting.selectors import free_slots, named_rows
from annotate.recruiting.services.join import join
from annotate.recruiting.services.named import add_named, join_by_link, remove_named, reserve, share_out, unreserve
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import missing_before_opening, open_study
from tests.factories import answers_to, assert_slots_add_up, do_hit, let_lapse, make_study
from tests.rules.test_added_items_at_once import wait_for_waiting_transaction

pytestmark = [pytest.mark.rules, pytest.mark.django_db]

NAMES = ["Ada", "Bea", "Cleo"]


def named_study(names: list[str] = NAMES, **settings: Any) -> SimpleNamespace:
    """Return an open study with four HITs, and its named annotators with their participations."""
    study = make_study(state="draft", admission="named", **{"judgements": len(names)} | settings)
    named = add_named(study.pk, names, user=SYSTEM)
    study = open_study(study.pk, user=SYSTEM)
    return SimpleNamespace(study=study, named=named, people=[join_by_link(one.pk) for one in named])


def claimed_hits(person: Participation) -> list[int]:
    """Let the annotator submit HITs until none is left, and return their numbers."""
    numbers = []
    while assignment := claim(person.pk).assignment:
        numbers.append(assignment.hit.number)
        submit(person.pk, assignment.public_id, answers_to(assignment))
    return numbers


def held_by_the_right_people(study: Study) -> bool:
    held = Assignment.objects.filter(study=study, state__in=["leased", "done"]).exclude(slot__reserved_for=None)
    return all(one.slot.reserved_for.participation_id == one.participation_id for one in held.select_related("slot"))


# ── joining ───────────────────────────────────────────────────────────────────────────────────────────────────
def test_only_named_annotators_join() -> None:
    s = named_study()
    for platform in (Annotator.Platform.WEB, Annotator.Platform.ACCOUNT, Annotator.Platform.MTURK):
        with pytest.raises(Refused) as refused:
            join(s.study, platform=platform, external_id="A1")
        assert refused.value.code == "named"
    assert join_by_link(s.named[0].pk) == s.people[0]
    assert s.study.participations.count() == 3


@pytest.mark.nightly
def test_each_member_of_a_team_answers_everything() -> None:
    s = named_study()
    assert [sorted(claimed_hits(person)) for person in s.people] == [[1, 2, 3, 4]] * 3
    assert [(row.submitted, row.expected) for row in named_rows(s.study)] == [(4, 4)] * 3
    assert not s.study.slots.filter(open=1).exists()


def test_a_study_opens_only_with_enough_named_annotators() -> None:
    study = make_study(state="draft", admission="named", judgements=2)
    assert missing_before_opening(study).keys() == {"named"}
    (ada,) = add_named(study.pk, ["Ada"], user=SYSTEM)
    assert "2 judgements" in missing_before_opening(study)["named"]
    add_named(study.pk, [" Bea ", ""], user=SYSTEM)
    assert missing_before_opening(study) == {}
    for names in (["Ada"], ["Dan", "Dan"], [" "], ["x" * 81]):
        with pytest.raises(Refused, match=r"name"):
            add_named(study.pk, names, user=SYSTEM)
    remove_named(study.pk, ada.public_id, user=SYSTEM)
    assert list(study.named_annotators.values_list("name", flat=True)) == ["Bea"]


def test_the_kind_of_admission_is_locked_after_opening() -> None:
    s = named_study()
    with pytest.raises(Refused) as refused:
        change_settings(s.study.pk, user=SYSTEM, admission="anonymous")
    assert refused.value.code == "locked"
    with pytest.raises(Refused, match="has joined the study"):
        remove_named(s.study.pk, s.named[0].public_id, user=SYSTEM)


def test_removal_of_personal_data_removes_the_name() -> None:
    s = named_study()
    person = s.people[0]
    assert person.annotator.contact == "Ada"
    remove_personal_data(person.annotator_id, user=s.study.members.get(), reason="Requested.")
    assert NamedAnnotator.objects.get(pk=s.named[0].pk).name == ""
    assert [row.named.name for row in named_rows(s.study)] == ["Bea", "Cleo"]


# ── reserved slots ────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.nightly
def test_a_reserved_hit_goes_to_its_annotator_alone() -> None:
    s = named_study(judgements=1)
    ada, bea, cleo = s.people
    assert reserve(s.study.pk, hits=[1, 2], named=s.named[1].public_id, user=SYSTEM) == 2
    ref = s.study.hits.get(number=3).questions.first().ref
    assert reserve(s.study.pk, questions=[ref], named=s.named[2].public_id, user=SYSTEM) == 1
    assert claimed_hits(ada) == [4]
    assert claim(ada.pk).why == "nothing"
    assert (claimed_hits(bea), claimed_hits(cleo)) == ([1, 2], [3])
    with pytest.raises(Refused, match="no HIT with the number 9"):
        reserve(s.study.pk, hits=[1, 9], named=s.named[1].public_id, user=SYSTEM)
    with pytest.raises(Refused, match="contains the question nowhere"):
        reserve(s.study.pk, questions=["nowhere"], named=s.named[1].public_id, user=SYSTEM)


def test_an_annotator_takes_the_reserved_slot_of_a_hit_first() -> None:
    s = named_study()
    last = s.study.slots.filter(hit__number=1).order_by("place").last()
    Slot.objects.filter(pk=last.pk).update(reserved_for=s.named[0])
    assert reserve(s.study.pk, hits=[1], named=s.named[0].public_id, user=SYSTEM) == 0, "one slot of a HIT is enough"
    assert sorted(claimed_hits(s.people[0])) == [1, 2, 3, 4]
    assert Assignment.objects.get(hit__number=1).slot == last


def test_a_reservation_survives_lapsed_leases() -> None:
    s = named_study(judgements=1)
    ada, bea, _cleo = s.people
    share_out(s.study.pk, user=SYSTEM)
    assert free_slots(s.study) == 0
    lapsed = claim(ada.pk).assignment
    let_lapse(lapsed)
    others = claimed_hits(bea)
    assert lapsed.hit.number not in others
    assert claim(ada.pk).assignment == lapsed
    submit(ada.pk, lapsed.public_id, answers_to(lapsed))
    freed = unreserve(s.study.pk, named=s.named[0].public_id, user=SYSTEM)
    assert freed == 1
    assert len(claimed_hits(bea)) == 1
    assert held_by_the_right_people(s.study)
    assert_slots_add_up(s.study)


def test_a_stop_opens_the_reserved_slots_and_a_restoration_reserves_the_free_ones_again() -> None:
    s = named_study(judgements=1, order="hits")
    ada, bea, cleo = s.people
    reserve(s.study.pk, hits=[1, 2, 3], named=s.named[0].public_id, user=SYSTEM)
    do_hit(ada)
    submitted = ada.assignments.get()
    claimed_hits(bea)
    assert claim(bea.pk).why == "nothing"
    stop(ada.pk, reason="haste", user=SYSTEM)
    assert s.study.events.get(verb="stopped").detail["opened"] == 3
    assert free_slots(s.study) == 3
    with pytest.raises(Refused, match="gets no more HITs"):
        reserve(s.study.pk, hits=[1], named=s.named[0].public_id, user=SYSTEM)
    do_hit(bea)  # the stop has opened slots, so that annotators without work search again
    taken = claim(cleo.pk).assignment
    assert {taken.hit.number, bea.assignments.last().hit.number} == {1, 2}
    assert held_by_the_right_people(s.study)
    restore(ada.pk, reason="a mistake", user=SYSTEM)
    assert free_slots(s.study) == 0
    submitted.refresh_from_db()
    assert submitted.state == Assignment.State.SURPLUS, "another annotator has taken the slot"
    let_lapse(taken)
    assert claimed_hits(bea) == [taken.hit.number], "a taken slot is no longer reserved"
    assert claimed_hits(ada) == [3]
    assert held_by_the_right_people(s.study)
    assert_slots_add_up(s.study)


@pytest.mark.parametrize("end", ["withdrawal", "erasure", "stop and erasure"])
def test_slots_open_if_a_named_annotator_leaves_in_another_way(end: str) -> None:
    s = named_study(judgements=1)
    ada, bea, _cleo = s.people
    share_out(s.study.pk, user=SYSTEM)
    claimed_hits(bea)
    assert claim(bea.pk).why == "nothing"
    reserved = s.study.slots.filter(reserved_for=s.named[0]).count()
    if end == "withdrawal":
        withdraw(ada.pk, keep_answers=True)
    if end == "stop and erasure":
        stop(ada.pk, reason="haste", user=SYSTEM)
    if "erasure" in end:
        remove_personal_data(ada.annotator_id, user=s.study.members.get(), reason="Requested.")
    if end == "stop and erasure":
        restore(ada.pk, reason="a mistake", user=SYSTEM)
    assert free_slots(s.study) == reserved > 0
    assert len(claimed_hits(bea)) == reserved
    assert held_by_the_right_people(s.study)


@pytest.mark.parametrize("end", ["finished", "limit", "put aside"])
def test_reserved_slots_open_if_their_annotator_gets_no_more_hits_or_puts_the_hit_aside(end: str) -> None:
    limit = {"hits_per_annotator": 3 if end == "limit" else None}
    s = named_study(
        judgements=1, gold=3, gold_exhausted="finish", rule_threshold=0, **limit
    )  # a short HIT has all gold
    ada, bea, _cleo = s.people
    reserve(s.study.pk, hits=[1, 2, 3, 4], named=s.named[0].public_id, user=SYSTEM)
    assert claim(bea.pk).why == "nothing"
    if end != "put aside":
        assert len(claimed_hits(ada)) == 3
        assert claim(ada.pk).why == end
    else:
        return_hit(ada.pk, claim(ada.pk).assignment.public_id, put_aside=True)
    assert free_slots(s.study) == 1
    assert len(claimed_hits(bea)) == 1
    assert held_by_the_right_people(s.study)


@pytest.mark.django_db(transaction=True)
def test_reservations_that_end_never_deadlock_with_changes_of_reservations(at_once: Any) -> None:
    s = named_study(judgements=1, hits_per_annotator=1, items=60)
    do_hit(s.people[0])
    reserve(s.study.pk, hits=range(1, 20), named=s.named[0].public_id, user=SYSTEM)
    first_is_locked = threading.Event()

    def lock_by_id() -> None:
        with write():
            slots = Slot.objects.select_for_update(no_key=True).filter(reserved_for=s.named[0]).order_by("pk")
            assert slots.first()
            first_is_locked.set()
            wait_for_waiting_transaction()
            assert len(slots) > 15

    def claim_after_lock() -> str:
        assert first_is_locked.wait(30)
        return claim(s.people[0].pk).why

    assert at_once([lock_by_id, claim_after_lock]) == [None, "limit"]
    assert free_slots(s.study) == s.study.slots.filter(open=1).count()


def test_surplus_work_never_fills_the_reserved_slot_of_another_annotator() -> None:
    s = named_study(judgements=2, order="hits")
    ada, bea, cleo = s.people
    do_hit(ada)
    late = claim(cleo.pk).assignment
    let_lapse(late)
    reap(s.study.pk)
    assert reserve(s.study.pk, hits=[late.hit.number], named=s.named[1].public_id, user=SYSTEM) == 1
    assert claimed_hits(bea)[0] == late.hit.number
    submit(cleo.pk, late.public_id, answers_to(late))
    late.refresh_from_db()
    assert late.state == Assignment.State.SURPLUS
    stop(bea.pk, reason="haste", user=SYSTEM)
    late.refresh_from_db()
    assert late.state == Assignment.State.DONE, "the reservation of a stopped annotator has no effect"
    assert held_by_the_right_people(s.study)


@given(
    frees=st.lists(st.integers(0, 4), max_size=12),
    members=st.integers(1, 5),
    taken=st.dictionaries(st.integers(0, 4), st.sets(st.integers(0, 11), max_size=4), max_size=3),
)
def test_shares_are_even_and_nobody_gets_a_hit_twice(
    frees: list[int], members: int, taken: dict[int, set[int]]
) -> None:
    shares = share_evenly(enumerate(frees), range(members), taken)
    for hit, free in enumerate(frees):
        without = [member for member in range(members) if hit not in taken.get(member, set())]
        assert len(set(shares[hit])) == len(shares[hit]) == min(free, len(without))
        assert set(shares[hit]) <= set(without)
    if not taken:
        loads = Counter(dict.fromkeys(range(members), 0))
        loads.update(member for sharers in shares.values() for member in sharers)
        assert max(loads.values()) - min(loads.values()) <= 1


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_claims_and_reservations_at_the_same_time(at_once: Any) -> None:
    s = named_study(["A", "B", "C", "D", "E"], judgements=2, items=20)
    share_out(s.study.pk, user=SYSTEM)
    ids = [one.public_id for one in s.named]

    def change(number: int) -> None:
        for at in range(3):
            unreserve(s.study.pk, named=ids[(number + at) % 5], user=SYSTEM)
            reserve(s.study.pk, hits=range(1 + at, 5 + at), named=ids[(number + at) % 5], user=SYSTEM)
        share_out(s.study.pk, user=SYSTEM)

    at_once([*[lambda one=one: claimed_hits(one) for one in s.people], lambda: change(0), lambda: change(2)])
    assert held_by_the_right_people(s.study)
    share_out(s.study.pk, user=SYSTEM)
    for person in s.people:  # annotators who were too early get the HITs that were reserved later
        claimed_hits(person)
    held = Counter(Assignment.objects.filter(study=s.study).values_list("hit", "participation"))
    assert max(held.values()) == 1
    assert held_by_the_right_people(s.study)
    wasted = Slot.objects.filter(study=s.study, open=1).exclude(reserved_for=None)
    assert not [one for one in wasted if (one.hit_id, one.reserved_for.participation_id) in held]
    assert_slots_add_up(s.study)
