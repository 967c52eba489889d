"""Tests of the pace of a study, and of open HITs, whose leases reviewers can end."""

import re
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.counts import Hour, hours
from annotate.core.selectors.open_hits import open_hits
from annotate.core.selectors.pace import annotators_at_work, pace_of, why_no_end
from annotate.core.selectors.pilot import Pilot
from annotate.core.services.answer import give_answer, save_draft
from annotate.core.services.claim import claim, free_by
from annotate.core.services.credentials import new_api_token
from annotate.core.services.open_hits import end_lease, restore_lease
from annotate.core.services.returns import return_hit, withdraw
from annotate.core.services.standing import stop
from annotate.core.services.submit import submit
from annotate.models import Annotator, Assignment, HourCount, Participation, Study
from annotate.recruiting.services.join import join
from annotate.server import clock
from annotate.server.refusals import Refused
from tests.console_study import browser_of, page_of
from tests.factories import answers_to, assert_slots_add_up, let_lapse, make_annotator, make_study, take
from tests.markup import markup

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture(scope="module")
def shared(share: Callable[..., SimpleNamespace]) -> SimpleNamespace:
    return share(_with_an_open_hit)


def _with_an_open_hit() -> SimpleNamespace:
    study = make_study()
    annotator = make_annotator(study)
    return SimpleNamespace(study=study, annotator=annotator, assignment=take(annotator))


@pytest.fixture
def s(shared: SimpleNamespace) -> SimpleNamespace:
    return SimpleNamespace(
        study=Study.objects.get(pk=shared.study.pk),
        annotator=shared.annotator,
        assignment=Assignment.objects.get(pk=shared.assignment.pk),
    )


def full_hours(number: int, hits: int = 2) -> list[Hour]:
    """Return counts for the last full hours, with the same number of completed assignments in each hour."""
    now = clock.now().replace(minute=0, second=0, microsecond=0)
    return [Hour(now - HOUR * ago, 5 * hits, hits, 0, 0, 1) for ago in range(number, 0, -1)]


def test_the_end_is_expected_at_the_pace_of_the_last_days() -> None:
    study = Study(state="open")
    pace = pace_of(study, full_hours(24 * 5), 20, None)
    assert (pace.last_day, pace.per_hour, sum(pace.by_hour)) == (240, 10, 1200)
    assert pace.finish is not None
    for at in (pace.finish.low, pace.finish.at, pace.finish.high):
        assert at is not None
        assert abs(at - clock.now() - 10 * HOUR) < timedelta(minutes=1)
    pilot = Pilot(assignments=8, cost=study.reward, done=4, later=12, later_cost=study.reward)
    of_pilot = pace_of(study, full_hours(48), 20, pilot).finish
    assert of_pilot is not None
    assert of_pilot.at is not None
    assert abs(of_pilot.at - clock.now() - 2 * HOUR) < timedelta(minutes=1)
    assert pace_of(study, full_hours(48), 0, None).finish is None
    assert pace_of(study, full_hours(10), 20, None).finish is None
    assert pace_of(Study(state="paused"), full_hours(48), 20, None).finish is None
    older = pace_of(study, full_hours(24 * 9)[:24], 20, None)
    assert (older.last_day, sum(older.by_hour), older.finish) == (0, 0, None)


def test_the_hours_of_the_day_include_the_current_hour_and_no_hour_eight_times() -> None:
    now = clock.now().replace(minute=0, second=0, microsecond=0)
    pace = pace_of(Study(state="open"), [*full_hours(24 * 8), Hour(now, 3, 1, 0, 0, 1)], 20, None)
    assert pace.by_hour == [63 if hour == now.hour else 70 for hour in range(24)]
    assert pace.last_day == 240


@pytest.mark.parametrize(
    ("worked", "affordable", "reason"),
    [
        (48, True, ""),
        (48, False, "There is no forecast, because the budget cap does not allow all remaining assignments."),
        (0, True, "The first forecast will be available 18 hours after the first judgement."),
        (10, True, "The first forecast will be available on "),
        (-9, True, "There is no forecast, because no assignment was completed in the last seven days."),
    ],
)
def test_the_overview_states_why_there_is_no_forecast(worked: int, affordable: bool, reason: str) -> None:
    study, counts = Study(state="open"), full_hours(worked) if worked >= 0 else full_hours(24 * -worked)[:24]
    pace = pace_of(study, counts, 20, None)
    text = why_no_end(study, pace, counts, affordable=affordable)
    assert text.startswith(reason)
    assert bool(text) == bool(reason)
    if worked == 10:
        assert pace.forecast_at == counts[0].at + 18 * HOUR
        assert f"{pace.forecast_at:%H:%M} UTC, after 18 hours of work." in text
        assert pace_of(Study(state="paused"), counts, 20, None).forecast_at is None
    else:
        assert pace.forecast_at is None


