"""Tests of jobs: the database row defines the state, only one worker runs a job, and another worker runs the job of a
lost worker.
"""

from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F
from django.utils import timezone

from annotate import tasks
from annotate.core.permissions import SYSTEM
from annotate.core.services import job_leases, jobs
from annotate.core.services.jobs import INTERNAL, notify_waiting, request_job, run, start_again_after_restart
from annotate.models import Job, Report
from annotate.questions.services.refresh import refresh_open_studies
from annotate.server.breaker import Breaker
from annotate.server.refusals import Refused
from annotate.tasktypes import extensions
from tests.conftest import wait_until
from tests.factories import do_hit, make_annotator, make_study
from tests.rooms import rows

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def bells(monkeypatch):
    """Return the IDs that were sent to the queue."""
    rung = []
    monkeypatch.setattr(jobs, "_queue", Breaker("The queue of jobs", 5.0))
    monkeypatch.setattr(jobs, "_publish", lambda job_id, queue: rung.append(job_id))
    return rung


@pytest.fixture
def study():
    return make_study(state="draft")


def work(monkeypatch, do):
    design = replace(extensions.work_of("design"), run=do)
    monkeypatch.setattr(extensions, "work_of", lambda kind: design)


def test_imports_and_other_long_jobs_have_a_queue_of_their_own(study, monkeypatch, settings):
    queues = []
    monkeypatch.setattr(jobs, "_publish", lambda job_id, queue: queues.append(queue))
    for kind in ("import:items", "preview:u1", "simulate", *rows("LONG_JOBS")):
        jobs.notify_worker(1, kind)
    assert set(queues) == {settings.LONG_QUEUE}
    queues.clear()
    for kind in ("report:results", "figures", "integrity", "unknown"):
        jobs.notify_worker(1, kind)
    Job.objects.create(study=study, kind="unknown", parameters={})
    notify_waiting()
    assert set(queues) == {settings.CELERY_TASK_DEFAULT_QUEUE}


def test_jobs_are_sent_to_the_task_by_its_name():
    assert tasks.run_job.name == jobs.RUN_JOB


@pytest.mark.django_db(transaction=True)
def test_progress_is_stored_outside_the_transaction_of_the_job(study, monkeypatch):
    """The progress is stored even if the transaction in which it was reported is rolled back."""

    def report_and_fail(job, progress):
        with suppress(ZeroDivisionError), transaction.atomic():
            progress(0.4, "in the transaction")
            1 / 0  # noqa: B018
        wait_until(lambda: Job.objects.get(pk=job.pk).message == "in the transaction")
        assert Job.objects.get(pk=job.pk).progress == 0.4

    work(monkeypatch, report_and_fail)
    job = request_job(study, "design", user=SYSTEM)
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error, job.progress) == ("done", "", 1.0)


def test_a_job_is_written_with_the_change_and_rung_for_after_it(study, bells, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        job = request_job(study, "design", user=SYSTEM)
        assert bells == []
    assert bells == [job.pk]
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.progress, job.error, job.attempts) == ("done", 1.0, "", 1)
    assert job.report == Report.objects.get(study=study, number=2)


def test_the_queue_may_be_away_and_is_then_left_alone(study, monkeypatch, caplog, django_capture_on_commit_callbacks):
    tried = []

    def away(job_id, queue):
        tried.append(job_id)
        raise ConnectionError("no Redis")

    monkeypatch.setattr(jobs, "_publish", away)
    with django_capture_on_commit_callbacks(execute=True):
        job = request_job(study, "design", user=SYSTEM)
    assert Job.objects.get(pk=job.pk).state == "waiting"
    assert "The queue of jobs is not available" in caplog.text
    assert "no Redis" in caplog.text
    assert notify_waiting() == 1
    assert tried == [job.pk], "a queue that hangs would cost a second of every request"


def test_asking_twice_for_the_same_work_gives_the_one_that_is_there(study):
    assert request_job(study, "design", user=SYSTEM) == request_job(study, "design", user=SYSTEM)
    assert request_job(make_study(state="draft"), "design", user=SYSTEM).pk != Job.objects.first().pk


def test_other_work_of_the_kind_has_to_wait_and_says_so(study):
    request_job(study, "import", parameters={"upload": "first"}, user=SYSTEM)
    with pytest.raises(Refused, match="Another import job for this study has not finished yet") as refused:
        request_job(study, "import", parameters={"upload": "second"}, user=SYSTEM)
    assert refused.value.code == "busy"


