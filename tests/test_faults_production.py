"""Web processes while PostgreSQL or Redis is away: answers go on or fail fast with 503, and all recovers by itself."""

import signal
import threading
from collections.abc import Iterator

import pytest

from tests import faults
from tests.installation import Installation, Reply, installation


@pytest.fixture(scope="module")
def accord() -> Iterator[Installation]:
    with installation("web") as running:
        yield running


@pytest.fixture(scope="module")
def tokens(accord: Installation) -> list[str]:
    return accord.make_study(people=8)[1]


def test_while_postgresql_is_away_requests_fail_fast_with_503(accord: Installation, tokens: list[str]) -> None:
    with accord.postgres.away():
        api, page = accord.claim(tokens[0]), accord.request("GET", "/accounts/login/", Cookie="sessionid=some-session")
    assert (api.status, page.status) == (503, 503)
    assert api.json["code"] == "unavailable"
    assert "send the request again" in api.json["message"]
    assert api.headers["Retry-After"] == page.headers["Retry-After"] == "5"
    assert "not available at the moment" in page.body
    assert max(api.seconds, page.seconds) < 3


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
    assert max(reply.seconds for reply in replies) < 10


def test_after_a_restart_of_postgresql_idle_connections_cost_no_request(
    accord: Installation, tokens: list[str]
) -> None:
    for _ in range(3):  # every thread of every process has a connection now, or will open a new one
        for token in tokens:
            assert accord.claim(token).status == 200
    accord.postgres.restart()
    assert {accord.claim(token).status for token in tokens * 6} == {200}


def test_forty_half_sent_requests_do_not_delay_another(accord: Installation) -> None:
    with faults.half_sent_requests("127.0.0.1", accord.port, 40):
        assert accord.request("GET", "/readyz").seconds < 1
