"""Tests that the study of the benchmarks still has what the pages of the console read."""

import pytest
from django.test import Client

from annotate.models import Answer
from bench._filled_study import filled_study
from bench.million_answers import PAGES, path_of
from tests.factories import UserFactory


@pytest.mark.nightly
@pytest.mark.django_db
def test_each_measured_page_shows_the_filled_study(client: Client) -> None:
    owner = UserFactory()
    study = filled_study(200, owner, "filled")
    assert Answer.objects.filter(assignment__study=study).count() >= 200
    client.force_login(owner)
    for page in PAGES.values():
        path = path_of(page, study)
        assert client.get(path).status_code == 200, path
