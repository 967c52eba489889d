"""Tests of the demonstration: its answers are spread over a week, every page has contents, and charts and figures of
the report have names for readers.
"""

import re

import pytest
from django.core.management import call_command
from django.test import Client

from annotate.models import Answer, Study
from tests.console_study import report_on

pytestmark = pytest.mark.django_db

PAGES = (
    *("", "items/", "design/", "annotators/", "messages/", "questions/", "adjudicate/?show=decided", "gold/"),
    *("pay/", "pay/payments/", "results/", "results/1/", "downloads/", "x/phrases/", "x/systems/", "jobs/", "history/"),
)
OF_FIGURES = ("", "design/", "annotators/", "pay/", "results/", "results/1/")
INTERNAL = re.compile(r"\b[a-z0-9]+_[a-z0-9_]+\b")


def test_the_demonstration_fills_every_page_with_a_week_of_work() -> None:
    call_command("demo", "alignment", verbosity=0)
    study = Study.objects.get()
    days = {at.date() for at in Answer.objects.filter(given_at__isnull=False).values_list("given_at", flat=True)}
    assert 5 <= len(days) <= 8
    assert study.assignments.filter(state="lapsed").count() == 0
    report_on(study)
    client = Client()
    client.force_login(study.memberships.get().user)
    for page in PAGES:
        response = client.get(f"/console/{study.public_id}/{page}")
        assert response.status_code == 200, page
        html = response.content.decode()
        assert re.findall(r"<h2[^>]*>\s*(No [^<]* yet|Not [^<]* yet)", html) == [], page
        if page in OF_FIGURES:
            assert INTERNAL.findall(_text(html)) == [], page
        for axes in re.findall(r'data-chart="\w+".*?data-across="(.*?)".*?data-up="(.*?)"', html, re.DOTALL):
            assert all(axes), page


def _text(html: str) -> str:
    """Return the text that readers see."""
    html = re.sub(r"<(script|style|code|svg)\b.*?</\1>", " ", html, flags=re.DOTALL)
    return re.sub(r"<[^>]+>", " ", html)
