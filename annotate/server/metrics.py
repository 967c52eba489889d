"""This process's Prometheus metrics, which `annotate/web/pages/metrics.py` returns.

Several web processes on one machine add up their counts in the folder `PROMETHEUS_MULTIPROC_DIR`. See docs/settings.md.
Figures about jobs are read from the database for each scrape, because web processes do not run jobs.
"""

from __future__ import annotations

import os
from pathlib import Path

if folder := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):  # prometheus_client opens files in it when it is imported
    Path(folder).mkdir(parents=True, exist_ok=True)

from prometheus_client import Counter, Histogram

CLAIMS = Counter("accord_claims", "Number of claims, by outcome.", ["outcome"])
SUBMISSIONS = Counter("accord_submissions", "Number of submitted HITs, by state of the assignment.", ["state"])
REFUSALS = Counter("accord_refusals", "Number of rejected requests, by error code.", ["code"])
REQUESTS = Histogram(
    "accord_request_seconds",
    "Time taken to handle a request, by route and status.",
    ["route", "method", "status"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
DATABASE = Histogram(
    "accord_database_seconds",
    "Time that requests spend waiting for the database.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5),
)
QUERIES = Counter("accord_database_queries", "Number of database queries made by requests.")
