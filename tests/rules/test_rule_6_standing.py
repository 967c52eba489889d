"""Tests of rule 6: annotators who fail the quality rule are stopped in one transaction, and a researcher can restore
them.
"""

from decimal import Decimal

import pytest

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.assignments import present
from annotate.core.selectors.progress import judgements_counted
from annotate.core.services.answer import acknowledge, give_answer, save_draft
from annotate.core.services.claim import claim
from annotate.core.services.standing import restore, stop
from annotate.core.services.submit import submit, submit_and_claim
from annotate.models import Event, Study
from annotate.questions.selectors.data import study_data
from annotate.server.refusals import Refused
from tests.factories import (
    answers_to,
    assert_slots_add_up,
    do_hit,
    gold_in,
    let_lapse,
    make_annotator,
    make_study,
    member_of,
    raw_answer,
    take,
)

pytestmark = [pytest.mark.rules, pytest.mark.django_db]


def small_study(**settings):
    return make_study(**{"items": 40, "gold": 20, "questions_per_hit": 2, "gold_block": 2} | settings)


def answer_gold(ann, outcomes):
    """Submit one HIT for each outcome, with a correct (`+`) or incorrect (`-`) gold answer, and return the last
    receipt.
    """
    for outcome in outcomes:
        receipt = do_hit(ann, right=outcome == "+")
    return receipt


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("outcomes", "stopped"),
    [
        ("-" * 9, False),  # the minimum has not been reached
        ("-" * 10, True),
        ("+" * 7 + "-" * 3, False),  # exactly 70 % is not under 70 %
        ("+" * 6 + "-" * 4, True),
        ("+" * 10 + "-" * 4, False),  # 10 of 14
        ("+" * 10 + "-" * 5, True),  # 10 of 15
    ],
)
def test_the_rule_stops_under_the_threshold_from_its_minimum_on(outcomes, stopped):
    study = small_study()
    ann = make_annotator(study)
    assert answer_gold(ann, outcomes).stopped is stopped
    assert_slots_add_up(study)


def test_a_threshold_of_zero_stops_nobody():
    assert not answer_gold(make_annotator(small_study(rule_threshold=0, rule_minimum=1)), "----").stopped


def test_the_rule_may_wait_for_submitted_hits_instead():
    study = small_study(rule_unit=Study.RuleUnit.HITS, rule_minimum=3, rule_threshold="0.5", gold_block=1)
    ann = make_annotator(study)
    assert not answer_gold(ann, "--").stopped
    assert ann.answers.filter(tally__isnull=False).count() == 4
    mine = take(ann)
    for answer in gold_in(mine):
        assert not give_answer(ann.pk, mine.public_id, answer.position, raw_answer(answer, right=False)).stopped

    for answer in gold_in(mine):
        acknowledge(ann.pk, mine.public_id, answer.position)
    assert submit(ann.pk, mine.public_id, answers_to(mine, right=False)).stopped


def test_giving_the_deciding_answer_stops_at_once():
    study = small_study(rule_minimum=1)
    ann = make_annotator(study)
    mine = take(ann)
    (gold,) = gold_in(mine)
    given = give_answer(ann.pk, mine.public_id, gold.position, raw_answer(gold, right=False))
    assert given.stopped
    assert given.feedback, "even so they see what was expected"
    mine.refresh_from_db()
    assert (mine.state, mine.reason, mine.credited) == ("void", "stopped", True), "the interruption is ours"
    assert claim(ann.pk).why == "stopped"


def test_stopping_voids_answers_opens_slots_and_keeps_credit():
    study = small_study(judgements=2)
    ann, other = make_annotator(study), make_annotator(study)
    answer_gold(ann, "++")
    answer_gold(other, "+")
    study.refresh_from_db()
    counted, openings = judgements_counted(study), study.slot_openings
    stop(ann.pk, reason="random clicks", user=SYSTEM)
    study.refresh_from_db()
    assert judgements_counted(study) == counted - 4
    assert study.slot_openings == openings + 1
    assert set(ann.assignments.values_list("state", "reason", "credited")) == {("void", "stopped", True)}
    assert {row.reason for row in study_data(study).answers if row.pseudonym == ann.pseudonym and not row.counts} == {
        "void: stopped",
        "gold",
    }
    assert study.slots.filter(open=0).count() == 1
    assert_slots_add_up(study)


