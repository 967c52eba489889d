"""Tests of a claim and an update of unopened questions that run at the same time."""

import threading

import pytest
from django.db import connection, connections

from annotate.core.permissions import SYSTEM
from annotate.core.services import claim as claims
from annotate.core.services.writing import write
from annotate.data.services.unopened import update_unopened
from tests.factories import make_annotator, take
from tests.word_study import collected, replace_aligner


def ignore(share, text):
    """Ignore the progress."""


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("first", ["claim", "update"])
def test_a_claimed_pair_never_changes(first, monkeypatch):
    """The second transaction starts while the first is open."""
    replace_aligner(monkeypatch)
    study = collected(annotators=1, hits=1, options={"sample": 4}, seed=4)
    take(make_annotator(study))  # the second slot of the first HIT
    annotator = make_annotator(study)
    seen, updated, holding, go_on = [], [], threading.Event(), threading.Event()

    def claim():
        with write():
            claimed = claims.claim(annotator.pk)
            seen.extend((answer.question.ref, answer.question.payload) for answer in claimed.answers or [])
            if first == "claim":
                holding.set()
                go_on.wait(90)

    def update():
        with write():
            updated.append(update_unopened(study.pk, user=SYSTEM, progress=ignore))
            if first == "update":
                holding.set()
                go_on.wait(90)

    def run(work):
        try:
            work()
        finally:
            connections.close_all()

    order = [claim, update] if first == "claim" else [update, claim]
    threads = [threading.Thread(target=run, args=(work,)) for work in order]
    threads[0].start()
    assert holding.wait(30)
    threads[1].start()
    must_wait = first == "claim" or connection.vendor == "sqlite"  # claims skip locked slots
    threads[1].join(1 if must_wait else 60)
    waits = threads[1].is_alive()
    go_on.set()
    for thread in threads:
        thread.join(90)
    assert waits == must_wait
    assert updated
    if not seen:  # the claim found only locked slots, so the annotator asks again
        claimed = claims.claim(annotator.pk)
        seen.extend((answer.question.ref, answer.question.payload) for answer in claimed.answers)
    now = dict(study.questions.filter(kind="regular").values_list("ref", "payload"))
    regular = [(ref, payload) for ref, payload in seen if ref in now]
    assert regular
    for ref, payload in regular:
        assert now[ref] == payload
        assert ("round" in payload) == (first == "update")
