"""Tests of the console for activity summaries: the settings, the signs of an annotator, and the table of annotators."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotate.integrity.selectors import FEWEST
from annotate.models import IntegrityFigures, Study
from tests.console_study import browser_of, page_of
from tests.factories import make_annotator, make_study
from tests.markup import markup
from tests.rules.test_activity_summaries import NAMED
from tests.studies.test_console_fair_settings import save

pytestmark = pytest.mark.django_db


@pytest.mark.nightly
def test_the_settings_suggest_a_sentence_and_say_what_is_missing() -> None:
    study = make_study(state="draft", consent="We keep your answers.")
    client = browser_of(study)
    page = markup(client.get(page_of(study, "settings/texts/")))
    assert "Suggested sentences: “With each answer, this study collects a summary of your activity" in page
    page = markup(save(client, study, "texts", activity_summaries="on"))
    assert "its consent text does not mention them" in page
    link = f'href="{page_of(study, "settings/texts/#id_consent_names_activity")}"'
    assert link in page
    assert link in markup(client.get(page_of(study)))
    study.refresh_from_db()
    page = markup(save(client, study, "texts", consent="We collect activity summaries.", consent_names_activity="on"))
    assert "its consent text does not mention them" not in page
    latest = study.consents.latest("version")
    assert (latest.version, latest.names_activity) == (2, True)


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(make_shared_study)


@pytest.fixture
def study(shared_study: Study, db: None) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def make_shared_study() -> Study:
    """Create a study with 100 annotators, of whom the first has two unusual values."""
    study = make_study(**NAMED)
    now = timezone.now()
    for number in range(FEWEST):
        times = {"agreement_over_time": [0.75, 0.5, 0.25]}
        usual = {"short_times": 1 + number / 1000, "time_away": 0.01, "webdriver": 0.0, "untrusted_events": 0.9}
        unusual = {"short_times": 0.125, "time_away": 0.875, "webdriver": 0.0, "untrusted_events": 1.0}
        IntegrityFigures.objects.create(
            participation=make_annotator(study),
            answers=40,
            figures=times | (usual if number else unusual),
            calculated_at=now,
        )
    return study


@pytest.mark.nightly
def test_an_annotator_s_page_shows_values_with_base_rates_and_no_verdict(study: Study) -> None:
    first, second = study.participations.order_by("pk")[:2]
    client = browser_of(study)
    page = markup(client.get(page_of(study, f"annotators/{first.pseudonym}/")))
    assert "2 unusual values" in page
    assert "Faster than all 99 other annotators" in page
    assert "A larger share than all 99 other annotators" in page
    assert "Accord calculated these indicators from 40 answers" in page
    assert "Not unusual" in page
    assert "75% in the first third of the answers, 50% in the second third and 25% in the last third." in page
    assert "script created" not in page
    assert "bot" not in page.lower().replace("both", "").replace("bottom", "")
    other = markup(client.get(page_of(study, f"annotators/{second.pseudonym}/")))
    assert "unusual values" not in other
    third = markup(client.get(page_of(study, f"annotators/{make_annotator(study).pseudonym}/")))
    assert "There are no integrity indicators for this annotator yet." in third


@pytest.mark.nightly
def test_the_table_counts_unusual_signs_and_flags_nobody(study: Study) -> None:
    first = study.participations.order_by("pk")[0]
    client = browser_of(study)
    with CaptureQueriesContext(connection) as queries:
        page = markup(client.get(page_of(study, f"annotators/?search={first.pseudonym}")))
    assert sum("annotate_integrityfigures" in query["sql"] for query in queries) == 1
    assert f'/annotators/{first.pseudonym}/#integrity"' in page
    assert "Needs a look 0" in page
    Study.objects.filter(pk=study.pk).update(activity_summaries=False)
    page = markup(client.get(page_of(study, "annotators/")))
    assert "integrity indicators" not in page
    assert 'id="integrity"' not in markup(client.get(page_of(study, f"annotators/{first.pseudonym}/")))


@pytest.mark.nightly
def test_reviewers_can_request_the_calculation(study: Study) -> None:
    client = browser_of(study)
    assert "Calculate indicators" in markup(client.get(page_of(study, "annotators/")))
    response = client.post(page_of(study, "annotators/indicators/calculate/"))
    assert response["Location"] == page_of(study, "jobs/")
    assert study.jobs.filter(kind="integrity").count() == 1
    viewer = browser_of(study, "viewer")
    assert "Calculate indicators" not in markup(viewer.get(page_of(study, "annotators/")))
    Study.objects.filter(pk=study.pk).update(activity_summaries=False)
    refused = client.post(page_of(study, "annotators/indicators/calculate/"), follow=True)
    assert "This study does not collect activity summaries" in markup(refused)
    assert "Calculate indicators" not in markup(refused)
    assert study.jobs.filter(kind="integrity").count() == 1


def test_evidence_stays_after_a_stop(study: Study) -> None:
    first = study.participations.order_by("pk")[0]
    study.participations.filter(pk=first.pk).update(standing="stopped", standing_reason="checked by hand")
    page = markup(browser_of(study).get(page_of(study, "annotators/?show=stopped")))
    assert "Integrity indicator “Answers with at least 5 seconds in another window”: 88%." in page
    assert "A larger share than all 99 other annotators." in page