def test_submitted_hits_stay_credited_whatever_the_study_pays_for_the_open_one():
    study = small_study(pay_stopped=False)
    ann = make_annotator(study)
    answer_gold(ann, "+")
    mine = take(ann)
    give_answer(ann.pk, mine.public_id, 1, answers_to(mine)[0].value)
    stop(ann.pk, reason="random clicks", user=SYSTEM)
    assert [a.credited for a in ann.assignments.order_by("pk")] == [True, False], "the second was open at the stop"
    restore(ann.pk, reason="a mistake", user=SYSTEM)
    assert dict(ann.assignments.values_list("state", "credited")) == {"done": True, "lapsed": False}
    mine.refresh_from_db()
    assert mine.reward == Decimal("0.5")


def test_who_had_run_dry_finds_the_slots_that_a_stop_opened():
    study = make_study()
    first, dry = make_annotator(study), make_annotator(study)
    while claim(first.pk).assignment:
        do_hit(first)
    assert claim(dry.pk).why == "nothing"
    stop(first.pk, reason="random clicks", user=SYSTEM)
    assert take(dry).hit.number == 1


def test_a_stop_by_hand_needs_a_reason_and_is_logged_once():
    study = make_study()
    ann, user = make_annotator(study), member_of(study)
    with pytest.raises(Refused, match="Enter a reason"):
        stop(ann.pk, reason="  ", user=user)
    stop(ann.pk, reason="random clicks", user=user)
    stop(ann.pk, reason="again", user=user)
    (event,) = Event.objects.filter(verb="stopped")
    assert (event.user, event.participation, event.reason) == (user, ann, "random clicks")
    with pytest.raises(Refused, match="Enter a reason"):
        restore(ann.pk, reason="", user=user)


def test_a_stop_by_the_rule_is_logged_with_the_figures():
    study = small_study(rule_minimum=2)
    answer_gold(make_annotator(study), "+-")
    event = Event.objects.get(verb="stopped")
    assert event.reason == "accuracy 50% on gold questions, below the pass mark of 70%"
    assert (event.user, event.detail) == (None, {"cause": "quality rule", "assignments": 2, "opened": 2})


def test_the_hit_in_which_the_rule_stops_an_annotator_no_longer_counts_either():
    ann = make_annotator(small_study(rule_minimum=2))
    answer_gold(ann, "-")
    hit = take(ann)
    for sent in answers_to(hit, right=False):
        give_answer(ann.pk, hit.public_id, sent.position, sent.value)
    event = Event.objects.get(verb="stopped")
    assert (event.detail["assignments"], event.detail["opened"]) == (2, 2)


def test_restoring_counts_what_fits_keeps_the_rest_as_surplus_and_leaves_the_rest_resumable():
    study = make_study()
    ann, other, user = make_annotator(study), make_annotator(study), member_of(study)
    do_hit(ann)
    do_hit(ann)
    begun = take(ann)
    stop(ann.pk, reason="random clicks", user=user)
    assert do_hit(other).state == "done"  # this assignment takes the slot of the first HIT
    restored = restore(ann.pk, reason="it was somebody else", user=user)
    assert (restored.counted, restored.surplus, restored.resumable) == (1, 1, 1)
    assert list(ann.assignments.order_by("pk").values_list("state", flat=True)) == ["surplus", "done", "lapsed"]
    assert set(ann.assignments.exclude(pk=begun.pk).values_list("credited", flat=True)) == {True}
    assert_slots_add_up(study)
    event = Event.objects.get(verb="restored")
    assert (event.reason, event.detail) == (
        "it was somebody else",
        {"counted": 1, "surplus": 1, "resumable": 1},
    )
    again = claim(ann.pk)
    assert (again.assignment, again.resumed) == (begun, True)


def test_only_somebody_who_is_stopped_can_be_restored():
    ann = make_annotator(make_study())
    with pytest.raises(Refused, match="is not stopped"):
        restore(ann.pk, reason="a mistake", user=SYSTEM)


