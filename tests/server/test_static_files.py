"""Tests of static files of the embedded server, which are compressed and have a hash of their content in
their names.
"""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.http import HttpResponse
from django.test import RequestFactory

from annotate.server.static_files import EmbeddedStaticFiles, HashedNames, hashed_name

# Closing a response looks at the connections that earlier tests have opened.
pytestmark = pytest.mark.django_db
WORK = "dist/work.js"


@pytest.fixture
def served(settings):
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "annotate.server.static_files.HashedNames"}}
    settings.WHITENOISE_USE_FINDERS = True
    middleware = EmbeddedStaticFiles(lambda _: HttpResponse("the application", status=404))

    responses = []

    def get(path, encoding="gzip, br"):
        responses.append(middleware(RequestFactory().get(path, headers={"accept-encoding": encoding})))
        return responses[-1]

    yield get
    for response in responses:
        response.close()


def body(response):
    return b"".join(response.streaming_content)


def test_names_contain_the_hash_of_the_content():
    assert re.fullmatch(r"/static/dist/work\.[0-9a-f]{12}\.js", HashedNames().url(WORK))
    assert HashedNames().url("no-such-file.js") == "/static/no-such-file.js"
    assert HashedNames().url("dist") == "/static/dist"


def test_a_file_is_compressed_and_kept_by_browsers(served):
    source = Path(finders.find(WORK)).read_bytes()
    for _ in range(2):
        response = served(HashedNames().url(WORK))
        assert response["Content-Encoding"] == "gzip"
        assert response["Cache-Control"] == "max-age=315360000, public, immutable"
        assert response["Content-Type"].startswith("text/javascript")
        assert gzip.decompress(body(response)) == source
    plain = served(HashedNames().url(WORK), encoding="identity")
    assert "Content-Encoding" not in plain
    assert body(plain) == source


def test_a_name_without_hash_is_checked_again_and_a_wrong_hash_is_unknown(served):
    assert served(f"/static/{WORK}")["Cache-Control"] == "max-age=60, public"
    assert served("/static/dist/work.000000000000.js").status_code == 404
    assert served(f"/static/../{WORK}").status_code == 404
    assert served("/static/%2e%2e/manage.py").status_code == 404
    assert served("/elsewhere").content == b"the application"
    assert hashed_name(WORK) != WORK
