"""Pages state how often annotators gave the same answer to a repeated question, if the study has such questions."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.models import Report, Study
from annotate.results.pages.reports import _time_between
from annotate.results.services import make_report
from annotate.studies.services.settings import change_settings
from tests.factories import UserFactory, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


def reported(share: str) -> Study:
    study = make_study(items=40, judgements=2, user=UserFactory())
    change_settings(study.pk, repeat_share=share, repeat_after_hits=1, user=SYSTEM)
    simulate(study, annotators=2, careless=0.0, seed=3, user=SYSTEM)
    make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, message: None)
    return study


def text_of(page: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", page).split())


def page_of(client: Client, study: Study, name: str, *arguments: object) -> str:
    client.force_login(study.members.get())
    return text_of(markup(client.get(reverse(f"console:{name}", args=[study.public_id, *arguments]))))


@pytest.mark.nightly
def test_the_report_and_the_annotators_page_show_the_same_answers_again(client: Client) -> None:
    study = reported("0.25")
    result = Report.objects.get(study=study, kind="results").result
    repeats = result["repeats"]
    assert repeats["questions"] >= 10
    page = page_of(client, study, "report", 1)
    share = repeats["share"]
    percents = [f"{100 * share[name]:.0f}%" for name in ("value", "low", "high")]
    assert (
        f"Annotators gave the same answer again to {percents[0]} ({percents[1]} to {percents[2]}) of "
        f"{repeats['questions']} repeated questions, 0 minutes later."
    ) in page
    assert f"Another annotator gives the same answer to {repeats['others']['share']:.0%} of these questions." in page
    assert "The intervals generalise to new questions for these annotators." in page
    person = next(each for each in result["people"] if each.get("repeated"))
    own = page_of(client, study, "annotator", person["pseudonym"])
    if person["repeated"] < 10:
        assert f"Same answer again {person['repeated_same']} of {person['repeated']}" in own
    else:
        assert f"{person['repeated_same']} of {person['repeated']}" in own


@pytest.mark.nightly
def test_few_repeated_questions_are_counts(client: Client) -> None:
    study = reported("0.25")
    report = Report.objects.get(study=study, kind="results")
    few = report.result | {"repeats": report.result["repeats"] | {"questions": 9, "same": 7}}
    Report.objects.create(
        study=study, kind="results", number=2, parameters={}, seed=1, versions={}, input_sha256="", result=few
    )
    assert "gave the same answer again to 7 of 9 repeated questions" in page_of(client, study, "report", 2)


@pytest.mark.nightly
def test_without_repeated_questions_the_pages_do_not_mention_them(client: Client) -> None:
    study = reported("0")
    for name, arguments in (("report", (1,)), ("annotator", (study.participations.first().pseudonym,))):  # type: ignore[union-attr]
        page = page_of(client, study, name, *arguments)
        assert "again to" not in page
        assert "Same answer again" not in page


def test_times_between_answers_are_in_days_hours_or_minutes() -> None:
    assert [_time_between(days) for days in (0.01, 0.05, 0.3, 1.2, 9)] == [
        *("14 minutes", "1 hour", "7 hours", "1 day", "9 days")
    ]