def test_annotators_are_at_work_for_fifteen_minutes(s: SimpleNamespace) -> None:
    assert annotators_at_work(s.study) == 1
    long_ago = clock.now() - timedelta(minutes=20)
    Assignment.objects.filter(pk=s.assignment.pk).update(claimed_at=long_ago)
    assert annotators_at_work(s.study) == 0
    give_answer(s.annotator.pk, s.assignment.public_id, 1, {"best": 1, "worst": 2})
    assert annotators_at_work(s.study) == 1
    submit(s.annotator.pk, s.assignment.public_id, answers_to(s.assignment))
    assert annotators_at_work(s.study) == 1
    Assignment.objects.filter(pk=s.assignment.pk).update(submitted_at=long_ago)
    assert annotators_at_work(s.study) == 0


def test_another_annotator_gets_the_hit_after_its_lease_was_ended(s: SimpleNamespace) -> None:
    give_answer(s.annotator.pk, s.assignment.public_id, 1, {"best": 1, "worst": 2})
    (listed,) = open_hits(s.study)
    assert (listed.pk, listed.questions, listed.given) == (s.assignment.pk, 5, 1)
    assert listed.active_at > listed.claimed_at
    assert end_lease(s.study.pk, s.assignment.public_id, user=SYSTEM).opened == 1
    assert not open_hits(s.study)
    assert_slots_add_up(s.study)
    other = make_annotator(s.study)
    assert take(other).hit_id == s.assignment.hit_id
    submit(s.annotator.pk, s.assignment.public_id, answers_to(s.assignment))  # late, and still paid
    s.assignment.refresh_from_db()
    assert (s.assignment.state, s.assignment.credited) == (Assignment.State.SURPLUS, True)
    assert s.study.events.get(verb="ended lease").detail == {"hit": s.assignment.hit.number}
    with pytest.raises(Refused, match="has already ended"):
        end_lease(s.study.pk, s.assignment.public_id, user=SYSTEM)
    with pytest.raises(Refused, match="no assignment with this ID"):
        end_lease(s.study.pk, "unknown", user=SYSTEM)


def test_the_console_lists_open_hits_and_ends_their_leases(s: SimpleNamespace) -> None:
    client, viewer = browser_of(s.study), browser_of(s.study, "viewer")
    assert "1 open HIT</a>" in markup(client.get(page_of(s.study)))
    listed = markup(client.get(page_of(s.study, "open-hits/")))
    assert s.annotator.pseudonym in listed
    assert "0 of 5" in listed
    end = page_of(s.study, f"open-hits/{s.assignment.public_id}/end/")
    assert end in listed
    assert end not in markup(viewer.get(page_of(s.study, "open-hits/")))
    assert viewer.post(end).status_code == 404
    ended = markup(client.post(end, follow=True))
    assert "The reservation has ended. Another annotator can now get the HIT." in ended
    assert "No open HITs" in ended
    assert "The reservation of this HIT has already ended." in markup(client.post(end, follow=True))


def stored(assignment: Assignment) -> list[object]:
    """Return the columns of the assignment, its answers and the slots of its study."""
    rows = [Assignment.objects.filter(pk=assignment.pk), assignment.answers.all(), assignment.study.slots.all()]
    return [list(each.order_by("pk").values()) for each in rows]


@pytest.mark.nightly
def test_an_ended_reservation_can_be_given_back_as_it_was(s: SimpleNamespace) -> None:
    save_draft(s.annotator.pk, s.assignment.public_id, 1, {"best": 1}, 1)
    before, place = stored(s.assignment), page_of(s.study, f"open-hits/{s.assignment.public_id}/")
    reviewer, other_window = browser_of(s.study, "reviewer"), browser_of(s.study)
    (seen,) = re.findall(r'name="seen" value="([^"]+)"', markup(reviewer.post(f"{place}end/", follow=True)))
    assert stored(s.assignment) != before
    assert browser_of(s.study, "viewer").post(f"{place}restore/", {"seen": seen}).status_code == 404
    for browser in (reviewer, other_window):  # the second press changes nothing
        shown = markup(browser.post(f"{place}restore/", {"seen": seen}, follow=True))
        assert "The HIT is reserved again." in shown
        assert stored(s.assignment) == before
    assert list(s.study.events.filter(verb__endswith="lease").order_by("pk").values_list("verb", flat=True)) == [
        "ended lease",
        "restored lease",
    ]
    other_window.post(f"{place}end/")
    ended = stored(s.assignment)
    assert "somebody has made another change" in markup(reviewer.post(f"{place}restore/", {"seen": seen}, follow=True))
    assert stored(s.assignment) == ended