def test_the_database_refuses_two_unfinished_jobs_of_a_kind(study):
    from django.db import IntegrityError, transaction

    Job.objects.create(study=study, kind="design", state="running")
    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.create(study=study, kind="design")


def test_there_is_no_such_job(study):
    with pytest.raises(Refused, match="Accord has no jobs of kind “make-coffee"):
        request_job(study, "make-coffee", user=SYSTEM)


def test_of_two_workers_one_does_the_job(study, monkeypatch):
    times = []

    def do(job, say):
        times.append(job.pk)
        run(job.pk)  # the second worker is notified while the first is running the job

    work(monkeypatch, do)
    job = request_job(study, "design", user=SYSTEM)
    run(job.pk)
    run(job.pk)
    assert times == [job.pk]


def test_what_was_refused_is_the_jobs_error(study):
    job = request_job(study, "design", user=SYSTEM)
    type(study).objects.filter(pk=study.pk).update(state="open")
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == ("failed", "The design is locked, because the study has been opened.")


def test_a_crash_is_in_the_log_and_the_job_names_no_internals(study, monkeypatch, caplog):
    def do(job, say):
        raise ZeroDivisionError("division by zero")

    work(monkeypatch, do)
    job = request_job(study, "design", user=SYSTEM)
    with pytest.raises(ZeroDivisionError):
        run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == ("failed", INTERNAL)
    assert "division" not in job.error
    [logged] = [entry for entry in caplog.records if entry.exc_info]
    assert job.public_id in logged.getMessage()
    assert logged.exc_info[0] is ZeroDivisionError


@pytest.mark.django_db(transaction=True)
def test_progress_is_a_sign_of_life(study, monkeypatch):
    seen = []

    def do(job, say):
        say(0.25, "a quarter")
        say(0.5, "too soon to write")
        seen.append(Job.objects.values_list("progress", "message").get(pk=job.pk))

    work(monkeypatch, do)
    run(request_job(study, "design", user=SYSTEM).pk)
    assert seen == [(0.25, "a quarter")]


def lose(job, attempts=1):
    long_ago = timezone.now() - 2 * job_leases.LEASE
    Job.objects.filter(pk=job.pk).update(state="running", beat_at=long_ago, started_at=long_ago, attempts=attempts)


def test_the_job_of_a_lost_worker_waits_again_and_of_a_living_one_does_not(study, bells):
    lost, living = (
        request_job(study, "design", user=SYSTEM),
        request_job(make_study(state="draft"), "design", user=SYSTEM),
    )
    lose(lost)
    Job.objects.filter(pk=living.pk).update(state="running", beat_at=timezone.now() - timedelta(seconds=8))
    assert notify_waiting() == 1
    assert bells == [lost.pk]
    run(lost.pk)
    lost.refresh_from_db()
    assert (lost.state, lost.attempts) == ("done", 2)


def test_a_job_that_loses_its_worker_again_and_again_fails(study):
    job = request_job(study, "design", user=SYSTEM)
    lose(job, attempts=job_leases.LOSSES)
    assert notify_waiting() == 0
    job.refresh_from_db()
    assert (job.state, job.error) == ("failed", job_leases.LOST_TOO_OFTEN)
    assert "ended 3 times" in job.error


def test_a_worker_that_was_thought_lost_does_not_end_anothers_job(study, monkeypatch):
    def do(job, say):
        lose(job)
        notify_waiting()
        Job.objects.filter(pk=job.pk).update(state="running", beat_at=timezone.now(), attempts=2)  # another's now

    work(monkeypatch, do)
    job = request_job(study, "design", user=SYSTEM)
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("running", 2)


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_has_lost_its_lease_stops_at_the_next_progress(study, monkeypatch, caplog):
    reached = []

    def do(job, say):
        lose(job)
        notify_waiting()
        say(0.5, "half")
        reached.append("the end")

    work(monkeypatch, do)
    job = request_job(study, "design", user=SYSTEM)
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, reached) == ("waiting", [])
    assert "started by another worker" in caplog.text


@pytest.mark.parametrize("error", [OperationalError("server closed the connection"), InterfaceError("closed")])
def test_a_fault_of_the_database_is_not_the_jobs_failure(study, monkeypatch, bells, error):
    outcomes = [error, error, error, error, None]

    def do(job, say):
        outcome = outcomes.pop(0)
        if outcome:
            raise outcome

    work(monkeypatch, do)
    job = request_job(study, "design", user=SYSTEM)
    for _ in range(4):
        run(job.pk)
        job.refresh_from_db()
        assert (job.state, job.error) == ("waiting", "")
    assert notify_waiting() == 0, "it rests first"
    Job.objects.filter(pk=job.pk).update(beat_at=timezone.now() - 2 * job_leases.REST)
    assert notify_waiting() == 1
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.interruptions) == ("done", 5, 4)


