"""Tests of the list of studies: search, filters, order, figures, and the number of queries."""

from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotate.console.selectors.own_studies import rows_of
from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import new_api_token
from annotate.models import Study
from annotate.pay.services import give_bonus
from annotate.studies.services.study import create_study
from tests.factories import UserFactory, do_hit, make_annotator, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db
HEADLINE = {"name": "Reliability", "ends": [{"name": "a", "label": "low", "value": 0.75}]}


@pytest.fixture(scope="module")
def shared(share: Any) -> SimpleNamespace:
    return share(_three_studies)


def _three_studies() -> SimpleNamespace:
    user = UserFactory()
    opened = make_study(user=user, judgements=2, budget_cap="10.00")
    annotator = make_annotator(opened)
    do_hit(annotator)
    give_bonus(opened.pk, annotator.pseudonym, amount=Decimal(1), reason="Thanks.", user=SYSTEM)
    opened.reports.create(number=1, kind="progress", seed=1, result={"headline": HEADLINE})
    closed = make_study(user=user, state="closed")
    Study.objects.filter(pk=closed.pk).update(title="Older pairs", todo_count=2)
    create_study(user=user, title="Sentences", task_type="paraphrase")
    make_study()  # of another user
    return SimpleNamespace(user=user, opened=opened, closed=closed)


@pytest.fixture(autouse=True)
def _no_stored_counts() -> None:
    cache.clear()


def test_each_row_has_progress_money_the_main_figure_and_the_next_step(shared: SimpleNamespace) -> None:
    draft, closed, opened = rows_of(shared.user)
    assert (opened.filled, opened.slots, opened.share) == (1, 8, 12.5)
    assert (opened.spent, opened.role) == (Decimal("1.50"), "owner")
    assert opened.headline is not None
    assert (opened.headline.name, opened.headline.low) == ("Reliability", 0.75)
    assert (closed.headline, closed.step) == (None, None)
    assert draft.step == ("Add data", "items/")


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ({}, ["Sentences", "Older pairs", "Relatedness"]),
        ({"state": "open"}, ["Relatedness"]),
        ({"search": "PAIRS"}, ["Older pairs"]),
        ({"search": "paraphrase"}, ["Sentences"]),
        ({"state": "open", "search": "pairs"}, []),
        ({"sort": "title"}, ["Older pairs", "Relatedness", "Sentences"]),
        ({"sort": "-spent"}, ["Relatedness", "Sentences", "Older pairs"]),
        ({"sort": "-todo"}, ["Older pairs", "Sentences", "Relatedness"]),
    ],
)
def test_studies_are_found_and_sorted(shared: SimpleNamespace, query: dict[str, str], titles: list[str]) -> None:
    assert [row.study.title for row in rows_of(shared.user, **query)] == titles


def test_the_page_shows_the_list(shared: SimpleNamespace) -> None:
    client = Client()
    client.force_login(shared.user)
    page = markup(client.get("/console/"))
    for part in ("All 3", "Draft 1", "Open 1", "Closed 1", "$1.50", "of $10.00", ".750", "2 entries", "Add data"):
        assert part in page, part
    assert "Archived" not in page
    assert "No matching studies" in markup(client.get("/console/?state=paused"))
    assert "No studies yet" not in page


def test_the_number_of_queries_is_constant(shared: SimpleNamespace) -> None:
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            rows_of(shared.user)
        counts.append(len(queries))
        create_study(user=shared.user, title="One more", task_type="bws")
    assert counts == [5, 5]


def test_the_api_filters_studies(shared: SimpleNamespace) -> None:
    client = Client(headers={"Authorization": f"Token {new_api_token(shared.user, 'script')[1]}"})

    def titles(query: str) -> list[str]:
        return [study["title"] for study in client.get(f"/api/v1/studies?{query}").json()["results"]]

    assert titles("state=closed") == ["Older pairs"]
    assert titles("search=sent") == ["Sentences"]
    assert client.get("/api/v1/studies?state=lost").json()["code"] == "invalid"