def _another_starts_it(s: SimpleNamespace) -> None:
    while take(make_annotator(s.study)).slot_id != s.assignment.slot_id:
        pass


def _another_starts_the_last_set(s: SimpleNamespace) -> None:
    Study.objects.filter(pk=s.study.pk).update(budget_cap=s.assignment.reward)
    take(make_annotator(s.study))


def _it_is_returned(s: SimpleNamespace) -> None:
    return_hit(s.annotator.pk, s.assignment.public_id)


def _its_annotator_withdraws(s: SimpleNamespace) -> None:
    withdraw(s.annotator.pk, keep_answers=True)


def _its_annotator_is_stopped(s: SimpleNamespace) -> None:
    stop(s.annotator.pk, reason="why", user=SYSTEM)


@pytest.mark.parametrize(
    ("happens", "reason"),
    [
        (_another_starts_it, "another annotator has started the HIT since then"),
        (_another_starts_the_last_set, "the rest of the budget is reserved for other HITs now"),
        (
            lambda s: submit(s.annotator.pk, s.assignment.public_id, answers_to(s.assignment)),
            "has submitted or returned the HIT since then",
        ),
        (_it_is_returned, "has submitted or returned the HIT since then"),
        (_its_annotator_withdraws, "no longer works in this study"),
        (_its_annotator_is_stopped, "no longer works in this study"),
    ],
)
def test_a_reservation_stays_ended_once_its_hit_is_gone(
    s: SimpleNamespace, happens: Callable[[SimpleNamespace], object], reason: str
) -> None:
    ended = end_lease(s.study.pk, s.assignment.public_id, user=SYSTEM)
    assert ended.at
    happens(s)
    now = stored(s.assignment)
    with pytest.raises(Refused, match=f"Nothing was undone, because .*{reason}"):
        restore_lease(s.study.pk, s.assignment.public_id, seen=ended.at.isoformat(), user=SYSTEM)
    assert stored(s.assignment) == now
    assert_slots_add_up(s.study)


def test_an_annotator_with_another_hit_is_not_given_a_second_one(s: SimpleNamespace) -> None:
    ended = end_lease(s.study.pk, s.assignment.public_id, user=SYSTEM)
    others = [make_annotator(s.study) for _ in range(2)]
    for other in others:
        take(other)
    while s.study.slots.filter(hit=s.assignment.hit_id, open=1).exists():
        take(make_annotator(s.study))
    assert take(s.annotator).pk != s.assignment.pk
    assert ended.at
    with pytest.raises(Refused, match="has started another HIT since then"):
        restore_lease(s.study.pk, s.assignment.public_id, seen=ended.at.isoformat(), user=SYSTEM)


def test_no_undo_once_a_surplus_assignment_counts_instead(s: SimpleNamespace) -> None:
    end_lease(s.study.pk, s.assignment.public_id, user=SYSTEM)
    others: list[Assignment] = []
    while not others or s.study.slots.filter(hit=s.assignment.hit_id, open=1).exists():
        others.append(take(make_annotator(s.study)))
    submit(s.annotator.pk, s.assignment.public_id, answers_to(s.assignment))
    held = next(each for each in others if each.hit_id == s.assignment.hit_id)
    ended = end_lease(s.study.pk, held.public_id, user=SYSTEM)
    assert (ended.opened, ended.at) == (0, None)
    with pytest.raises(Refused, match="Nothing was undone"):
        restore_lease(s.study.pk, held.public_id, seen="", user=SYSTEM)


def test_the_console_says_why_an_unstarted_hit_is_reserved_for_less_than_the_time_limit(s: SimpleNamespace) -> None:
    client = browser_of(s.study)
    page = markup(client.get(page_of(s.study, "open-hits/")))
    assert "1 HIT has been claimed" in page
    assert "HIT: several questions that are answered and paid together." in page
    assert "reserved for 15 minutes. Saving an answer extends this to 60 minutes after the claim." in page
    assert "(not started)" in page
    save_draft(s.annotator.pk, s.assignment.public_id, 1, {"best": 1}, 1)
    assert "(not started)" not in markup(client.get(page_of(s.study, "open-hits/")))


