"""Queries that compare JSON fail on PostgreSQL, so tests refuse them on SQLite as well."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import Count, F, Max, TextField
from django.db.models.functions import Cast

from annotate.models import Answer, Item, Report, Study
from tests.json_queries import JsonComparedError, comparisons_of_json_refused

REFUSED: list[Callable[[], Any]] = [
    lambda: Item.objects.distinct(),
    lambda: Item.objects.values("metadata").distinct(),
    lambda: Item.objects.values("metadata__domain").distinct(),
    lambda: Item.objects.values_list("metadata").annotate(Count("pk")),
    lambda: Item.objects.values_list("metadata__domain").annotate(Count("pk")),
    lambda: Study.objects.annotate(latest=F("reports__headline"), number=Count("items")),
    lambda: Item.objects.order_by("metadata__domain"),
    lambda: Report.objects.order_by("-headline"),
    lambda: Item.objects.values("pk", "content").union(Item.objects.values("pk", "content")),
    lambda: Item.objects.values("study").annotate(largest=Max("content")),
    lambda: Item.objects.values("study").annotate(number=Count("content", distinct=True)),
    lambda: Item.objects.filter(content__contains={"text": "a"}),
    lambda: Item.objects.filter(metadata__has_key="domain"),
    lambda: Item.objects.filter(metadata__domain__in=["news", "fiction"]),
    lambda: Item.objects.filter(metadata__year__gt=2000),
    lambda: Answer.objects.filter(value=F("draft")),
]
ALLOWED: list[Callable[[], Any]] = [
    lambda: Item.objects.values("study").distinct(),
    lambda: Study.objects.annotate(number=Count("items")),
    lambda: Item.objects.annotate(text=Cast("metadata", TextField())).values("text").annotate(Count("pk")),
    lambda: Item.objects.values("pk", "content").union(Item.objects.values("pk", "content"), all=True),
    lambda: Item.objects.filter(metadata__domain="news"),
    lambda: Item.objects.filter(metadata__domain__isnull=False),
    lambda: Item.objects.filter(content={"text": "a"}),
]


@pytest.mark.parametrize("query", REFUSED)
def test_a_query_that_compares_json_is_refused(query: Callable[[], Any]) -> None:
    with comparisons_of_json_refused(), pytest.raises(JsonComparedError):
        str(query().query)


@pytest.mark.django_db
@pytest.mark.parametrize("query", ALLOWED)
def test_other_queries_run(query: Callable[[], Any]) -> None:
    assert list(query()) == []
