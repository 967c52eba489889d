"""Tests of paraphrase studies in the console: reports and their pages, quality control and its rule in words, and items
from two files.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotate.models import Study, Upload
from annotate.questions.services.decisions import decide
from paraphrase.console.charts import votes_chart
from paraphrase.console.quality_control import habits
from paraphrase.design_report import _domains_check
from tests.console_study import browser_of, page_of
from tests.factories import make_annotator, member_of
from tests.markup import markup
from tests.paraphrasing import item_rows, paraphrase_study, results_of, work_through

pytestmark = pytest.mark.django_db

SHOP = {f"shop-{phrase}": [f"{phrase} branch"] for phrase in ("bank", "post", "mill")}
FARM = {f"farm-{phrase}": [f"{phrase} slope"] for phrase in ("bank", "post", "mill")}


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(make_shared_study)


@pytest.fixture
def study(shared_study: Study, db: None) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def make_shared_study() -> Study:
    """Two of three annotators accept “slope” in the domain “farms”, and all accept “branch” in the domain “shops”."""
    made = paraphrase_study()
    for yes in (SHOP | FARM, SHOP | FARM, SHOP):
        work_through(make_annotator(made), yes)
    return made


def text_of(client, study, place):
    response = client.get(page_of(study, place))
    assert response.status_code == 200, place
    return " ".join(markup(response).split())


@pytest.mark.nightly
def test_the_report_has_every_part_of_the_paper(study):
    results_of(study)
    page = text_of(browser_of(study), study, "results/1/")
    for part in (
        *("Differences between domains", "Labelling methods", "Dawid–Skene", "Krippendorff’s α", "Gwet’s AC1"),
        *("Cohen’s κ, mean of pairs", "Annotators on quality control", "Results by domain"),
    ):
        assert part in page, part
    assert "farm, shop" in page or "shop, farm" in page
    assert "labels-by-domain.csv" in page


def test_pairs_stand_with_their_sentences_for_and_against(study):
    results_of(study)
    page = text_of(browser_of(study), study, "results/1/domains/")
    assert "bank / bank slope" in page
    assert "Behind the barn a <mark>bank</mark> had fallen into the ditch." in page
    assert "The <mark>bank</mark> on the corner was closed on Monday." in page
    assert page.count('class="contrasts"') == 1


def test_contrasts_can_be_seen_one_way(study):
    report = results_of(study)
    shop, farm = (report.result["domains"].index(name) for name in ("shop", "farm"))
    page = text_of(browser_of(study), study, f"results/1/domains/?way={farm}-{shop}")
    assert "bank slope" in page
    assert "bank branch" not in page


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("show", "there", "absent"),
    [
        ("good", ["bank branch", "bank slope"], ["bank lender"]),
        ("bad", ["bank lender", "bank slope"], []),
        ("undecided", ["No candidate matches the filter"], ["bank branch"]),
        ("nonsense", ["bank branch", "bank lender"], []),
    ],
)
def test_labels_can_be_picked_out(study, show, there, absent):
    results_of(study)
    page = text_of(browser_of(study), study, f"results/1/labels/?show={show}")
    assert all(text in page for text in there)
    assert not any(text in page for text in absent)


@pytest.mark.nightly
def test_a_decision_is_named_beside_its_labels(study):
    decide(study.questions.get(payload__item="farm-bank").pk, {"votes": [False, False, True]}, user=member_of(study))
    results_of(study)
    page = text_of(browser_of(study), study, "results/1/labels/?show=decided")
    assert page.count("by a reviewer</span>") == 2
    assert page.count("by a reviewer and all annotators</span>") == 1
    assert "bank lender" in page
    report = text_of(browser_of(study), study, "results/1/")
    assert "A reviewer decided 3 of the labels." in report
    assert "and reviewers’ decisions on 3 of the labels." in report
    differing = text_of(browser_of(study), study, "results/1/labels/?show=differ")
    assert differing.count("by a reviewer</span>") == 2, "the labels that differ from every method"
    assert "and all annotators" not in differing


@pytest.mark.nightly
def test_pages_ask_as_many_queries_for_many_candidates_as_for_few(django_assert_max_num_queries):
    rows = item_rows([f"p{number}" for number in range(40)])
    study = paraphrase_study(rows=rows, judgements=1, quality=0, questions_per_hit=40)
    work_through(make_annotator(study), SHOP)
    results_of(study)
    client = browser_of(study)
    client.get(page_of(study, "results/1/"))
    for place in ("results/1/", "results/1/labels/", "results/1/labels/?page=2", "results/1/domains/"):
        with django_assert_max_num_queries(22):
            assert client.get(page_of(study, place)).status_code == 200


def test_a_page_that_a_report_does_not_have(study):
    results_of(study)
    assert browser_of(study).get(page_of(study, "results/1/words/")).status_code == 404


def test_gold_and_questions_are_told_in_words(study):
    client = browser_of(study)
    gold = text_of(client, study, "gold/")
    assert "They were [happy], all 1 of them. – yes: glad, pleased, content; no: oak, ladle, trombone" in gold
    question = study.questions.get(payload__item="farm-bank")
    page = text_of(client, study, f"questions/{question.public_id}/")
    assert "Behind the barn a [bank] had fallen into the ditch." in page
    assert "yes: bank slope; no: bank branch, bank lender" in page


HABIT = "</span></p><p>An annotator who chooses"


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, f"passes{HABIT} <b>everything</b> has an accuracy of .50."),
        ({"rule_threshold": "0.6"}, f"is stopped{HABIT} <b>nothing</b> has an accuracy of .50."),
        ({"rule_measure": "balanced"}, f"passes{HABIT} <b>nothing</b> has a balanced accuracy of .50."),
        ({"rule_measure": "balanced", "rule_threshold": "0.51"}, f"is stopped{HABIT} <b>everything</b> has"),
        ({"rule_threshold": "0"}, "does not stop any annotators"),
        ({"gold_block": 2, "questions_per_hit": 2}, "passed</span></p>"),
        ({"gold_block": 5, "questions_per_hit": 2}, "Set “Questions per gold question” to 2 or less"),
        ({"gold_block": 0, "rule_threshold": "0"}, "HITs have no quality-control questions"),
    ],
)
def test_the_page_says_who_would_pass_without_reading(settings, said):
    study = paraphrase_study(state="draft", **settings)
    assert said in text_of(browser_of(study), study, "x/quality-control/")


def test_a_habit_may_pass_on_the_questions_that_one_annotator_meets():
    study = paraphrase_study(state="draft")
    gold = [{"votes": [True, True, True, True, False, False]}, {"votes": [True, True, True, False, False, False]}]
    everything, nothing = habits(study, gold)
    assert (everything.passes, everything.accuracy) == (True, pytest.approx(7 / 12))
    assert (nothing.passes, nothing.may_pass) == (False, True)
    study.rule_threshold = 0.6
    assert [habit.may_pass for habit in habits(study, gold)] == [True, False]


@pytest.mark.nightly
def test_without_a_wordnet_the_page_says_how_to_get_one(monkeypatch, settings, tmp_path):
    monkeypatch.setattr("paraphrase.wordnet_folder.DEBIAN", tmp_path)
    monkeypatch.delenv("WORDNET_DIR", raising=False)
    settings.DATA_DIR = tmp_path
    study = paraphrase_study(quality=0, state="draft")
    page = text_of(browser_of(study), study, "x/quality-control/")
    assert "apt-get install wordnet-base" in page
    assert "script/wordnet" in page
    assert "This study has no quality" in page
    assert "the questions come from an example dictionary" in page
    response = browser_of(study).post(page_of(study, "x/quality-control/"), {"count": 20, "seed": 3})
    drawn = list(csv.DictReader(io.StringIO(response.getvalue().decode())))
    assert len({row["phrase"] for row in drawn}) == 20
    for row in drawn:
        synonyms, random_words = row["synonyms"].split("|"), row["random_words"].split("|")
        assert len({row["phrase"], *synonyms, *random_words}) == 7
        assert row["sentence"][int(row["start"]) :].startswith(row["phrase"])
    few = browser_of(study).post(page_of(study, "x/quality-control/"), {"count": 100, "seed": 3})
    assert few.status_code == 422
    assert "provides only 23 quality-control questions, not 100" in markup(few)


class TestDrawing:
    def post(self, client, study, **fields):
        return client.post(page_of(study, "x/quality-control/"), {"count": 2, "seed": 3} | fields)

    def test_a_csv_comes_down_that_can_be_brought_in(self, monkeypatch, tmp_path):
        from accord_core.paraphrase.formats.quality_control import QualityRow

        row = QualityRow("wordnet-n1", "They were happy.", "happy", 10, ["glad", "merry", "gay"], ["oak", "ham", "tin"])
        monkeypatch.setenv("WORDNET_DIR", str(tmp_path))
        monkeypatch.setattr("paraphrase.console.quality_control.read_wordnet", lambda folder: folder)
        monkeypatch.setattr(
            "paraphrase.console.quality_control.draw_quality_control",
            lambda wordnet, count, seed: [row] * (count == 2 and seed == 3),
        )
        study = paraphrase_study(quality=0, state="draft")
        response = self.post(browser_of(study), study)
        assert response["Content-Disposition"] == 'attachment; filename="quality-control-3.csv"'
        (drawn,) = csv.DictReader(io.StringIO(response.getvalue().decode()))
        assert (drawn["id"], drawn["random_words"]) == ("wordnet-n1", "oak|ham|tin")

    def test_a_folder_of_another_shape_is_said(self, monkeypatch, tmp_path):
        monkeypatch.setenv("WORDNET_DIR", str(tmp_path))
        study = paraphrase_study(quality=0, state="draft")
        response = self.post(browser_of(study), study)
        assert response.status_code == 422
        assert "index.noun, data.noun" in markup(response)

    @pytest.mark.nightly
    def test_viewers_draw_nothing(self, monkeypatch, tmp_path):
        monkeypatch.setenv("WORDNET_DIR", str(tmp_path))
        study = paraphrase_study(quality=0, state="draft")
        client = browser_of(study, "viewer")
        assert self.post(client, study).status_code == 404


class TestItemsFromTwoFiles:
    SENTENCES = "id,sentence,domain\na,They cut back the vines.,garden\nb,A cut in spending.,money\nc,Rain.,garden\n"
    PARAPHRASES = "phrase,paraphrase,score\ncut,slice,1\ncut,trim,2\ncut back,prune,1\n"

    def post(self, study, role="owner", **files):
        given = {"sentences": self.SENTENCES, "paraphrases": self.PARAPHRASES} | files
        uploads = {name: SimpleUploadedFile(f"{name}.csv", text.encode()) for name, text in given.items()}
        return browser_of(study, role).post(page_of(study, "x/phrases/"), {"seed": 1} | uploads, follow=True)

    @pytest.mark.nightly
    def test_what_was_found_is_counted_and_then_previewed(self):
        study = paraphrase_study(state="draft", quality=0)
        page = " ".join(markup(self.post(study)).split())
        assert (
            "2 of 2 phrases were found. 2 of 3 sentences are used (1 of garden, 1 of money), with 3 candidates in "
            "total." in page
        )
        assert "Ready to import 2 items" in page
        assert Upload.objects.filter(study=study, filename="sentences.csv with phrases.jsonl").count() == 1

    @pytest.mark.nightly
    def test_faults_of_either_file_are_named(self):
        study = paraphrase_study(state="draft", quality=0)
        response = self.post(study, paraphrases="phrase,paraphrase\ncut,cut\n")
        assert response.status_code == 422
        assert "paraphrases.csv, line 2, column paraphrase: “cut” is the phrase itself" in markup(response)

    def test_nothing_found_is_said(self):
        study = paraphrase_study(state="draft", quality=0)
        response = self.post(study, paraphrases="phrase,paraphrase\nvineyard,field\n")
        assert response.status_code == 422
        assert "None of the 1 phrases occurs in any of the 3 sentences." in markup(response)
        assert not Upload.objects.filter(study=study, filename__contains="with phrases").exists()

    def test_viewers_bring_nothing_in(self):
        study = paraphrase_study(state="draft", quality=0)
        self.post(study, role="viewer")
        assert not Upload.objects.filter(study=study, filename__contains="with phrases").exists()


@pytest.mark.nightly
def test_a_study_with_one_domain_and_no_quality_control_shows_neither() -> None:
    study = paraphrase_study(rows=[row for row in item_rows() if row.pop("domain") == "shop"], quality=0)
    for yes in (SHOP, SHOP, {}):
        work_through(make_annotator(study), yes)
    results_of(study)
    client = browser_of(study)
    report, design = text_of(client, study, "results/1/"), text_of(client, study, "design/")
    assert "View all labels" in report
    assert "Length of the lists" in design
    labels = text_of(client, study, "results/1/labels/")
    assert "Domain" not in labels
    for absent in ("between domains", "Results by domain", "Accuracy of annotators", "Sentences of a domain"):
        assert absent not in report + design, absent


@pytest.mark.parametrize(("judgements", "optional"), [(3, True), (2, False)])
def test_decisions_are_optional_where_a_majority_decides(study: Study, judgements: int, optional: bool) -> None:
    Study.objects.update(judgements=judgements, options=study.options | {"ties": "negative"})
    assert ("Decisions are optional." in text_of(browser_of(study), study, "adjudicate/")) == optional


def test_the_chart_of_yes_votes_shows_the_median_between_the_two_middle_candidates() -> None:
    chart = votes_chart({"labels": {"yes": [0, 1, 2, 3], "n": [3, 3, 3, 3]}})
    assert chart is not None
    assert chart.data["median"] == pytest.approx(0.5)


def test_domains_without_shared_pairs_cannot_be_compared() -> None:
    assert _domains_check(0, 80).detail.endswith("so the domains cannot be compared")
    assert _domains_check(2, 80).detail.endswith("so the domains can be compared")
