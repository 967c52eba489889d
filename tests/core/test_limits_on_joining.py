"""Tests of the limits on joining: the maximum number of annotators and the deadlines."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.limits import in_time_zone
from annotate.core.services.claim import claim
from annotate.core.services.returns import withdraw
from annotate.core.services.standing import stop
from annotate.models import Annotator, Study
from annotate.recruiting.services.join import join
from annotate.server import clock
from annotate.server.refusals import Refused
from annotate.studies.services.copies import copied_settings
from annotate.studies.services.settings import change_settings
from tests.console_study import browser_of, page_of
from tests.factories import assert_slots_add_up, do_hit, let_lapse, make_annotator, make_study, take
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(make_study)


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def limited(study: Study, **settings: object) -> Study:
    return change_settings(study.pk, user=SYSTEM, **settings)


def join_in_browser(study: Study) -> tuple[int, str]:
    response = Client().post(f"/join/{study.join_token}", {})
    return response.status_code, markup(response) if response.status_code != 302 else ""


# ── number of annotators ──────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.nightly
def test_a_full_study_admits_nobody_until_an_annotator_leaves(study: Study) -> None:
    study = limited(study, annotator_limit=2)
    first, second = make_annotator(study), make_annotator(study)
    status, page = join_in_browser(study)
    assert (status, study.participations.count()) == (403, 2)
    assert "All places in this study are taken." in page
    waiting = markup(Client().get(f"/join/{study.join_token}"))
    assert "All places in this study are taken." in waiting
    assert "Take part" not in waiting
    assert "Continue with your code" in waiting
    withdraw(first.pk, keep_answers=True)
    assert join_in_browser(study)[0] == 302
    assert join_in_browser(study)[0] == 403
    stop(second.pk, reason="test", user=SYSTEM)
    assert join_in_browser(study)[0] == 302


def test_returning_annotators_and_repeated_forms_need_no_further_place(study: Study) -> None:
    study = limited(study, annotator_limit=1)
    known = join(study, platform=Annotator.Platform.ACCOUNT, external_id="7", public_id="p" * 22)
    assert join(study, platform=Annotator.Platform.ACCOUNT, external_id="7") == known
    assert join(study, platform=Annotator.Platform.ACCOUNT, external_id="7", public_id="p" * 22) == known


def test_tryouts_programs_and_simulated_annotators_take_no_place(study: Study) -> None:
    study = limited(study, annotator_limit=1)
    for platform in (Annotator.Platform.TRY, Annotator.Platform.SIMULATED):
        make_annotator(study, platform=platform)
    join(study, platform=Annotator.Platform.ACCOUNT, external_id="bot", is_program=True)
    make_annotator(study)
    for platform in (Annotator.Platform.TRY, Annotator.Platform.SIMULATED):
        make_annotator(study, platform=platform)
    with pytest.raises(Refused, match="All places"):
        make_annotator(study)


# ── deadlines ─────────────────────────────────────────────────────────────────────────────────────────────────
def test_nobody_joins_after_the_deadline_but_annotators_continue(study: Study) -> None:
    annotator = make_annotator(study)
    study = limited(study, joining_ends_at=clock.now() - timedelta(minutes=1))
    status, page = join_in_browser(study)
    assert status == 403
    assert f"You could join this study until {in_time_zone(study, study.joining_ends_at)}." in page
    assert do_hit(annotator).assignment


@pytest.mark.nightly
def test_after_the_second_deadline_hits_in_progress_can_be_submitted_but_none_starts(study: Study) -> None:
    working, idle, late = (make_annotator(study) for _ in range(3))
    assignment, lapsed = take(working), take(late)
    let_lapse(lapsed)
    study = limited(study, claiming_ends_at=clock.now() - timedelta(minutes=1))
    assert (claim(idle.pk).why, claim(late.pk).why) == ("over", "over")
    assert claim(working.pk).assignment == assignment
    do_hit(working)
    assert claim(working.pk).why == "over"
    assert join_in_browser(study)[0] == 403, "new annotators would get no HITs"
    client = Client()
    limited(study, claiming_ends_at=None)
    client.post(f"/join/{study.join_token}", {})
    limited(study, claiming_ends_at=clock.now() - timedelta(minutes=1))
    assert "You could start new sets until" in markup(client.get(reverse("annotator:hub", args=[study.public_id])))
    assert_slots_add_up(study)


@pytest.mark.nightly
def test_the_form_reads_and_shows_deadlines_in_the_time_zone_of_the_study() -> None:
    study = make_study()
    owner = browser_of(study)
    place = page_of(study, "settings/people/")
    form = owner.get(place).context["form"]
    sent = {name: "" if form[name].value() in (None, False) else form[name].value() for name in form.fields}
    sent = {name: value for name, value in sent.items() if value not in ("", [])}
    berlin = {**sent, "time_zone": "Europe/Berlin", "annotator_limit": "40"}
    wrong = owner.post(place, {**sent, "time_zone": "Mars/Olympus", "claiming_ends_at": "2026-12-01T18:00"})
    assert "must be the name of a time zone" in markup(wrong)
    skipped = owner.post(place, {**berlin, "joining_ends_at": "2027-03-28T02:30"})
    assert skipped.status_code == 422, "the clock change skips this time"
    early = {**berlin, "joining_ends_at": "2026-12-02T18:00", "claiming_ends_at": "2026-12-01T18:00"}
    assert "cannot be earlier than the deadline for joining" in markup(owner.post(place, early))
    past = owner.post(place, {**berlin, "joining_ends_at": "0018-12-01T18:00"})
    assert "must be in the year 2000 or later" in markup(past)
    assert owner.post(place, {**berlin, "joining_ends_at": "2026-12-01T18:00"}).status_code == 302
    study.refresh_from_db()
    assert (study.joining_ends_at, study.annotator_limit) == (datetime(2026, 12, 1, 17, tzinfo=UTC), 40)
    assert 'value="2026-12-01T18:00:00"' in markup(owner.get(place))
    assert "(Europe/Berlin)" in markup(Client().get(f"/join/{study.join_token}"))
    assert "joining_ends_at" not in copied_settings(study, study.members.get()), "a copy has its own deadlines"
