"""Tests of web processes while PostgreSQL or Redis is unavailable: requests succeed or fail fast with 503, and the
services recover by themselves.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import pytest

from annotate.server.cache import TIMEOUT
from tests import faults
from tests.installation import Installation, Reply, installation

# Seconds for a request that waits for nothing, on a busy machine. Requests that wait for a fault to end take longer.
SOON = 15.0
ASK = """
from annotate.annotator.simulation import simulate
from annotate.models import Annotator, User
from annotate.core.permissions import SYSTEM
from annotate.core.services.jobs import request_job
from tests.factories import AnnotatorFactory, UserFactory
from tests.layout_study import layout_study
UserFactory.reset_sequence(User.objects.count())
AnnotatorFactory.reset_sequence(Annotator.objects.count())
study = layout_study(judgements=4)
simulate(study, user=SYSTEM, annotators=4)
print(request_job(study, "report", parameters={{"resamples": {resamples}}}, user=SYSTEM).pk)
"""


@pytest.fixture(scope="module")
def accord() -> Iterator[Installation]:
    with installation("web") as running:
        yield running


@pytest.fixture(scope="module")
def tokens(accord: Installation) -> list[str]:
    return accord.make_study(people=8)[1]


@pytest.mark.nightly
def test_while_postgresql_is_away_requests_fail_fast_with_503(accord: Installation, tokens: list[str]) -> None:
    with accord.postgres.away():
        api, page = accord.claim(tokens[0]), accord.request("GET", "/accounts/login/", Cookie="sessionid=some-session")
    assert (api.status, page.status) == (503, 503)
    assert api.json["code"] == "unavailable"
    assert api.headers["Retry-After"] == page.headers["Retry-After"] == "5"
    assert "Accord is temporarily unavailable" in page.body
    assert max(api.seconds, page.seconds) < SOON


@pytest.mark.nightly
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["restart", "crash"])
def test_a_restart_of_postgresql_is_never_a_500_and_kept_connections_are_replaced(
    accord: Installation, tokens: list[str], how: signal.Signals
) -> None:
    replies: list[Reply] = []
    over = threading.Event()

    def work(token: str) -> None:
        while not over.is_set():
            replies.append(accord.claim(token))

    threads = [threading.Thread(target=work, args=(token,)) for token in tokens]
    for thread in threads:
        thread.start()
    accord.wait(lambda: len(replies) > 60)
    accord.postgres.restart(how)
    before = len(replies)
    accord.wait(lambda: sum(reply.status == 200 for reply in replies[before:]) > 60)
    over.set()
    for thread in threads:
        thread.join()
    assert {reply.status for reply in replies} <= {200, 503}
    assert max(reply.seconds for reply in replies) < 2 * SOON


@pytest.mark.nightly
def test_after_a_restart_of_postgresql_idle_connections_cost_no_request(
    accord: Installation, tokens: list[str]
) -> None:
    for _ in range(3):  # every thread of every process now has a connection, or will open a new one
        for token in tokens:
            assert accord.claim(token).status == 200
    accord.postgres.restart()
    assert {accord.claim(token).status for token in tokens * 6} == {200}


@pytest.mark.nightly
def test_forty_half_sent_requests_do_not_delay_another(accord: Installation) -> None:
    with faults.half_sent_requests("127.0.0.1", accord.port, 40):
        assert accord.request("GET", "/readyz").seconds < SOON


@pytest.mark.nightly
def test_a_redis_that_hangs_is_hardly_noticed(accord: Installation, tokens: list[str]) -> None:
    usual = median(accord.claim(token).seconds for token in tokens * 3)
    with accord.redis.hung():
        replies = [accord.claim(token) for token in tokens * 3]
        replies.append(accord.request("GET", "/accounts/login/"))
    assert {reply.status for reply in replies} == {200}
    assert median(reply.seconds for reply in replies) < 3 * usual + TIMEOUT / 2, "most requests do not wait for Redis"
    assert max(reply.seconds for reply in replies) < SOON


@pytest.mark.nightly
def test_a_login_while_redis_hangs_takes_seconds_at_most(accord: Installation) -> None:
    with accord.redis.hung():
        page = accord.request("GET", "/accounts/login/")
        csrf = page.headers["Set-Cookie"].partition(";")[0]
        secret = csrf.partition("=")[2]
        form = f"csrfmiddlewaretoken={secret}&login=mara%40example.org&password=wrong"
        kind = "application/x-www-form-urlencoded"
        reply = accord.request("POST", "/accounts/login/", form.encode(), Cookie=csrf, **{"Content-Type": kind})
    assert reply.status == 200
    assert "password" in reply.body
    assert reply.seconds < SOON


@pytest.mark.nightly
@pytest.mark.parametrize(("offset", "person"), [("+13h", 0), ("-2h", 2)])
def test_a_web_process_with_a_wrong_clock_gives_the_same_leases_and_times(
    accord: Installation, tokens: list[str], offset: str, person: int
) -> None:
    """A token is valid for 12 hours, so that 13 hours ahead even tokens from elsewhere would seem to have expired."""
    token = tokens[person]
    with accord.another_web(faults.with_clock(accord.environment, offset)) as wrong:
        assignment = wrong.claim(token).json["assignment"]
        answers = [{"position": each["position"], "value": {"best": 1, "worst": 2}} for each in assignment["questions"]]
        path = f"/api/v1/assignments/{assignment['id']}/submission"
        submitted = wrong.request("POST", path, {"answers": answers, "next": True}, token=token)
    assert submitted.status == 200
    following = submitted.json["next"]["assignment"]["id"]
    assert accord.claim(token).json["assignment"]["id"] == following
    [[hours_off]] = accord.rows(
        "SELECT greatest(max(abs(extract(epoch FROM now() - submitted_at))), "  # noqa: S608
        "(SELECT max(abs(extract(epoch FROM now() - given_at))) FROM annotate_answer)) / 3600 "
        f"FROM annotate_assignment WHERE public_id = '{assignment['id']}'"
    )
    [[lease, since_claim]] = accord.rows(
        "SELECT extract(epoch FROM lease_until - now()) / 60, extract(epoch FROM now() - claimed_at) / 60 "  # noqa: S608
        f"FROM annotate_assignment WHERE public_id = '{following}'"
    )
    assert abs(hours_off) < 0.1
    assert 1 < lease <= 60, "minutes"
    assert abs(since_claim) < 5, "minutes"


@pytest.mark.nightly
def test_everything_that_is_sent_twice_gives_the_same_reply_and_changes_nothing(
    accord: Installation, tokens: list[str]
) -> None:
    """Each request is repeated at once, and again after the web and PostgreSQL have been restarted."""
    token = tokens[1]
    claimed = accord.claim(token).json["assignment"]
    path = f"/api/v1/assignments/{claimed['id']}"
    # A gold question that has been answered alone would have to be acknowledged before the submission.
    [[position]] = accord.rows(f"""
        SELECT min(n.position) FROM annotate_answer n
        JOIN annotate_question q ON q.id = n.question_id AND q.kind = 'regular'
        JOIN annotate_assignment a ON a.id = n.assignment_id WHERE a.public_id = '{claimed["id"]}'
    """)  # noqa: S608
    answers = [
        {"position": each["position"], "value": {"best": 1, "worst": 2}, "seconds": 3} for each in claimed["questions"]
    ]
    requests: list[tuple[str, str, Any]] = [
        ("PUT", f"{path}/answers/{position}/draft", {"draft": {"best": 1}, "revision": 1}),
        ("PUT", f"{path}/answers/{position}", {"value": {"best": 1, "worst": 2}, "seconds": 3}),
        ("POST", f"{path}/submission", {"answers": answers}),
    ]
    stored = "SELECT * FROM annotate_answer ORDER BY id", "SELECT * FROM annotate_assignment ORDER BY id"
    for method, where, body in requests:
        first = accord.request(method, where, body, token=token)
        assert first.status == 200, first.body
        before = [accord.rows(sql) for sql in stored]
        again = accord.request(method, where, body, token=token)
        accord.postgres.restart(signal.SIGQUIT)
        accord.kill("web")
        accord.start("web")
        accord.wait(accord.answers)
        later = accord.request(method, where, body, token=token)
        assert (again.status, again.json) == (later.status, later.json) == (first.status, first.json)
        for table, rows in zip(stored, before, strict=True):
            for old, new in zip(rows, accord.rows(table), strict=True):
                assert [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]] == [], where


@pytest.fixture
def jobs(accord: Installation) -> Iterator[Callable[..., str]]:
    """Run a worker and beat, and return a function that requests a report of a new study and returns the ID
    of the job.
    """
    for name in ("worker", "beat"):
        if name not in accord.processes:
            accord.start(name)

    def ask(resamples: int = 2) -> str:
        return accord.python(ASK.format(resamples=resamples)).splitlines()[-1]

    yield ask
    accord.rows("UPDATE annotate_job SET state = 'failed' WHERE state IN ('waiting', 'running')")


def state(accord: Installation, job: str) -> tuple[str, int]:
    """Return the state of a job, and the number of its attempts."""
    [row] = accord.rows(f"SELECT state, attempts FROM annotate_job WHERE id = {job}")  # noqa: S608
    return row


@pytest.mark.nightly
@pytest.mark.parametrize("fault", ["hung", "away"])
def test_a_job_that_is_asked_for_without_redis_is_done_soon_after_its_return(
    accord: Installation, jobs: Callable[..., str], fault: str
) -> None:
    with getattr(accord.redis, fault)():
        job = jobs()
        time.sleep(20)
        assert state(accord, job)[0] == "waiting"
    accord.wait(lambda: state(accord, job)[0] == "done")


@pytest.mark.nightly
def test_a_job_in_progress_survives_a_restart_of_postgresql(accord: Installation, jobs: Callable[..., str]) -> None:
    job = jobs(resamples=3_000_000)
    accord.wait(lambda: state(accord, job) == ("running", 1), 60)
    accord.postgres.restart(signal.SIGQUIT)
    accord.wait(lambda: state(accord, job)[0] == "running")
    assert state(accord, job)[0] != "failed"
    after = jobs()
    accord.wait(lambda: state(accord, after)[0] == "done", 60)


@pytest.mark.nightly
def test_the_job_of_a_killed_worker_is_another_workers_within_30_seconds_and_fails_after_three(
    accord: Installation, jobs: Callable[..., str]
) -> None:
    job = jobs(resamples=3_000_000)
    accord.wait(lambda: state(accord, job) == ("running", 1), 60)
    for attempt in (2, 3):
        accord.kill("worker")
        accord.start("worker")
        accord.wait(lambda attempt=attempt: state(accord, job) == ("running", attempt), 30)
    accord.kill("worker")
    accord.start("worker")
    accord.wait(lambda: state(accord, job) == ("failed", 3), 30)
    [[error]] = accord.rows(f"SELECT error FROM annotate_job WHERE id = {job}")  # noqa: S608
    assert "The worker process ended 3 times" in error
