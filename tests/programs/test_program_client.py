"""Tests of programs that annotate through the Python client."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from accord_client import Accord, Skip, Study
from annotate.wsgi import application
from tests.client.fixtures import accord, one_connection, opened, study

__all__ = ["accord", "one_connection", "study"]

pytestmark = pytest.mark.django_db


def first_best(question: Any) -> Any:
    return {"best": 1, "worst": len(question["items"])}


def test_a_program_answers_and_skips_until_there_are_no_more_hits(study: Study) -> None:
    answered = study.annotate("first", first_best)
    assert answered.why == "nothing"
    assert answered.hits > 0
    assert study.annotate("first", first_best).hits == 0
    values = [answer["value"] for answer in study.answers(programs=True)]
    assert len(values) == len(list(study.questions()))


def test_a_program_can_skip_if_the_study_allows_it(accord: Accord) -> None:
    study = opened(accord, skips_allowed=True)
    assert study.annotate("shy", lambda question: Skip("too hard")).hits > 0
    assert {answer.get("skipped") for answer in study.answers(programs=True)} == {"too hard"}


def test_a_program_joins_again_when_its_token_has_expired(study: Study) -> None:
    expired = httpx.Response(401, json={"code": "authentication_failed", "message": "Expired.", "fields": {}})
    lost = [expired]

    class Expiring(httpx.WSGITransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            is_lost = lost and request.url.path.endswith("/submission")
            return lost.pop() if is_lost else super().handle_request(request)

    token = study.accord.session.authorization.removeprefix("Token ")
    program = Accord("http://localhost", token, transport=Expiring(application)).study(study.id)
    assert program.annotate("first", first_best).why == "nothing"
    assert not lost
    assert len({answer["annotator"] for answer in study.answers(programs=True)}) == 1


def test_awaitable_answers_need_the_asynchronous_client(study: Study) -> None:
    async def answer(question: Any) -> Any:
        return first_best(question)

    with pytest.warns(RuntimeWarning, match="never awaited"), pytest.raises(TypeError, match="Use AsyncAccord"):
        study.annotate("first", answer)
