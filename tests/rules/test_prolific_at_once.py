"""Tests of participants from Prolific with many threads: one submission and one use of a token, however often they
arrive.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from django.core.cache import cache

from accord_core.exchange.prolific import Status
from annotate.models import Outcome, ProlificSubmission, Study
from annotate.prolific.services.submissions import Arrival, join_from_prolific, record_outcome, store_status
from annotate.prolific.services.tokens import KEYS, verified_arrival
from annotate.recruiting.services.join import join
from annotate.server import clock
from annotate.server.refusals import Refused
from tests.factories import make_study

pytestmark = [pytest.mark.rules, pytest.mark.django_db(transaction=True)]
ORIGIN = "https://accord.example"


def outcome(action: Callable[[], object]) -> str:
    try:
        action()
    except Refused as refusal:
        return refusal.code
    return "done"


@pytest.mark.nightly
def test_a_participant_who_arrives_many_times_at_once_has_one_submission(at_once):
    study = make_study(recruitment=Study.Recruitment.PROLIFIC)
    arrivals = [Arrival("5f1a", "60ee", f"61a{number}", verified=True) for number in range(8)]
    outcomes = at_once([lambda each=each: outcome(lambda: join_from_prolific(study, each)) for each in arrivals])
    assert Counter(outcomes) == {"done": 1, "submissions": 7}
    assert study.participations.count() == 1
    assert study.prolific_submissions.count() == 1


def test_an_outcome_shown_many_times_at_once_is_recorded_once(at_once):
    study = make_study(recruitment=Study.Recruitment.PROLIFIC)
    person = join(study, platform="prolific", external_id="5f1a")
    at_once([lambda: record_outcome(person, Outcome.COMPLETED)] * 8)
    assert study.prolific_submissions.get().outcome == Outcome.COMPLETED


@pytest.mark.nightly
def test_the_newest_of_several_first_events_at_once_is_stored_in_every_study_of_the_submission(at_once):
    """Anyone can open another study's link with the same IDs, so the submission is in two studies."""
    studies = [make_study(recruitment=Study.Recruitment.PROLIFIC) for _ in range(2)]
    now, newest = clock.now(), Status.APPROVED
    events = [(Status.ACTIVE, 1), (Status.AWAITING_REVIEW, 2), (newest, 3)]
    for number in range(8):
        ids = {"submission_id": f"s{number}", "participant_id": f"p{number}"}
        for study in studies:
            ProlificSubmission.objects.create(study=study, **ids)
        at_once(
            [
                lambda status=status, at=now + timedelta(seconds=second), ids=ids: store_status(
                    *ids.values(), status, at=at
                )
                for status, second in events
            ]
        )
    for study in studies:
        assert list(study.reported_submissions.values_list("status", flat=True)) == [newest] * 8


def test_a_token_that_many_browsers_use_at_once_is_accepted_once(at_once):
    study = make_study(recruitment=Study.Recruitment.PROLIFIC)
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    public = jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    cache.set(KEYS, {"keys": [public | {"kid": "k1"}]}, 60)
    ids = {"PROLIFIC_PID": "5f1a", "STUDY_ID": "60ee", "SESSION_ID": "61aa"}
    claims = {"aud": ORIGIN, "exp": time.time() + 300, "prolific": ids}
    token = jwt.encode(claims, key, algorithm="RS256", headers={"kid": "k1"})
    outcomes = at_once([lambda: outcome(lambda: verified_arrival(study, token, url=ORIGIN))] * 8)
    cache.delete(KEYS)
    assert Counter(outcomes) == {"done": 1, "prolific-token": 7}
    assert study.prolific_submissions.count() == 1
