"""Tests of PostgreSQL's plan for the search of a slot. PostgreSQL must look up each question of a HIT among the
annotator's answers, and must never read all answers of the annotator.

The plan must not depend on statistics, which describe an earlier state of the table until autovacuum updates them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.core.services.claim import claim
from annotate.models import Participation
from tests.factories import do_hit, make_annotator, make_study

pytestmark = pytest.mark.django_db
HITS = 12

STATISTICS = {
    "missing": """
        DELETE FROM pg_statistic WHERE starelid = 'annotate_answer'::regclass;
        UPDATE pg_class SET relpages = 0, reltuples = -1 WHERE oid = 'annotate_answer'::regclass""",
    "of an empty table": "ANALYZE annotate_answer",
    "of one annotator": "ANALYZE annotate_answer",
    "current": "ANALYZE annotate_answer",
}


@pytest.mark.nightly
@pytest.mark.parametrize("statistics", STATISTICS)
@pytest.mark.parametrize("gold", [0, 2])
def test_the_search_looks_up_each_question_whatever_the_statistics_are(statistics: str, gold: int) -> None:
    study = make_study(items=60, judgements=3, gold=gold)
    ann, other = make_annotator(study), make_annotator(study)
    if statistics == "of an empty table":
        analyze(statistics)
    do_hit(other)
    if statistics == "of one annotator":
        analyze(statistics)
    for _ in range(HITS):
        do_hit(ann)
    if statistics in ("missing", "current"):
        analyze(statistics)
    Participation.objects.filter(pk=ann.pk).update(cursor=0)  # the search passes all HITs of the annotator
    reads = [read for search in searches(ann) for read in reads_of_answers(search)]
    assert reads
    assert max(reads) <= 1, reads


def analyze(statistics: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(STATISTICS[statistics])


def searches(ann: Participation) -> list[str]:
    """Return the statements of a claim that search for a slot."""
    with CaptureQueriesContext(connection) as queries:
        assert claim(ann.pk).assignment is not None
    return [query["sql"] for query in queries if "SKIP LOCKED" in query["sql"]]


def reads_of_answers(search: str) -> list[float]:
    """Return how many answers each part of the plan reads each time that it runs."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")  # the table has few pages
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {search}")
        (plan,) = json.loads(text) if isinstance(text := cursor.fetchone()[0], str) else text
    return [
        node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
        for node in nodes(plan["Plan"])
        if node.get("Relation Name") == "annotate_answer" or "answer" in node.get("Index Name", "")
        if node["Actual Loops"]
    ]


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", []):
        yield from nodes(part)
