"""Tests of repeated requests, against a transport that answers as prepared."""

import asyncio
import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from accord_client import Accord, AccordError, AsyncAccord, client, operations
from tests.client.threads import in_a_thread

STUDY = {"id": "s1", "title": "Relatedness"}
BUSY = httpx.Response(
    503, headers={"Retry-After": "7"}, json={"code": "unavailable", "message": "Later.", "fields": {}}
)
THROTTLED = httpx.Response(429, json={"code": "throttled", "message": "Slower.", "fields": {}})
GOOD = httpx.Response(200, json=STUDY)
Prepared = httpx.Response | Exception


class Server:
    """A transport for both clients, which answers requests in turn and keeps them."""

    def __init__(self, *prepared: Prepared) -> None:
        self.prepared, self.requests = list(prepared), list[httpx.Request]()
        self.transport = httpx.MockTransport(self.answer)

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.prepared.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)

    def accord(self, **options: Any) -> Accord:
        return Accord("http://accord.test", "key", transport=self.transport, **options)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """Keep the pauses instead of waiting."""
    kept: list[float] = []

    async def sleep(seconds: float) -> None:
        kept.append(seconds)

    monkeypatch.setattr(client, "time", SimpleNamespace(sleep=kept.append))
    monkeypatch.setattr(client.asyncio, "sleep", sleep)
    return kept


def test_a_created_study_keeps_its_key_when_the_connection_is_lost(pauses: list[float]) -> None:
    server = Server(GOOD, httpx.ReadError("lost"), BUSY, GOOD)
    accord = server.accord()
    accord.study("s0").read()
    assert accord.create_study(title="Relatedness", task_type="bws").id == "s1"
    sent = server.requests[1:]
    assert len({request.headers["Idempotency-Key"] for request in sent}) == 1
    assert len({request.content for request in sent}) == 1
    assert pauses == [0.5, 7.0]
    assert "Idempotency-Key" not in server.requests[0].headers


def test_two_requests_have_two_keys(pauses: list[float]) -> None:
    server = Server(GOOD, GOOD)
    accord = server.accord()
    for _ in range(2):
        accord.create_study(title="Relatedness", task_type="bws")
    assert len({request.headers["Idempotency-Key"] for request in server.requests}) == 2


def test_a_request_that_may_have_been_carried_out_is_sent_once(pauses: list[float]) -> None:
    server = Server(GOOD, BUSY)
    accord = server.accord()
    accord.study("s1").read()
    with pytest.raises(AccordError) as error:
        accord.send(operations.studies_design_create("s1"))
    assert (error.value.code, error.value.status, error.value.place) == (
        "unavailable",
        503,
        "POST /api/v1/studies/s1/design",
    )
    assert pauses == []


def test_a_throttled_request_is_always_repeated_until_the_patience_ends(pauses: list[float]) -> None:
    server = Server(*[THROTTLED] * 9)
    with pytest.raises(AccordError, match="Slower"):
        server.accord(patience=10).send(operations.studies_design_create("s1"))
    assert pauses == [0.5, 1.0, 2.0, 4.0]


def test_the_first_request_is_not_repeated(pauses: list[float]) -> None:
    server = Server(httpx.ConnectError("no such host"))
    with pytest.raises(AccordError, match=r"http://accord\.test does not respond: no such host") as error:
        server.accord().study("s1").read()
    assert (error.value.code, error.value.status, pauses) == ("unreachable", None, [])


def test_the_asynchronous_client_repeats_as_well(pauses: list[float]) -> None:
    server = Server(GOOD, httpx.ReadError("lost"), THROTTLED, GOOD)

    async def read() -> Any:
        async with AsyncAccord("http://accord.test", "key", transport=server.transport) as accord:
            study = accord.study("s1")
            await study.read()
            return await study.read()

    assert in_a_thread(read()) == STUDY
    assert pauses == [0.5, 1.0]


def test_errors_name_the_place_and_the_way_out() -> None:
    body = {"code": "faults", "message": "Fix the file.", "fields": {"line 3": ["The ID a7 appears twice."]}}
    with pytest.raises(AccordError) as error:
        Server(httpx.Response(400, json=body)).accord().study("s1").read()
    assert str(error.value) == (
        "Fix the file. (GET /api/v1/studies/s1: faults, status 400)\n  line 3: The ID a7 appears twice."
    )


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (httpx.Response(301, headers={"Location": "https://new.test"}), "redirects to https://new.test"),
        (httpx.Response(404, html="<p>Nothing here</p>"), r"status 404 \(Not Found\)"),
        (httpx.Response(404, json=["no", "object"]), r"status 404 \(Not Found\)"),
    ],
)
def test_responses_of_other_servers_are_explained(response: httpx.Response, message: str) -> None:
    with pytest.raises(AccordError, match=message):
        Server(response).accord().study("s1").read()


@pytest.mark.parametrize("address", ["accord.test", "ftp://accord.test", "https://"])
def test_the_address_must_be_complete(address: str) -> None:
    with pytest.raises(AccordError, match="must begin with https://"):
        Accord(address, "key")


@pytest.mark.parametrize("token", ["", "key\n", "key ", "clé"])
def test_a_faulty_token_is_reported_and_not_shown(token: str) -> None:
    with pytest.raises(AccordError, match="The token must be") as error:
        Accord("http://accord.test", token)
    assert token not in str(error.value) or not token


def test_pages_follow_their_query_at_the_same_address() -> None:
    first = {"next": "http://inside:8000/api/v1/studies?page=2&page_size=1", "previous": None, "results": [STUDY]}
    last = {"next": None, "previous": None, "results": [{**STUDY, "id": "s2"}]}
    server = Server(httpx.Response(200, json=first), httpx.Response(200, json=last))
    assert [study["id"] for study in server.accord().studies()] == ["s1", "s2"]
    assert [str(request.url) for request in server.requests] == [
        "http://accord.test/api/v1/studies",
        "http://accord.test/api/v1/studies?page=2&page_size=1",
    ]


def test_query_values_are_written_as_the_api_reads_them() -> None:
    server = Server(httpx.Response(200, json={"next": None, "previous": None, "results": []}))
    assert list(server.accord().study("a/b").answers(programs=True)) == []
    assert str(server.requests[0].url) == "http://accord.test/api/v1/studies/a%2Fb/answers?programs=true"


def test_coroutines_answer_the_questions_of_a_hit_at_the_same_time() -> None:
    questions = [{"position": n, "content": {"n": n}, "value": None, "skipped": ""} for n in (1, 2)]
    answered = {"position": 3, "content": {"n": 3}, "value": {"best": 1, "worst": 2}, "skipped": ""}
    claimed = {"assignment": {"id": "a1", "questions": [*questions, answered]}, "why": ""}
    submitted = {"next": {"assignment": None, "why": "nothing"}}
    server = Server(*(httpx.Response(200, json=body) for body in ({"token": "t"}, claimed, submitted)))
    both = asyncio.Barrier(2)

    async def answer(question: Any) -> Any:
        await asyncio.wait_for(both.wait(), 10)
        return {"best": question["n"], "worst": 3}

    async def annotate() -> Any:
        async with AsyncAccord("http://accord.test", "key", transport=server.transport) as accord:
            return await accord.study("s1").annotate("model", answer)

    assert in_a_thread(annotate()) == (1, "nothing")
    sent = [{"position": n, "value": {"best": n, "worst": 3}} for n in (1, 2)]
    assert json.loads(server.requests[-1].content) == {"answers": sent, "next": True}
    assert server.requests[-1].headers["Authorization"] == "Participation t"
