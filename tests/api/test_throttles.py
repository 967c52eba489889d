"""Tests of rate limits, and of researchers' requests while the cache that counts requests is unavailable."""

import time
from collections.abc import Callable

import pytest
from django.core.cache import caches
from rest_framework.throttling import SimpleRateThrottle

from annotate.models import Participation
from annotate.server import cache
from annotate.server.breaker import Breaker
from annotate.web.api.annotation_throttle import AnnotateThrottle
from tests import servers
from tests.api.conftest import Api, refused
from tests.factories import make_annotator, make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def three_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, "research", "3/min")
    monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, "annotate", "3/min")


@pytest.fixture
def no_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate an installation whose Redis is unavailable."""
    nowhere = f"redis://127.0.0.1:{servers.free_port()}/0"
    backend = {"BACKEND": "annotate.server.cache.FailOpenRedisCache", "LOCATION": nowhere}
    monkeypatch.setattr(cache, "breaker", Breaker("Redis", cache.PAUSE))
    monkeypatch.setitem(caches.settings, "away", backend)
    monkeypatch.setattr(SimpleRateThrottle, "cache", caches.create_connection("away"))


@pytest.mark.usefixtures("three_a_minute")
def test_too_many_requests_are_refused_in_the_apis_shape(owner: Api, page: Callable[[Participation], Api]) -> None:
    study = make_study()
    first, second = page(make_annotator(study)), page(make_annotator(study))
    for ask in (lambda: owner.get("studies"), lambda: first.post("claims")):
        assert [ask().status_code for _ in range(3)] == [200, 200, 200]
        response = ask()
        refused(response, 429, "throttled")
        assert 0 < int(response["Retry-After"]) <= 60
    assert second.post("claims").status_code == 200  # each annotator has a separate rate


@pytest.mark.usefixtures("three_a_minute", "no_redis")
def test_without_redis_the_request_goes_on(owner: Api, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(5):
        assert owner.get("studies").status_code == 200
    assert "Redis is not available" in caplog.text


@pytest.mark.usefixtures("three_a_minute")
def test_after_a_minute_the_annotator_can_send_requests_again(
    page: Callable[[Participation], Api], monkeypatch: pytest.MonkeyPatch
) -> None:
    annotator, now = page(make_annotator(make_study())), time.time()
    assert [annotator.post("claims").status_code for _ in range(4)] == [200, 200, 200, 429]
    monkeypatch.setattr(AnnotateThrottle, "timer", lambda _: now + 61)
    assert annotator.post("claims").status_code == 200
