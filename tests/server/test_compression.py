"""Tests of compressed pages, and of the check before large uploads."""

import gzip

import pytest
from django.test import Client

from tests import factories

pytestmark = pytest.mark.django_db
ACCEPTED = {"accept-encoding": "gzip"}


@pytest.mark.nightly
def test_a_page_is_compressed_with_padding_of_random_length(client: Client) -> None:
    replies = [client.get("/help/", headers=ACCEPTED) for _ in range(8)]
    plain = client.get("/help/").content
    assert {reply["Content-Encoding"] for reply in replies} == {"gzip"}
    assert all(len(reply.content) < len(plain) / 2 for reply in replies)
    assert gzip.decompress(replies[0].content).startswith(b"<!doctype html>") or plain[:1] == b"<"
    assert len({len(reply.content) for reply in replies}) > 1


def test_a_client_that_does_not_accept_gzip_gets_a_plain_page(client: Client) -> None:
    assert "Content-Encoding" not in client.get("/help/").headers


@pytest.mark.nightly
def test_only_researchers_may_upload_large_files(client: Client) -> None:
    assert client.get("/may-upload").status_code == 401
    assert client.get("/may-upload", headers={"authorization": "Token unknown"}).status_code == 401
    assert client.get("/may-upload", headers={"accept": "text/csv"}).status_code == 401
    client.force_login(factories.UserFactory())
    assert client.get("/may-upload").status_code == 204
    assert client.get("/may-upload", headers={"accept": "text/csv"}).status_code == 204
