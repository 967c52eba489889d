"""The summary on the join page, which is written from the study's settings, and the way from there to the first
question.
"""

from __future__ import annotations

import re

import pytest
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import PERSONAL_LINKS
from annotate.models import Assignment, Participation, Study
from annotate.recruiting.services.named import add_named
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import open_study
from tests.factories import make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db

TEXT = "We keep your answers for ten years."
TERMS = {"payment_terms": "Weekly, by bank transfer.", "contact": "Ada Lovelace, ada@example.org"}


def join_page(client: Client, study: Study) -> str:
    return markup(client.get(f"/join/{study.join_token}"))


def summary(page: str) -> dict[str, str]:
    """Return the texts of the summary by their labels."""
    [found] = re.findall(r'<dl class="panel summary">(.*?)</dl>', page)
    rows = re.findall(r"<dt>(.*?)</dt><dd[^>]*>(.*?)</dd>", found)
    return {label: re.sub(r"<[^>]+>", "", text).strip() for label, text in rows}


def test_a_summary_in_seven_lines_stands_before_the_consent_text(client: Client) -> None:
    study = make_study(
        consent=TEXT,
        instructions="Choose *two* pairs.\n\nRead everything.",
        gold=6,
        rule_threshold="0.7",
        rule_minimum=10,
        reward="0.50",
        planned_hourly_wage="12",
        protocol_number="2026-114",
        **TERMS,
    )
    page = join_page(client, study)
    rows = summary(page)
    assert list(rows) == ["Your task", "Time", "Payment", "Data", "Stopping", "Contact", "Quality"]
    assert rows["Your task"] == "Choose two pairs."
    assert "It takes about 2.5 min." in rows["Time"]
    assert "$0.50 per set" in rows["Payment"]
    assert "Weekly, by bank transfer." in rows["Payment"]
    assert "365 days after the study ends" in rows["Data"]
    assert "at any time" in rows["Stopping"]
    assert "ada@example.org" in rows["Contact"]
    assert "2026-114" in rows["Contact"]
    assert "fewer than 70% of your answers" in rows["Quality"]
    assert "after 10 check questions" in rows["Quality"]
    assert "submitted or started" in rows["Quality"]
    folded = page[page.index("Full consent text") :]
    assert TEXT in folded[: folded.index("</details>")]
    assert page.count(TEXT) == 1


def test_the_summary_states_only_what_the_study_does(client: Client) -> None:
    rows = summary(join_page(client, make_study(consent=TEXT, reward="0", rule_threshold="0")))
    assert list(rows) == ["Your task", "Questions", "Payment", "Data", "Stopping", "Contact"]
    assert rows["Payment"] == "The study is not paid."
    rows = summary(join_page(client, make_study(reward="0", rule_threshold="0")))
    assert list(rows) == ["Your task", "Questions", "Contact"]


def test_the_summary_names_activity_summaries_and_network_checks(client: Client) -> None:
    rows = summary(join_page(client, make_study(consent=TEXT)))
    assert "activity" not in rows["Data"]
    assert "network" not in rows["Data"]
    collected = {"consent_names_activity": True, "activity_summaries": True, "network_check": True}
    rows = summary(join_page(client, make_study(consent=TEXT, **collected)))
    assert "summary of your activity" in rows["Data"]
    assert "network address for 30 days" in rows["Data"]


def test_a_board_can_require_the_full_text_on_the_page(client: Client) -> None:
    study = make_study(consent=TEXT)
    assert "Your consent" not in join_page(client, study)
    change_settings(study.pk, user=SYSTEM, full_consent=True)
    page = join_page(client, study)
    assert "Full consent text" not in page
    assert page.index("Your consent") < page.index(TEXT) < page.index('name="agree"')


def test_a_personal_link_without_consent_text_opens_the_first_question(client: Client) -> None:
    study = make_study(state="draft", admission="named")
    [ada] = add_named(study.pk, ["Ada"], user=SYSTEM)
    open_study(study.pk, user=SYSTEM)
    link = PERSONAL_LINKS.path(ada.public_id)
    assert 'name="start"' in markup(client.get(link))
    assert not Participation.objects.exists()
    response = client.post(link, {"start": "yes"})
    assert response["Location"] == f"/a/{Assignment.objects.get().public_id}"
    assert client.get(response["Location"]).status_code == 200


def test_a_personal_link_with_consent_text_leads_to_the_first_question(client: Client) -> None:
    study = make_study(state="draft", admission="named", consent=TEXT)
    [ada] = add_named(study.pk, ["Ada"], user=SYSTEM)
    open_study(study.pk, user=SYSTEM)
    link = PERSONAL_LINKS.path(ada.public_id)
    assert 'name="start"' in markup(client.get(link))
    refused = client.post(link, {"start": "yes"})
    assert "Location" not in refused, "without consent"
    response = client.post(link, {"agree": "yes", "consent": "1", "start": "yes"})
    assert response["Location"].startswith("/a/")


def test_a_personal_link_says_how_many_sets_the_annotator_answers(client: Client) -> None:
    study = make_study(state="draft", admission="named", judgements=2)
    ada, _ = add_named(study.pk, ["Ada", "Ben"], user=SYSTEM)
    open_study(study.pk, user=SYSTEM)
    page = markup(client.get(PERSONAL_LINKS.path(ada.public_id)))
    text = " ".join(page.split())
    assert f"You can complete up to {study.hits.count()} sets." in text
    assert "Each set has up to 5 questions." in text, "16 questions leave one for the last set"
    assert "You can stop after any set." not in page