def test_the_api_returns_progress_and_ends_leases(s: SimpleNamespace) -> None:
    owner = s.study.memberships.get(role="owner").user
    client = Client(headers={"Authorization": f"Token {new_api_token(owner, 'script')[1]}"})
    root = f"/api/v1/studies/{s.study.public_id}"
    progress = client.get(f"{root}/progress").json()
    assert (progress["open_hits"], progress["annotators_at_work"], progress["assignments_available"]) == (1, 1, 3)
    assert (progress["finish"], progress["forecast_at"], progress["pilot"]) == (None, None, None)
    assert progress["judgements_by_hour"] == [0] * 24
    (row,) = client.get(f"{root}/open-hits").json()["results"]
    assert (row["assignment"], row["questions"], row["answers"]) == (s.assignment.public_id, 5, 0)
    assert client.post(f"{root}/open-hits/{row['assignment']}/end").json() == {"opened": 1}
    assert client.post(f"{root}/open-hits/{row['assignment']}/end").json()["code"] == "not-leased"
    assert client.get(f"{root}/progress").json()["assignments_available"] == 4


def test_the_overview_shows_the_expected_end(s: SimpleNamespace) -> None:
    for hour in full_hours(120):
        HourCount.objects.create(study=s.study, participation=s.annotator, hour=hour.at, hits=hour.hits, judgements=300)
    Study.objects.filter(pk=s.study.pk).update(assignments_planned=260, judgements_planned=1300)
    assert len(hours(s.study)) == 120
    end = clock.now() + 10 * HOUR
    page = markup(browser_of(s.study).get(page_of(s.study)))
    assert f"Expected end: {end:%a} {end.day} {end:%b, %H:}" in page
    assert "90% interval:" in page
    assert "The first forecast" not in page
    assert "Last 24 hours: 7,200 judgements, 300 per hour" in page
    assert 'id="hours"' in page


@pytest.mark.nightly
def test_the_to_do_list_names_the_holder_of_the_last_hit_while_others_wait() -> None:
    study = make_study(questions_per_hit=16, judgements=1)
    holder, waiting = make_annotator(study), make_annotator(study)
    held = take(holder)
    page = page_of(study)
    assert "reserved for" not in markup(browser_of(study).get(page)), "nobody waits"
    assert claim(waiting.pk).why == "nothing"
    shown = markup(browser_of(study).get(page))
    assert "1 annotator waits for questions that others have not submitted" in shown
    assert f"The last HIT is reserved for {holder.pseudonym}, for at most 60 minutes." in shown
    let_lapse(held)
    assert "reserved for" not in markup(browser_of(study).get(page)), "another annotator can already get the HIT"
    assert "End the reservation" not in markup(browser_of(study).get(page_of(study, "open-hits/")))
    end_lease(study.pk, held.public_id, user=SYSTEM)
    assert "reserved for" not in markup(browser_of(study).get(page))


@pytest.mark.nightly
def test_an_annotator_waits_only_for_a_hit_that_can_come_free() -> None:
    study = make_study(questions_per_hit=16, judgements=2)
    first, second, third = (make_annotator(study) for _ in range(3))
    held = take(first)
    submit(second.pk, take(second).public_id, answers_to(study.assignments.get(participation=second)))
    for annotator in (second, third):
        assert claim(annotator.pk).why == "nothing"
    assert free_by(Participation.objects.get(pk=second.pk)) is None, "second has answered these questions"
    until, end = free_by(Participation.objects.get(pk=third.pk)), held.claimed_at + HOUR
    assert until is not None
    assert timedelta() < until - end <= timedelta(minutes=1)
    assert (until.second, until.microsecond) == (0, 0), "the exact time would tell when the annotator claimed"
    let_lapse(held)
    until = free_by(Participation.objects.get(pk=third.pk))
    assert until is not None
    assert until <= clock.now() + timedelta(minutes=1)
    submit(first.pk, held.public_id, answers_to(held))
    assert free_by(Participation.objects.get(pk=third.pk)) is None


def test_programs_and_tryouts_do_not_wait_for_hits_of_people() -> None:
    study = make_study(questions_per_hit=16, judgements=1)
    take(make_annotator(study))
    program = join(study, platform=Annotator.Platform.SYSTEM, external_id="program", is_program=True)
    assert free_by(program) is None
    tryout = make_annotator(study, platform=Annotator.Platform.TRY)
    assert free_by(tryout) is None
