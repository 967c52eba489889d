"""Tests of results in the console: requests for reports, and a report with its charts, wording and ranked items."""

import json
import re
from collections.abc import Callable

import pytest

from annotate import tasktypes
from annotate.core.services import jobs
from annotate.models import Study
from annotate.questions.services.decisions import decide, withdraw
from tests.console_study import browser_of, collected, page_of, report_on
from tests.factories import make_study, member_of
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(lambda: collected(items=16, annotators=4))


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def test_results_are_computed_as_a_job(study: Study) -> None:
    client = browser_of(study, "reviewer")
    assert "No reports yet" in markup(client.get(page_of(study, "results/")))
    client.post(page_of(study, "results/compute/"))
    assert "waiting for a free worker" in markup(client.get(page_of(study, "results/")))
    jobs.run(study.jobs.get().pk)
    assert client.get(page_of(study, "results/")).url == page_of(study, "results/1/")
    ended = client.get(page_of(study, "results/"), headers={"HX-Request": "true"})
    assert ended.headers["HX-Redirect"] == page_of(study, "results/1/")  # the report opens by itself
    assert "Report 1" in markup(client.get(page_of(study, "results/all/")))


@pytest.mark.nightly
def test_a_report_says_that_decisions_are_newer_if_they_change_it(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    report_on(study)
    client = browser_of(study, "reviewer")
    page = page_of(study, "results/1/")
    assert "Calculate again" not in markup(client.get(page))
    question = study.questions.filter(kind="regular").first()
    reviewer = member_of(study, "reviewer")
    for best in (1, 2):  # two decisions on one question
        decide(question.pk, {"best": best, "worst": 3}, user=reviewer)
    assert "Calculate again" not in markup(client.get(page)), "decisions do not change best–worst scores"
    assert "Decisions do not change the scores." in markup(client.get(page_of(study, "adjudicate/")))
    monkeypatch.setattr(tasktypes.get(study.task_type), "decisions_count", True)
    shown = markup(client.get(page))
    assert "1 decision is newer than this report." in shown
    assert "Calculate again" in shown
    withdraw(question.pk, user=reviewer)
    assert "newer than this report" not in markup(client.get(page)), "the decision is the same as before"


def test_viewers_cannot_compute(study: Study) -> None:
    client = browser_of(study, "viewer")
    assert client.post(page_of(study, "results/compute/")).status_code == 404
    assert "Calculate</button>" not in markup(client.get(page_of(study, "results/")))


@pytest.mark.nightly
def test_the_report_prints_the_figures_and_what_they_speak_of(study: Study) -> None:
    result = report_on(study).result
    page = markup(browser_of(study).get(page_of(study, "results/1/")))
    halves = [result["reliability"][name]["spearman"]["mean"] for name in ("within", "whole")]
    low, high = sorted(2 * half / (1 + half) for half in halves)
    assert f"{low:.3f}–{high:.3f}".replace("0.", ".") in page
    assert "1,000 splits" in page
    for half in halves:
        assert f"{half:.3f}".removeprefix("0") in page
    assert "not a confidence interval" in page
    assert page.index("<b>half</b> of the data") < page.index("Splits within tuples give a reliability of")
    assert "Spearman–Brown" in page


def test_a_report_offers_its_scores_first(study: Study) -> None:
    report_on(study)
    file = page_of(study, "results/1/files/scores.csv")
    page = markup(browser_of(study).get(page_of(study, "results/1/")))
    header = page.split('<div class="acts">')[1].split("</div>")[0]
    assert f'href="{file}"' in header
    assert browser_of(study).get(file).status_code == 200


@pytest.mark.nightly
def test_every_chart_has_its_data_and_the_same_figures_in_a_table(study: Study) -> None:
    result = report_on(study).result
    page = markup(browser_of(study).get(page_of(study, "results/1/")))
    charts = set(re.findall(r'id="([\w-]+)" data-chart=', page))
    assert {"scores", "reliability-by-amount", "positions", "annotators-gold"} <= charts
    for chart in charts:
        data = re.search(rf'<script id="{chart}-data" type="application/json">(.*?)</script>', page, re.DOTALL)
        assert data is not None, chart
        assert json.loads(data[1]), chart
        assert page.count(f'id="{chart}-rows"') == 1
    bins = json.loads(re.search(r'id="scores-data" type="application/json">(.*?)</script>', page)[1])["bins"]
    assert sum(bar["items"] for bar in bins) == 16
    assert bins == result["histogram"]


@pytest.mark.nightly
def test_items_are_ranked_best_first_and_all_of_them_can_be_seen(study: Study) -> None:
    scores = report_on(study).result["scores"]
    ranked = sorted(zip(scores["unit"], scores["key"], strict=True), key=lambda pair: (-pair[0], pair[1]))
    context = browser_of(study).get(page_of(study, "results/1/")).context["ranked"]
    shown = [row["item"].key for row in context["top"] + context["bottom"]]
    assert shown == [key for _, key in ranked]  # ten at the top and six at the bottom
    place = page_of(study, "results/1/items/")
    rows = [row for page in (1, 2) for row in browser_of(study).get(f"{place}?page={page}").context["rows"]]
    assert [row["item"].key for row in rows] == [key for _, key in ranked]


@pytest.mark.nightly
def test_an_item_that_is_always_chosen_alike_is_not_called_certain(study: Study) -> None:
    result = report_on(study).result
    result["scores"]["standard_error"][0] = 0.0
    study.reports.create(number=9, kind="results", seed=1, result=result)
    for place in ("results/9/", "results/9/items/"):
        page = markup(browser_of(study).get(page_of(study, place)))
        assert ".000</span>" not in page
        assert "</sup> The standard error of this item is unknown, because all its judgements are the same" in page


@pytest.mark.nightly
def test_the_chart_by_amount_ends_at_the_reports_own_figures(study: Study) -> None:
    result = report_on(study).result
    last = result["by_amount"][-1]
    own = {name: result["reliability"][name]["spearman"]["mean"] for name in ("within", "whole")}
    assert last == {"judgements": result["judgements"], **own}
    earlier = [point["judgements"] for point in result["by_amount"][:-1]]
    assert earlier
    assert max(earlier) < result["judgements"]


def test_a_report_on_nothing_says_what_is_missing() -> None:
    study = make_study()
    report_on(study)
    page = markup(browser_of(study).get(page_of(study, "results/1/")))
    assert "No results in this report" in page
    assert "No judgements count yet." in page
    assert browser_of(study).get(page_of(study, "results/1/items/")).status_code == 404


@pytest.mark.nightly
def test_a_report_on_too_little_says_what_is_missing() -> None:
    study = collected(items=8, annotators=1, hits_per_annotator=1)
    report_on(study)
    response = browser_of(study).get(page_of(study, "results/1/"))
    assert response.status_code == 200
    page = markup(response)
    notice = page[page.index('<div class="notice warn">') : page.index('<dl class="panel figs"')]
    assert "cannot calculate the split-half reliability yet" in notice
    assert "Splits within tuples give a reliability" not in page
    assert "The standard deviation over" not in page


@pytest.mark.nightly
@pytest.mark.parametrize(("counts", "said"), [(True, "counted"), (False, "excluded")])
def test_what_became_of_the_pilot_is_said(counts: bool, said: str) -> None:
    study = collected(items=16, pilot_hits=1, pilot_counts=counts)
    client = browser_of(study)
    client.post(page_of(study, "results/compute/"))
    jobs.run(study.jobs.get().pk)
    Study.objects.filter(pk=study.pk).update(pilot_counts=not counts)  # the report does not change with the study
    page = markup(client.get(page_of(study, "results/1/")))
    assert re.search(rf'<th scope="row">Pilot answers</th>\s*<td>\s*{said}\s*</td>', page)


def test_there_is_no_report_that_was_not_made(study: Study) -> None:
    assert browser_of(study).get(page_of(study, "results/7/")).status_code == 404
