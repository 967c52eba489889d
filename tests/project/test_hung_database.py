"""Tests of web processes while PostgreSQL hangs: it keeps its connections and accepts new ones, but does not reply."""

import json
import threading
import time
from collections.abc import Iterator

import pytest

from tests.collected_static import static_folder
from tests.installation import Installation, Reply, installation

CLIENTS = 30  # more than the threads of all web processes


@pytest.fixture(scope="module")
def accord() -> Iterator[Installation]:
    with installation("web") as running:
        yield running


@pytest.fixture(scope="module")
def tokens(accord: Installation) -> list[str]:
    return accord.make_study(people=8)[1]


@pytest.mark.nightly
def test_the_log_names_postgresql_once_and_its_return(accord: Installation, tokens: list[str]) -> None:
    """This test is the first, because a web process does not log the cause of an outage again within a minute."""
    before = len(accord.log_file("web").read_text())
    with accord.postgres.away():
        for token in tokens * 4:
            assert accord.claim(token).status == 503
        time.sleep(10)
    accord.wait(accord.answers)

    def lines(*words: str) -> list[str]:
        log = accord.log_file("web").read_text()[before:].splitlines()
        return [line for line in log if '"annotate.server.outages"' in line and all(word in line for word in words)]

    def claimed_and_logged() -> bool:
        assert {accord.claim(token).status for token in tokens} == {200}
        return bool(lines("PostgreSQL is available again"))

    accord.wait(claimed_and_logged)
    assert 1 <= len(lines("PostgreSQL is unavailable", "refused")) <= 3, "one line for each web process"
    assert "Traceback" not in accord.log_file("web").read_text()[before:]


@pytest.mark.nightly
def test_a_hung_postgresql_costs_seconds_and_neither_health_checks_nor_static_files_wait(
    accord: Installation, tokens: list[str]
) -> None:
    for token in tokens * 4:  # the threads have connections
        assert accord.claim(token).status == 200
    names = json.loads((static_folder(accord.folder) / "staticfiles.json").read_text())["paths"]
    with accord.postgres.hung():
        threads, claims = claim_at_once(accord, tokens)
        time.sleep(1)  # all threads wait for the database
        alive, file = accord.request("GET", "/healthz"), accord.request("GET", f"/static/{names['dist/console.css']}")
        for thread in threads:
            thread.join()
        later = accord.claim(tokens[0])
        ready = accord.request("GET", "/readyz")
    assert (alive.status, file.status) == (200, 200)
    assert max(alive.seconds, file.seconds) < min(reply.seconds for reply in claims)  # these waited for the database
    assert {reply.status for reply in [*claims, later, ready]} == {503}
    assert {"unavailable"} == {reply.json["code"] for reply in [*claims, later]}
    assert max(reply.seconds for reply in [*claims, later, ready]) < 30  # 7 s on an idle machine
    assert ready.json["database"] == "not responding"
    accord.wait(accord.answers)
    assert accord.claim(tokens[0]).status == 200


@pytest.mark.nightly
def test_a_long_statement_is_not_interrupted(accord: Installation) -> None:
    code = (
        "from django.db import connection; from annotate.server.postgres.limits import REQUEST, limits; "
        "limits.set(REQUEST); "
        "connection.cursor().execute('SELECT pg_sleep(9)'); print('finished')"
    )
    assert accord.python(code) == "finished"


def claim_at_once(accord: Installation, tokens: list[str]) -> tuple[list[threading.Thread], list[Reply]]:
    """Claim with many clients at the same time. Return the threads, and the list that receives their replies."""
    replies: list[Reply] = []

    def claim(token: str) -> None:
        replies.append(accord.claim(token))

    threads = [threading.Thread(target=claim, args=(tokens[index % len(tokens)],)) for index in range(CLIENTS)]
    for thread in threads:
        thread.start()
    return threads, replies
