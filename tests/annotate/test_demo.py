"""Tests that the simulated answers of the demonstration are spread over several hours, so that charts show a realistic
collection.
"""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db.models import Max, Min

from annotate.models import Answer

pytestmark = pytest.mark.django_db


def test_answers_of_the_demonstration_are_spread_over_hours() -> None:
    call_command("demo", "paraphrase", verbosity=0)
    times = Answer.objects.filter(given_at__isnull=False).aggregate(first=Min("given_at"), last=Max("given_at"))
    assert times["last"] - times["first"] > timedelta(hours=12)
