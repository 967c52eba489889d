"""The page `/metrics` for Prometheus, protected by a token. Without ACCORD_METRICS_TOKEN, the page returns status
404.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, SummaryMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector

from annotate.core.selectors import jobs


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return all metrics as text if the request has the header `Authorization: Bearer` with ACCORD_METRICS_TOKEN."""
    token = settings.METRICS_TOKEN
    if not token or not constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {token}"):
        raise Http404("no metrics for this request")
    text = generate_latest(_processes()) + generate_latest(_jobs())
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST)


def _processes() -> CollectorRegistry:
    """Return the metrics of this process, or of all processes that share the folder PROMETHEUS_MULTIPROC_DIR."""
    if not os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return registry


def _jobs() -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(JobMetrics())
    return registry


class JobMetrics:
    """Metrics about the queue that come from the database: the number and age of waiting jobs, and the durations of
    jobs.
    """

    def collect(self) -> Iterator[Metric]:
        length = GaugeMetricFamily("accord_jobs", "Number of waiting and running jobs.", labels=["state"])
        for state, count in jobs.unfinished_jobs().items():
            length.add_metric([state], count)
        age = GaugeMetricFamily("accord_job_age_seconds", "Age of the oldest waiting job in seconds.")
        age.add_metric([], jobs.oldest_waiting_seconds())
        seconds = SummaryMetricFamily(
            "accord_job_seconds", "Durations of finished and failed jobs in seconds.", labels=["kind", "state"]
        )
        for ended in jobs.job_times():
            seconds.add_metric([ended.kind, ended.state], ended.count, ended.seconds)
        yield from (length, age, seconds)
