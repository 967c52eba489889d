"""Tests that log lines contain the ID of the request, but no paths, secrets, complete addresses or answers."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from io import StringIO

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client, RequestFactory

from annotate.server import requests
from annotate.server.logs import JsonLines, LineFormatter, RequestContext
from tests import factories

pytestmark = pytest.mark.django_db
FORMAT = "%(levelname)s %(name)s %(message)s %(request_id)s"


@pytest.fixture
def lines() -> Iterator[StringIO]:
    """Yield the output of the root logger and its children as JSON lines."""
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines(FORMAT))
    handler.addFilter(RequestContext())
    root, access = logging.getLogger(), logging.getLogger("accord.access")
    levels = root.level, access.level
    root.addHandler(handler)
    access.setLevel(logging.INFO)
    yield stream
    root.removeHandler(handler)
    root.setLevel(levels[0])
    access.setLevel(levels[1])


def test_an_access_line_names_the_route_and_neither_token_nor_query(client: Client, lines: StringIO) -> None:
    study = factories.make_study()
    client.get(f"/join/{study.join_token}?PROLIFIC_PID=abc123", REMOTE_ADDR="192.0.2.77")
    (line,) = [json.loads(text) for text in lines.getvalue().splitlines()]
    assert line["route"] == "join/<str:token>"
    assert (line["method"], line["status"], line["address"]) == ("GET", 200, "192.0.2.0")
    assert line["queries"] > 0
    assert line["database_milliseconds"] > 0
    assert study.join_token not in lines.getvalue()
    assert "abc123" not in lines.getvalue()
    assert "192.0.2.77" not in lines.getvalue()


def test_the_reply_and_the_line_carry_the_same_id(client: Client, lines: StringIO) -> None:
    response = client.get("/healthz")
    assert json.loads(lines.getvalue())["request_id"] == response["X-Request-ID"]


def test_an_id_is_accepted_from_ones_own_proxy_only(client: Client, settings: object) -> None:
    sent = {"x-request-id": "from-the-proxy-1"}
    assert client.get("/healthz", headers=sent)["X-Request-ID"] != "from-the-proxy-1"
    settings.PROXIES = 1  # type: ignore[attr-defined]
    assert client.get("/healthz", headers=sent)["X-Request-ID"] == "from-the-proxy-1"
    odd = client.get("/healthz", headers={"x-request-id": 'forged" level="'})["X-Request-ID"]
    assert "forged" not in odd


def test_an_error_line_names_the_route_instead_of_the_path(lines: StringIO) -> None:
    request = RequestFactory().get("/join/a-secret-token")
    logging.getLogger("django.request").error("Internal Server Error: %s", request.path, extra={"request": request})
    line = json.loads(lines.getvalue())
    assert line["message"] == "Internal Server Error: unmatched"
    assert "a-secret-token" not in lines.getvalue()


@pytest.mark.parametrize("formatter", [LineFormatter(FORMAT), JsonLines(FORMAT)])
def test_what_the_database_quotes_of_a_row_is_left_out(formatter: logging.Formatter) -> None:
    secret = " ".join(["a", "secret", "explanation"])  # tracebacks quote the source, with its literal texts
    study = factories.make_study()
    question = study.questions.first()
    assert question is not None
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                "UPDATE annotate_question SET explanation = %s, kind = %s, gold = NULL WHERE id = %s",
                [secret, "gold", question.pk],
            )
    except IntegrityError as error:
        record = logging.LogRecord("x", logging.ERROR, "", 0, "failed", (), (type(error), error, error.__traceback__))
        record.request_id = ""
        text = formatter.format(record)
    assert "IntegrityError" in text
    assert "question_gold_is_known" in text
    assert secret not in text


@pytest.mark.parametrize(
    ("address", "network"),
    [("192.0.2.77", "192.0.2.0"), ("2001:db8:aa:bb::1", "2001:db8:aa::"), ("", ""), ("not an address", "")],
)
def test_addresses_are_shortened(address: str, network: str) -> None:
    assert requests.shortened(address) == network