@pytest.mark.nightly
def test_after_restoring_the_rule_begins_anew():
    study = small_study(rule_minimum=3)
    ann = make_annotator(study)
    assert answer_gold(ann, "---").stopped
    restore(ann.pk, reason="misunderstood the keys", user=SYSTEM)
    assert not answer_gold(ann, "--").stopped, "two are fewer than the minimum"
    assert answer_gold(ann, "-").stopped
    restore(ann.pk, reason="once more", user=SYSTEM)
    assert not answer_gold(ann, "+++-").stopped, "three of four since then"
    ann.refresh_from_db()
    assert (ann.graded, ann.tallies) == (10, {"right": 3, "wrong": 7}), "what was graded stays on record"


def test_after_restoring_submitted_hits_are_counted_anew_too():
    study = small_study(rule_unit=Study.RuleUnit.HITS, rule_minimum=2, rule_threshold="0.5")
    ann = make_annotator(study)
    assert answer_gold(ann, "--").stopped
    restore(ann.pk, reason="misunderstood the keys", user=SYSTEM)
    assert not answer_gold(ann, "-").stopped
    assert answer_gold(ann, "-").stopped


@pytest.mark.parametrize("pays", [True, False])
def test_a_submission_that_arrives_after_the_stop_is_kept_and_credited(pays):
    study = make_study(pay_stopped=pays, judgements=2)
    ann = make_annotator(study)
    mine = take(ann)
    begin(mine)
    stop(ann.pk, reason="random clicks", user=SYSTEM)
    receipt = submit(ann.pk, mine.public_id, answers_to(mine))
    assert (receipt.state, receipt.stopped, receipt.credited) == ("void", True, True)
    assert not mine.answers.filter(given_at=None).exists(), "what was acknowledged is there"
    assert submit(ann.pk, mine.public_id, answers_to(mine)) == receipt
    assert judgements_counted(study) == 0
    assert_slots_add_up(study)

    assert restore(ann.pk, reason="a mistake", user=SYSTEM).counted == 1
    mine.refresh_from_db()
    assert (mine.state, mine.credited) == ("done", True)
    assert judgements_counted(study) == 5
    assert_slots_add_up(study)


def test_answers_given_before_the_page_knew_of_the_stop_are_credited_for_the_last_claimed_hit_only():
    study = make_study(pay_stopped=False, judgements=2)
    ann = make_annotator(study)
    lapsed = take(ann)
    ann.assignments.update(state="lapsed")
    study.slots.filter(hit=lapsed.hit).update(open=0)  # others took the HIT, so the annotator claims another one
    mine = take(ann)
    assert mine != lapsed
    give_answer(ann.pk, mine.public_id, 1, answers_to(mine)[0].value)
    stop(ann.pk, reason="random clicks", user=SYSTEM)
    save_draft(ann.pk, mine.public_id, 2, {"best": 4}, 1)
    assert credited(ann) == {lapsed.pk: False, mine.pk: False}
    give_answer(ann.pk, lapsed.public_id, 1, answers_to(lapsed)[0].value)
    assert not submit(ann.pk, lapsed.public_id, answers_to(lapsed)).credited
    give_answer(ann.pk, mine.public_id, 1, answers_to(mine)[0].value)
    assert credited(ann) == {lapsed.pk: False, mine.pk: False}, "a repeated request is no answer"
    give_answer(ann.pk, mine.public_id, 2, answers_to(mine)[1].value)
    assert credited(ann) == {lapsed.pk: False, mine.pk: True}
    assert claim(ann.pk).why == "stopped"


def test_a_stop_never_pays_for_more_than_one_hit():
    study = make_study(items=40, judgements=2)
    ann = make_annotator(study)
    for _ in range(3):
        begin(take(ann))
        ann.assignments.update(state="lapsed")
        study.slots.filter(hit__in=ann.assignments.values("hit")).update(open=0)
    stop(ann.pk, reason="random clicks", user=SYSTEM)
    for mine in ann.assignments.all():
        give_answer(ann.pk, mine.public_id, 2, {"best": 1, "worst": 2})
        submit(ann.pk, mine.public_id, answers_to(mine))
    assert [paid for _, paid in sorted(credited(ann).items())] == [False, False, True], (
        "only the HIT that was claimed last"
    )