def test_a_job_that_only_ever_meets_faults_ends(study, monkeypatch):
    def do(job, say):
        raise OperationalError("no space left on device")

    work(monkeypatch, do)
    job = request_job(study, "design", user=SYSTEM)
    for _ in range(job_leases.INTERRUPTIONS):
        run(job.pk)
    job.refresh_from_db()
    assert job.state == "failed"
    assert job.error == job_leases.INTERRUPTED_TOO_OFTEN


def test_interruptions_do_not_count_as_lost_workers(study):
    job = request_job(study, "design", user=SYSTEM)
    lose(job, attempts=job_leases.LOSSES)
    Job.objects.filter(pk=job.pk).update(interruptions=1)
    assert notify_waiting() == 1


@pytest.mark.django_db(transaction=True)
def test_a_result_is_stored_although_the_database_is_away_for_a_moment(study, monkeypatch):
    failures = [OperationalError("the database system is starting up")] * 2
    write = job_leases.write

    @contextmanager
    def write_later():
        if failures and Job.objects.get().progress == 0.5:
            raise failures.pop()
        with write():
            yield

    work(monkeypatch, lambda job, say: Job.objects.update(progress=0.5) and None)
    job = request_job(study, "design", user=SYSTEM)
    monkeypatch.setattr(job_leases, "write", write_later)
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, failures) == ("done", [])


@pytest.mark.django_db(transaction=True)
def test_a_lease_is_renewed_while_the_job_reports_nothing(study, monkeypatch):
    monkeypatch.setattr(job_leases, "BEAT", 0.05)
    beats = []

    def do(job, say):
        for _ in range(2):
            before = Job.objects.get(pk=job.pk).beat_at
            wait_until(lambda before=before: Job.objects.get(pk=job.pk).beat_at > before)
            beats.append(before)

    work(monkeypatch, do)
    job = request_job(study, "design", user=SYSTEM)
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, len(beats)) == ("done", 2)


def test_a_job_that_the_embedded_server_interrupts_by_ending_is_not_blamed(study):
    job = request_job(study, "design", user=SYSTEM)
    for _ in range(2 * job_leases.LOSSES):
        Job.objects.filter(pk=job.pk).update(state="running", attempts=F("attempts") + 1)
        job_leases.release_all()
        start_again_after_restart()
    job.refresh_from_db()
    assert job.state == "waiting"


def test_a_job_that_kills_the_embedded_server_three_times_fails(study):
    job = request_job(study, "design", user=SYSTEM)
    for _ in range(job_leases.LOSSES):
        Job.objects.filter(pk=job.pk).update(state="running", attempts=F("attempts") + 1)
        start_again_after_restart()
    job.refresh_from_db()
    assert (job.state, job.error) == ("failed", job_leases.LOST_TOO_OFTEN)


def test_after_a_restart_of_the_embedded_server_everything_unfinished_waits(study, bells):
    job = request_job(study, "design", user=SYSTEM)
    Job.objects.filter(pk=job.pk).update(state="running", beat_at=timezone.now())
    assert start_again_after_restart() == 1
    assert bells == [job.pk]


def test_figures_are_refreshed_when_a_study_has_grown_by_a_share(bells, django_capture_on_commit_callbacks):
    study = make_study(items=40, judgements=2, gold=4)
    assert refresh_open_studies() == 0
    ann = make_annotator(study)
    do_hit(ann)
    for expected in (1, 0):
        with django_capture_on_commit_callbacks(execute=True):
            assert refresh_open_studies() == expected
        while bells:
            run(bells.pop())
    assert study.reports.get(kind="progress").result["judgements"] == 5
    do_hit(ann)
    assert refresh_open_studies() == 1


@pytest.mark.nightly
def test_a_pilot_that_is_left_out_does_not_look_like_growth(bells, django_capture_on_commit_callbacks):
    study = make_study(items=40, judgements=2, gold=4, pilot_hits=2, pilot_counts=False)
    ann = make_annotator(study)
    for _ in range(3):
        do_hit(ann)
    with django_capture_on_commit_callbacks(execute=True):
        assert refresh_open_studies() == 1
    run(bells.pop())
    assert study.reports.get(kind="progress").result["judgements"] == 5
    assert refresh_open_studies() == 0, "a snapshot a minute for ever"
