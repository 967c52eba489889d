"""Tests that the main figure has one value until answers change: on all pages, in the API and on the command line."""

import csv
from itertools import permutations

import pytest

from annotate.annotator.simulation import simulate
from annotate.commands.main import main
from annotate.core.permissions import SYSTEM
from annotate.models import Answer
from annotate.people.services import exclude_answer
from annotate.tasktypes import Headline
from tests.console_study import browser_of, page_of, report_on
from tests.factories import do_hit, make_annotator, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db
STEPS = ("results", "progress", "answers", "exclusion")
OTHERS = list(permutations(STEPS))[1::5]


@pytest.mark.nightly
@pytest.mark.parametrize("steps", [order * 2 for order in (STEPS, *OTHERS)])
def test_the_main_figure_has_one_value_everywhere_in_any_order_of_answers_and_reports(
    steps: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    study = make_study(items=16, judgements=5, gold=8, rule_threshold=0)
    simulate(study, user=SYSTEM, annotators=3, seed=3, as_people=True)
    client, values = browser_of(study), {}
    for step in ("progress", *steps):
        if step == "answers":
            do_hit(make_annotator(study))
        elif step == "exclusion":
            counted = Answer.objects.counting().filter(assignment__study=study)
            exclude_answer(counted.first().pk, reason="late", user=SYSTEM)
        else:
            report = report_on(study, step)
            # Two reports on the same answers contain the same figure, whichever kind was calculated first.
            assert values.setdefault(report.columns_sha256, report.headline) == report.headline
        latest = study.reports.filter(kind__in=["progress", "results"]).latest("pk")
        headline = Headline.from_json(latest.headline)
        shown = headline.text.partition(",")[0]
        assert f'<span class="big">{shown} <small>usual target .85</small></span>' in markup(client.get(page_of(study)))
        assert headline.text in markup(client.get("/console/"))
        figure = client.get(f"/api/v1/studies/{study.public_id}/progress").json()["main_figure"]
        assert (figure["low"], figure["high"]) == (headline.low, headline.high)
        assert figure["judgements"] == latest.judgements
        if latest.kind == "results":
            assert shown in markup(client.get(page_of(study, f"results/{latest.number}/")))
            assert headline.text in markup(client.get(page_of(study, "results/all/")))
            api = client.get(f"/api/v1/studies/{study.public_id}/reports/results/{latest.number}").json()
            assert api["result"]["headline"] == latest.headline
    main(["study", "report", study.public_id], standalone_mode=False)
    last = study.reports.latest("pk")
    assert f"{last.headline['name']}: {Headline.from_json(last.headline).text}\n" in capfd.readouterr().out


@pytest.mark.nightly
def test_both_score_files_state_the_score_on_one_scale_and_the_signed_score_has_its_own_name() -> None:
    study = make_study(items=12, judgements=2)
    simulate(study, user=SYSTEM, annotators=3, seed=3, as_people=True)
    stored = report_on(study).result["scores"]
    client, rows = browser_of(study), {}
    for name in ("scores.csv", "scores-full.csv"):
        file = b"".join(client.get(f"/api/v1/studies/{study.public_id}/exports/{name}").streaming_content).decode()
        rows[name] = {row["item"]: row for row in csv.DictReader(file.splitlines())}
    for place, key in enumerate(stored["key"]):
        full = rows["scores-full.csv"][key]
        assert float(rows["scores.csv"][key]["score"]) == pytest.approx(float(full["score"]), abs=0.00051)
        # Recalculated from the counts: (best − worst) / appearances, and half of it plus ½ on the scale from 0 to 1.
        signed = (int(full["best"]) - int(full["worst"])) / int(full["appearances"])
        assert float(full["signed_score"]) == pytest.approx(signed, abs=1e-6)
        assert float(full["score"]) == pytest.approx((signed + 1) / 2, abs=1e-6)
        assert float(full["standard_error"]) == pytest.approx(stored["standard_error"][place] / 2)