def test_a_hit_that_was_not_begun_before_the_stop_earns_nothing():
    ann = make_annotator(make_study(judgements=2))
    mine = take(ann)
    stop(ann.pk, reason="random clicks", user=SYSTEM)
    give_answer(ann.pk, mine.public_id, 1, {"best": 1, "worst": 2})
    assert not submit(ann.pk, mine.public_id, answers_to(mine)).credited
    restore(ann.pk, reason="a mistake", user=SYSTEM)
    assert credited(ann) == {mine.pk: True}, "a submitted HIT of an active annotator"


def test_work_that_was_begun_before_the_last_submission_earns_nothing_after_the_stop():
    study = make_study(items=40, judgements=2)
    ann = make_annotator(study)
    lapsed = take(ann)
    begin(lapsed)
    ann.assignments.update(state="lapsed")
    study.slots.filter(hit=lapsed.hit).update(open=0)
    do_hit(ann)
    stop(ann.pk, reason="random clicks", user=SYSTEM)
    give_answer(ann.pk, lapsed.public_id, 2, {"best": 1, "worst": 2})
    assert list(credited(ann).values()) == [False, True]


def test_the_database_credits_no_other_hit_after_a_stop(refuses):
    study = make_study(items=40, judgements=2, pay_stopped=False)
    ann = make_annotator(study)
    begin(take(ann))
    ann.assignments.update(state="lapsed")
    study.slots.filter(hit__in=ann.assignments.values("hit")).update(open=0)
    begin(take(ann))
    stop(ann.pk, reason="random clicks", user=SYSTEM)
    other = ann.assignments.filter(open_at_stop=False)
    with refuses("a stop earns no HIT other than the one that was open"):
        other.update(credited=True)
    with refuses("a stop earns no HIT other than the one that was open"):
        other.update(credited=True, open_at_stop=True)
    ann.assignments.filter(open_at_stop=True).update(credited=True)
    restore(ann.pk, reason="a mistake", user=SYSTEM)
    with refuses("participation_id|open_at_stop_once"):
        ann.assignments.update(open_at_stop=True)


def begin(assignment):
    give_answer(assignment.participation_id, assignment.public_id, 1, answers_to(assignment)[0].value)


def credited(participation):
    return dict(participation.assignments.order_by("pk").values_list("pk", "credited"))


def test_feedback_can_be_read_before_the_hit_ends():
    study = small_study(rule_threshold=0)
    ann = make_annotator(study)
    mine = take(ann)
    place = gold_in(mine)[0].position
    answers = answers_to(mine, right=False)
    receipt, claimed = submit_and_claim(ann.pk, mine.public_id, answers, feedback_first=True)
    assert (receipt.state, receipt.credited, claimed) == ("leased", False, None)
    assert [one.position for one in receipt.feedback] == [place]
    assert submit(ann.pk, mine.public_id, feedback_first=True) == receipt, "a repeated request"
    acknowledge(ann.pk, mine.public_id, place)
    receipt, claimed = submit_and_claim(ann.pk, mine.public_id, feedback_first=True)
    assert (receipt.state, receipt.credited, receipt.feedback) == ("done", True, [])
    assert claimed.assignment


def test_who_is_stopped_by_the_last_hit_that_was_answered_offline_is_credited_for_it():
    study = small_study(pay_stopped=False, rule_minimum=1)
    ann = make_annotator(study)
    mine = take(ann)
    receipt, claimed = submit_and_claim(ann.pk, mine.public_id, answers_to(mine, right=False), feedback_first=True)
    assert (receipt.state, receipt.stopped, receipt.credited) == ("void", True, True)
    assert len(receipt.feedback) == 1
    assert claimed.why == "stopped"
    mine.refresh_from_db()
    assert mine.submitted_at


def test_single_answers_and_drafts_that_arrive_after_the_stop_are_kept_and_can_still_be_changed():
    study = make_study()
    ann = make_annotator(study)
    mine = take(ann)
    give_answer(ann.pk, mine.public_id, 1, {"best": 1, "worst": 2})
    stop(ann.pk, reason="random clicks", user=SYSTEM)
    assert give_answer(ann.pk, mine.public_id, 1, {"best": 3, "worst": 2}).stopped
    assert give_answer(ann.pk, mine.public_id, 2, {"best": 1, "worst": 2}).stopped
    save_draft(ann.pk, mine.public_id, 3, {"best": 4}, 1)
    restore(ann.pk, reason="a mistake", user=SYSTEM)
    shown = {one["position"]: one for one in present(take(ann))["questions"]}
    assert (shown[1]["value"], shown[2]["value"]) == ({"best": 3, "worst": 2}, {"best": 1, "worst": 2})
    assert shown[3]["draft"] == {"best": 4}


