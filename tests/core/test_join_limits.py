"""Tests that one person cannot block a study: joining is limited, and HITs that nobody has started soon become
available again.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.networks import stopped_on_same_network
from annotate.core.services.answer import give_answer, save_draft
from annotate.core.services.claim import claim
from annotate.core.services.networks import delete_old_networks, network_hash
from annotate.core.services.standing import stop
from annotate.models import Assignment, NetworkSighting, Participation, Study
from annotate.models.ids import public_id
from annotate.people.services import remove_personal_data
from annotate.recruiting.services.join import issue_resume_code, join
from annotate.web.api.research import ResearchThrottle
from annotate.web.pages.flood import parsed
from tests.factories import UserFactory, assert_slots_add_up, make_annotator, make_study, raw_answer, take
from tests.markup import markup

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("forget_counts")]

STRANGER, OTHER = "203.0.113.9", "198.51.100.7"


def try_to_join(study: Study, address: str = STRANGER, **headers: str) -> int:
    return Client(REMOTE_ADDR=address, **headers).post(f"/join/{study.join_token}", {}).status_code


# ── joining ───────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.nightly
def test_other_addresses_and_other_studies_are_not_limited_by_it(settings: Any) -> None:
    settings.THROTTLE_JOIN = ["1/hour"]
    study, another = make_study(), make_study()
    assert [try_to_join(study), try_to_join(study)] == [302, 429]
    assert [try_to_join(study, OTHER), try_to_join(another)] == [302, 302]


def test_every_rate_counts(settings: Any) -> None:
    settings.THROTTLE_JOIN = ["100/min", "2/hour"]
    study = make_study()
    assert [try_to_join(study) for _ in range(3)] == [302, 302, 429]


def test_a_forged_header_evades_nothing(settings: Any) -> None:
    settings.THROTTLE_JOIN, settings.PROXIES = ["1/hour"], 0
    study = make_study()
    assert try_to_join(study, HTTP_X_FORWARDED_FOR="192.0.2.1") == 302
    assert try_to_join(study, HTTP_X_FORWARDED_FOR="192.0.2.2") == 429
    settings.PROXIES = 1  # our proxy appends the true address to what the client sent
    assert try_to_join(study, "10.0.0.1", HTTP_X_FORWARDED_FOR=f"192.0.2.3, {OTHER}") == 302
    assert try_to_join(study, "10.0.0.1", HTTP_X_FORWARDED_FOR=f"192.0.2.4, {OTHER}") == 429


def test_addresses_of_one_ipv6_network_count_together(settings: Any) -> None:
    settings.THROTTLE_JOIN = ["1/hour"]
    study = make_study()
    assert [try_to_join(study, f"2001:db8:1:2::{number}") for number in (1, 2)] == [302, 429]
    assert try_to_join(study, "2001:db8:1:3::1") == 302


def test_the_page_says_what_happened_and_who_is_in_goes_on(settings: Any) -> None:
    settings.THROTTLE_JOIN = ["1/hour"]
    study = make_study()
    inside, outside = Client(REMOTE_ADDR=STRANGER), Client(REMOTE_ADDR=STRANGER)
    inside.post(f"/join/{study.join_token}", {})
    refused = outside.post(f"/join/{study.join_token}", {})
    assert refused.status_code == 429
    assert re.search(r"Too many requests came from your network\. Try again in \d+ minutes?\.", markup(refused))
    assert inside.get(f"/s/{study.public_id}").status_code == 200
    assert inside.post(f"/join/{study.join_token}", {}).status_code == 302


def test_refused_consent_does_not_use_up_the_limit(settings: Any) -> None:
    settings.THROTTLE_JOIN = ["1/hour"]
    study = make_study(consent="Text.")
    assert [try_to_join(study) for _ in range(3)] == [400, 400, 400]
    sent = {"agree": "yes", "consent": "1"}
    assert Client(REMOTE_ADDR=STRANGER).post(f"/join/{study.join_token}", sent).status_code == 302


def test_resume_codes_cannot_be_guessed_in_bulk(settings: Any) -> None:
    settings.THROTTLE_RESUME = ["3/hour"]
    code = issue_resume_code(make_annotator(make_study()).pk).code
    stranger = Client(REMOTE_ADDR=STRANGER)
    outcomes = [stranger.post("/resume", {"code": f"AAAA-BBBB-CCC{number}"}).status_code for number in range(5)]
    assert outcomes == [404, 404, 404, 429, 429]
    assert stranger.post("/resume", {"code": code}).status_code == 429
    assert Client(REMOTE_ADDR=OTHER).post("/resume", {"code": code}).status_code == 302


@pytest.mark.parametrize(("rate", "meaning"), [("20/min", (20, 60)), ("1/day", (1, 86_400)), ("5/second", (5, 1))])
def test_rates_have_the_meaning_that_django_rest_framework_gives_them(rate: str, meaning: tuple[int, int]) -> None:
    assert parsed(rate) == ResearchThrottle().parse_rate(rate) == meaning


# ── leases that nobody begins ─────────────────────────────────────────────────────────────────────────────────
def minutes_left(assignment: Assignment) -> float:
    assignment.refresh_from_db()
    return (assignment.lease_until - timezone.now()) / timedelta(minutes=1)


def test_a_lease_is_short_until_something_is_done(settings: Any) -> None:
    settings.UNSTARTED_MINUTES = 15
    study = make_study(lease_minutes=60)
    drafted, answered, idle = (take(make_annotator(study)) for _ in range(3))
    assert all(14 < minutes_left(each) <= 15 for each in (drafted, answered, idle))
    save_draft(drafted.participation_id, drafted.public_id, 1, {"best": 1}, 1)
    first = answered.answers.select_related("question", "participation__study").get(position=1)
    give_answer(answered.participation_id, answered.public_id, 1, raw_answer(first))
    assert all(59 < minutes_left(each) <= 60 for each in (drafted, answered))
    assert 14 < minutes_left(idle) <= 15


def test_later_drafts_do_not_extend_the_lease_further(settings: Any) -> None:
    study = make_study(lease_minutes=60)
    mine = take(make_annotator(study))
    save_draft(mine.participation_id, mine.public_id, 1, {"best": 1}, 1)
    until = minutes_left(mine)
    save_draft(mine.participation_id, mine.public_id, 1, {"best": 2}, 2)
    assert minutes_left(mine) <= until


def test_a_study_with_a_shorter_lease_keeps_it(settings: Any) -> None:
    settings.UNSTARTED_MINUTES = 15
    assert 4 < minutes_left(take(make_annotator(make_study(lease_minutes=5)))) <= 5


def test_slots_of_a_stranger_who_begins_nothing_come_back(settings: Any) -> None:
    settings.UNSTARTED_MINUTES = 15
    study = make_study(lease_minutes=24 * 60)
    squatters = [make_annotator(study) for _ in range(study.slots.count())]
    taken = [take(person) for person in squatters]
    late = make_annotator(study)
    assert claim(late.pk).why == "nothing"
    past = timezone.now() - timedelta(minutes=16)
    for assignment in taken:
        Assignment.objects.filter(pk=assignment.pk).update(
            claimed_at=past, lease_until=assignment.lease_until - timedelta(minutes=16)
        )
    assert claim(late.pk).assignment
    assert_slots_add_up(study)


def test_a_join_form_reopens_nothing_after_the_first_claim() -> None:
    """A person who sends the form of the previous person again becomes a new annotator."""
    study = make_study()
    reserved = public_id()
    first = join(study, platform="web", public_id=reserved)
    assert join(study, platform="web", public_id=reserved) == first, "the form was sent twice"
    take(first)
    second = join(study, platform="web", public_id=reserved)
    assert second != first
    assert second.public_id != reserved


def test_an_overdue_lease_is_not_revived_by_a_draft() -> None:
    mine = take(make_annotator(make_study(lease_minutes=60)))
    Assignment.objects.filter(pk=mine.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    save_draft(mine.participation_id, mine.public_id, 1, {"best": 1}, 1)
    assert minutes_left(mine) < 0


# ── returning from the same network ───────────────────────────────────────────────────────────────────────────
@pytest.fixture
def watched() -> Study:
    return make_study(network_check=True, user=UserFactory())


def join_from(study: Study, address: str = STRANGER) -> Participation:
    assert try_to_join(study, address) == 302
    return study.participations.latest("pk")


def pointed_out(study: Study) -> dict[int, list[str]]:
    return stopped_on_same_network(study, study.participations.all())


@pytest.mark.nightly
def test_a_stopped_person_who_returns_from_the_same_network_is_pointed_out(watched: Study) -> None:
    bystander, first = join_from(watched), join_from(watched)
    stop(first.pk, reason="Answered at random.", user=SYSTEM)
    second, elsewhere = join_from(watched), join_from(watched, OTHER)
    assert pointed_out(watched) == {second.pk: [first.pseudonym]}
    console = Client()
    console.force_login(watched.memberships.get().user)
    for path in ("annotators/", f"annotators/{second.pseudonym}/"):
        html = markup(console.get(f"/console/{watched.public_id}/{path}"))
        assert "ame network" in html, path
    for other in (bystander, elsewhere):
        html = markup(console.get(f"/console/{watched.public_id}/annotators/{other.pseudonym}/"))
        assert "ame network" not in html


def test_without_the_setting_nothing_is_kept(watched: Study) -> None:
    study = make_study()
    join_from(study)
    assert not NetworkSighting.objects.exists()
    join_from(watched)
    assert NetworkSighting.objects.count() == 1


def test_only_a_keyed_hash_is_kept_and_it_differs_by_study_and_key(watched: Study, settings: Any) -> None:
    join_from(watched)
    stored = NetworkSighting.objects.values().get()
    assert STRANGER not in str(stored)
    assert stored["hash"] == network_hash(watched, STRANGER)
    assert stored["hash"] != network_hash(make_study(), STRANGER)
    settings.SECRET_KEY = "another-secret-key-that-is-long-enough-for-a-server"
    assert stored["hash"] != network_hash(watched, STRANGER)


def test_hashes_are_neither_used_nor_kept_after_thirty_days(watched: Study) -> None:
    first = join_from(watched)
    stop(first.pk, reason="Answered at random.", user=SYSTEM)
    join_from(watched)
    assert pointed_out(watched)
    old = timezone.now() - timedelta(days=30, minutes=1)
    NetworkSighting.objects.filter(participation=first).update(seen_at=old)
    assert not pointed_out(watched)
    assert delete_old_networks() == 1
    assert not NetworkSighting.objects.filter(participation=first).exists()


def test_switching_the_setting_off_deletes_the_hashes(watched: Study) -> None:
    join_from(watched)
    Study.objects.filter(pk=watched.pk).update(network_check=False)
    watched.refresh_from_db()
    assert not pointed_out(watched)
    assert delete_old_networks() == 1


def test_erasing_a_person_deletes_their_hashes(watched: Study) -> None:
    first, other = join_from(watched), join_from(watched)
    remove_personal_data(first.annotator_id, user=watched.memberships.get().user, reason="asked for it")
    assert [sighting.participation for sighting in NetworkSighting.objects.all()] == [other]


def test_the_task_is_scheduled(settings: Any) -> None:
    assert settings.CELERY_BEAT_SCHEDULE["delete-old-networks"]["task"] == "annotate.tasks.delete_old_networks"
