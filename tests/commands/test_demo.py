"""Tests of the demonstration: its answers are spread over a week, every page has contents, charts and figures of the
report have names for readers, each study has free work and one thing to decide, and one shows integrity indicators.
"""

import re

import pytest
from django.core.management import call_command
from django.test import Client

from annotate.annotator.simulation import simulated_summary
from annotate.console.services import todo_of
from annotate.core.activity import FIELDS, checked_summary
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.participations import current_consent
from annotate.core.services.claim import claim
from annotate.integrity.services import calculate_signs
from annotate.management.commands.demo import STUDIES
from annotate.models import ActivitySummary, Annotator, Answer, Participation, Study
from annotate.recruiting.services.join import accept_consent, join
from tests.console_study import report_on

pytestmark = pytest.mark.django_db

PAGES = (
    *("", "items/", "design/", "annotators/", "messages/", "questions/", "adjudicate/?show=decided", "gold/"),
    *("pay/", "pay/payments/", "results/all/", "results/1/", "downloads/", "x/phrases/", "x/systems/"),
    *("jobs/", "history/"),
)
OF_FIGURES = ("", "design/", "annotators/", "pay/", "results/all/", "results/1/")
INTERNAL = re.compile(r"\b[a-z0-9]+_[a-z0-9_]+\b")


@pytest.mark.nightly
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


@pytest.mark.nightly
def test_one_study_of_the_demonstration_shows_integrity_indicators() -> None:
    call_command("demo", "paraphrase", verbosity=0)
    study = Study.objects.get()
    given = Answer.objects.filter(participation__study=study, given_at__isnull=False, skipped_at=None).count()
    summaries = list(ActivitySummary.objects.values(*FIELDS))
    assert len(summaries) == given
    assert all(checked_summary(summary) == summary for summary in summaries)
    assert calculate_signs(study.pk, user=SYSTEM, progress=lambda share, text: None) == study.participations.count()
    client = Client()
    client.force_login(study.memberships.get().user)
    for person in Participation.objects.filter(study=study, standing=Participation.Standing.ACTIVE):
        html = client.get(f"/console/{study.public_id}/annotators/{person.pseudonym}/").content.decode()
        assert "Straightness of pointer paths" in html, person
        assert "Variation of the time between clicks" in html, person


@pytest.mark.parametrize(
    "name", [name if name == "layout" else pytest.param(name, marks=pytest.mark.nightly) for name in STUDIES]
)
def test_each_study_of_the_demonstration_has_work_for_a_visitor_and_one_thing_to_decide(name: str) -> None:
    call_command("demo", name, verbosity=0)
    study = Study.objects.get()
    to_decide = [entry.key.partition(":")[0] for entry in todo_of(study) if entry.level != "info"]
    assert to_decide in (["objection"], ["problems"])
    for visitor in range(2):
        participation = join(study, platform=Annotator.Platform.WEB)
        consent = current_consent(study)
        accept_consent(participation.pk, consent.pk if consent else None, eligible=True)
        Participation.objects.filter(pk=participation.pk).update(standing=Participation.Standing.ACTIVE)
        assert claim(participation.pk).assignment, visitor


@pytest.mark.parametrize("careless", [False, True])
def test_simulated_activity_summaries_are_valid_and_reproducible(careless: bool) -> None:
    summaries = [simulated_summary(careless, 1, number) for number in range(200)]
    assert summaries == [simulated_summary(careless, 1, number) for number in range(200)]
    assert all(checked_summary(summary) == summary for summary in summaries)


def _text(html: str) -> str:
    """Return the text that readers see."""
    html = re.sub(r"<(script|style|code|svg)\b.*?</\1>", " ", html, flags=re.DOTALL)
    return re.sub(r"<[^>]+>", " ", html)