def test_an_annotator_stopped_during_practice_continues_with_practice_once_restored():
    ann = make_annotator(make_study(practice=2))
    stop(ann.pk, reason="random clicks", user=SYSTEM)
    restore(ann.pk, reason="a mistake", user=SYSTEM)
    assert do_hit(ann).stopped is False
    assert [assignment.kind for assignment in ann.assignments.all()] == ["practice"]
    stop(ann.pk, reason="random clicks", user=SYSTEM)
    assert restore(ann.pk, reason="a mistake", user=SYSTEM).resumable == 0, "practice is not among the HITs"
    assert take(ann).kind == "regular"


def test_an_incomplete_submission_after_the_stop_is_kept_as_far_as_it_goes():
    study = make_study()
    ann = make_annotator(study)
    mine = take(ann)
    begin(mine)
    stop(ann.pk, reason="random clicks", user=SYSTEM)
    receipt = submit(ann.pk, mine.public_id, answers_to(mine, but=[2]))
    assert (receipt.state, receipt.stopped, receipt.credited) == ("void", True, True)
    assert [a.position for a in mine.answers.filter(given_at=None)] == [2]
    assert restore(ann.pk, reason="a mistake", user=SYSTEM).resumable == 1


def test_gold_that_arrives_after_the_stop_is_graded_and_the_rule_looks_past_it_once_restored():
    study = small_study(rule_minimum=1)
    ann = make_annotator(study)
    mine = take(ann)
    stop(ann.pk, reason="random clicks", user=SYSTEM)
    receipt = submit(ann.pk, mine.public_id, answers_to(mine, right=False))
    assert (receipt.state, len(receipt.feedback)) == ("void", 1)
    ann.refresh_from_db()
    assert (ann.graded, ann.tallies) == (1, {"right": 0, "wrong": 1})
    restore(ann.pk, reason="a mistake", user=SYSTEM)
    assert not answer_gold(ann, "+").stopped


def test_lapsed_work_that_was_never_submitted_earns_nothing_by_a_stop():
    study = make_study()
    ann = make_annotator(study)
    mine = take(ann)
    let_lapse(mine)
    take(make_annotator(study))
    stop(ann.pk, reason="random clicks", user=SYSTEM)
    mine.refresh_from_db()
    assert (mine.state, mine.credited) == ("void", False)
    assert_slots_add_up(study)


def test_practice_goes_on_where_it_was_when_a_stop_is_reversed():
    study = make_study(practice=2)
    ann = make_annotator(study)
    practice = take(ann)
    stop(ann.pk, reason="by mistake", user=SYSTEM)
    restore(ann.pk, reason="by mistake", user=SYSTEM)
    again = claim(ann.pk)
    assert (again.assignment, again.resumed) == (practice, True)


def test_a_researcher_who_tries_the_study_is_never_stopped():
    study = small_study(rule_minimum=1, state=Study.State.DRAFT)
    assert not answer_gold(make_annotator(study, platform="try"), "---").stopped


def test_what_was_promised_at_the_stop_stays_promised_when_it_is_reversed():
    study = make_study(reward="0.40")
    ann = make_annotator(study)
    mine = take(ann)
    give_answer(ann.pk, mine.public_id, 1, answers_to(mine)[0].value)
    stop(ann.pk, reason="random clicks", user=SYSTEM)
    mine.refresh_from_db()
    assert (mine.state, mine.credited) == ("void", True)
    restore(ann.pk, reason="a mistake of ours", user=SYSTEM)
    mine.refresh_from_db()
    assert (mine.state, mine.credited) == ("lapsed", True)
    assert claim(ann.pk).assignment == mine
    submit(ann.pk, mine.public_id, answers_to(mine))
    mine.refresh_from_db()
    assert (mine.state, mine.credited) == ("done", True)
