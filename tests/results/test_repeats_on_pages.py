"""Pages state how often annotators gave the same answer to a repeated question, if the study has such questions."""

import re

import pytest
from click.testing import CliRunner
from django.test import Client
from django.urls import reverse

from annotate.annotator.simulation import simulate
from annotate.commands.study import group
from annotate.core.permissions import SYSTEM
from annotate.models import Report, Study
from annotate.questions.selectors.data import study_data
from annotate.results.pages.reports import _time_between
from annotate.results.selectors.comparison import compare
from annotate.results.services import make_report
from annotate.studies.services.settings import change_settings
from reporting.statement import data_statement
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
        f"Annotators gave the same answer as before to {percents[0]} ({percents[1]} to {percents[2]}) of "
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
    assert "gave the same answer as before to 7 of 9 repeated questions" in page_of(client, study, "report", 2)


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


@pytest.mark.nightly
def test_a_comparison_of_reports_and_the_data_statement_name_repeated_questions(client: Client) -> None:
    study = reported("0.25")
    first = Report.objects.get(study=study, kind="results")
    repeats = first.result["repeats"]
    second = study.reports.create(kind="results", number=2, seed=1, result={**first.result, "repeats": None})
    for one, other in ((first, second), (second, first)):
        table = compare(one, other)[-1]
        assert table.title == "Annotators compared with themselves"
        assert table.rows[0].row.name == "Repeated questions"
        values = [value.value for row in table.rows for value in (row.first, row.second)]
        assert repeats["questions"] in values
        assert repeats["share"]["value"] in values
    client.force_login(study.members.get())
    path = reverse("console:compare-reports", args=[study.public_id, 1])
    page = text_of(markup(client.get(path, {"with": f"{study.public_id}-2"})))
    assert "Same answer by the same annotator" in page
    statement = data_statement(
        study_data(study), first.result, authors={}, version="1.0", licence="CC-BY-4.0", languages=["English"]
    )
    share = repeats["share"]
    assert (
        f"{repeats['annotators']} annotators answered {repeats['questions']} questions a second time. "
        f"{repeats['same']} of the second answers ({share['value']:.1%} of them, 95% confidence interval "
        f"{share['low']:.1%} to {share['high']:.1%}) are the same as the first."
    ) in statement
    assert (
        f"Another annotator gives the same answer to {repeats['others']['share']:.1%} of these questions." in statement
    )
    without = data_statement(
        study_data(study), second.result, authors={}, version="1.0", licence="CC-BY-4.0", languages=["English"]
    )
    assert "a second time" not in without


def test_repeated_questions_are_set_on_the_command_line() -> None:
    study = make_study(items=40, user=UserFactory())
    arguments = ["settings", study.public_id, "--set", "repeat_share=0.05", "--set", "repeat_after_hits=20"]
    result = CliRunner().invoke(group, [*arguments, "--set", "repeat_after_hours=24"])
    assert result.exit_code == 0, result.output
    study.refresh_from_db()
    assert (float(study.repeat_share), study.repeat_after_hits, study.repeat_after_hours) == (0.05, 20, 24)
    assert "repeat_share = " in CliRunner().invoke(group, ["settings", study.public_id]).stdout
