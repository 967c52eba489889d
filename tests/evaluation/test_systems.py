"""Tests of scores for systems: figures compared with independent implementations, rejected files, jobs and
stored data.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import scipy

from accord_core.bws.numerics.ceiling import CAUTION, RESTRICTED_RANGE, noise_ceiling
from accord_core.bws.numerics.scoring import Judgements
from accord_core.chunks.formats.ists import parse_wa
from accord_core.chunks.numerics.scores import ists_scores
from accord_core.evaluation.numerics.power import detectable_differences
from accord_core.pairs.numerics.links import Alignment, word_scores
from accord_core.paraphrase.systems.numerics.paraphrase_tables import table_scores
from accord_core.words.numerics.phrases import phrase_scores
from annotate import tasktypes
from annotate.core.permissions import SYSTEM, Action
from annotate.core.services import jobs
from annotate.models import Study
from annotate.questions.selectors.data import study_data
from annotate.server.refusals import Refused
from annotate.tasktypes import extensions
from bws.columns import columns
from evaluation.models import Submission
from evaluation.selectors.systems import history, report_on_same
from evaluation.services import systems
from tests.alignment_ui.chunks.test_study import WA, answer_all, chunk_study, opened
from tests.console_study import report_on
from tests.factories import make_annotator, make_study
from tests.paraphrasing import paraphrase_study, work_through
from tests.scored_systems import PAIRS, do_jobs, draw_few, predictions, relatedness_study, words_study

LINKS = "0-0 1-1 2-2 3-3 4-4\n0-0 1-1 4-4\n0-0 1-1 2-2 3-4\n"


def submitted(study: Study, data: bytes, filename: str = "system.csv", **more: object) -> Submission:
    """Submit a system and run its job."""
    submission = systems.submit_system(study, system="Mine", filename=filename, data=data, user=SYSTEM, **more)
    assert do_jobs(study) == ["done"]
    submission.refresh_from_db()
    return submission


def values(submission: Submission) -> dict[str, float]:
    return {measure["name"]: measure["value"] for measure in submission.measures}


# ── the four task types ───────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def shared_relatedness(share: Callable[..., Study]) -> Study:
    with pytest.MonkeyPatch.context() as patch:
        draw_few(patch)
        return share(lambda: relatedness_study(15))


@pytest.fixture
def relatedness(shared_relatedness: Study, db: None, monkeypatch: pytest.MonkeyPatch) -> Study:
    draw_few(monkeypatch)
    return Study.objects.get(pk=shared_relatedness.pk)


@pytest.mark.nightly
def test_predicted_scores_are_correlated_with_the_collected_ones(relatedness: Study) -> None:
    scores = dict(zip(*(report_on(relatedness).result["scores"][name] for name in ("key", "unit")), strict=True))
    mine = submitted(relatedness, predictions(relatedness))
    expected = scipy.stats.spearmanr(list(scores.values()), [int(key[1:]) for key in scores]).statistic
    assert values(mine)["Spearman’s ρ"] == pytest.approx(expected)
    assert mine.measures[0]["low"] < expected <= mine.measures[0]["high"]
    table, folds, _ = mine.result["tables"]  # 15 items are too few for a detectable difference
    assert [sum(row[1] for row in folds["rows"]), len(folds["rows"])] == [15, 5]
    assert [(row[0], row[1]) for row in table["rows"]] == [("fiction", 8), ("news", 7)]
    news = [key for key in scores if int(key[1:]) % 2]
    among = scipy.stats.spearmanr([scores[key] for key in news], [int(key[1:]) for key in news]).statistic
    assert table["rows"][1][2] == pytest.approx(among)


@pytest.mark.nightly
def test_dice_of_the_sentences_stands_beside_as_a_baseline(relatedness: Study) -> None:
    mine = submitted(relatedness, predictions(relatedness))
    baseline, ceiling = mine.result["baselines"]
    dice = []
    for item in relatedness.items.order_by("pk"):
        one, other = ({*item.content[name].split()} for name in ("sentence1", "sentence2"))
        dice.append(2 * len(one & other) / (len(one) + len(other)))
    scores = report_on(relatedness).result["scores"]["unit"]
    assert baseline["measures"][0]["value"] == pytest.approx(scipy.stats.spearmanr(scores, dice).statistic)
    assert [row.name for row in history(relatedness).baselines] == [baseline["name"], ceiling["name"]]


@pytest.mark.nightly
def test_the_noise_ceiling_is_that_of_the_judgements(relatedness: Study) -> None:
    mine = submitted(relatedness, predictions(relatedness))
    arrays = columns(study_data(relatedness))
    judgements = Judgements(arrays["items"], arrays["best"], arrays["worst"], 15, arrays["annotator"])
    expected = noise_ceiling(judgements, np.arange(15), seed=relatedness.seed).figures
    perfect = mine.result["baselines"][1]["measures"][0]
    assert (perfect["value"], perfect["low"]) == (expected["ceiling"]["value"], expected["ceiling"]["low"])
    assert values(mine)["ρ corrected for noise"] == pytest.approx(expected["corrected"]["value"])
    every, *groups = mine.result["tables"][2]["rows"]
    assert every[:3] == ["all items", 15, expected["reliability"]["value"]]
    assert [row[:3] for row in groups] == [["fiction", 8, None], ["news", 7, None]]  # too few items
    assert mine.result["notes"] == [CAUTION, RESTRICTED_RANGE]


@pytest.mark.nightly
def test_the_page_of_a_weak_system_states_the_smallest_detectable_difference(relatedness: Study) -> None:
    mine = submitted(relatedness, b"item,score\n" + "".join(f"p{n},{n * 7 % 15}\n" for n in range(15)).encode())
    ceiling = mine.result["baselines"][1]["measures"][0]["value"]
    expected = detectable_differences(15, values(mine)["Spearman’s ρ"], ceiling)
    assert [tuple(row) for row in mine.result["tables"][-1]["rows"]] == expected
    assert expected[2].difference is not None


@pytest.mark.nightly
def test_whether_two_predictors_differ_has_an_interval_and_p(relatedness: Study) -> None:
    good = submitted(relatedness, predictions(relatedness))
    bad = submitted(relatedness, predictions(relatedness, reverse=True))
    (difference,) = systems.compare_systems(good, bad)
    assert difference.value == pytest.approx(values(good)["Spearman’s ρ"] - values(bad)["Spearman’s ρ"])
    assert 0 < difference.low < difference.value <= difference.high
    assert difference.p < 0.01


@pytest.mark.nightly
@pytest.mark.django_db
def test_links_get_the_error_rate_and_phrase_pairs_of_the_numerics() -> None:
    study = words_study()
    mine = submitted(study, LINKS.encode(), "mine.pharaoh")
    gold = Alignment.of((i, i) for i in range(5))
    drawn = [
        Alignment.of(tuple(map(int, link.split("-"))) for link in line.split())  # type: ignore[misc]
        for line in LINKS.splitlines()
    ]
    words = word_scores((gold, each) for each in drawn).as_dict()["och_ney"]
    # A format without ids goes line by line with the pairs as they are asked, which is the order of pairs.tsv.
    asked = [PAIRS[int(ref.removeprefix("p"))] for ref in study.questions.order_by("pk").values_list("ref", flat=True)]
    phrases = phrase_scores((s.split(), t.split(), gold, each) for (s, t), each in zip(asked, drawn, strict=True))
    assert values(mine) == pytest.approx(
        {
            "AER": words["aer"],
            "Precision": 11 / 12,
            "Recall": 11 / 15,
            "Phrase F1": phrases["sure"]["f1"],
            "Phrase precision": phrases["sure"]["precision"],
            "Phrase recall": phrases["sure"]["recall"],
            # One annotator drew the five links of each pair, so the expected figures are those of this annotator.
            "Expected F1": 22 / 27,
            "Expected precision": 11 / 12,
            "Expected recall": 11 / 15,
        }
    )
    again = systems.compare_systems(mine, submitted(study, LINKS.encode(), "same.pharaoh"))
    assert {(row.value, row.p) for row in again} == {(0.0, 1.0)}


@pytest.mark.nightly
@pytest.mark.django_db
def test_chunks_get_the_four_official_figures() -> None:
    study = opened(chunk_study())
    answer_all(study)
    changed = WA.replace("// SIMI // 3", "// REL // 1").replace("4 <==> 3 4 //", "4 <==> 4 //")
    mine = submitted(study, changed.encode(), "mine.wa", parameters={"version": "2015"})
    official = ists_scores(parse_wa(WA).pairs, parse_wa(changed).pairs, version=2015).as_dict()
    names = {"f1_ali": "F1 Ali", "f1_type": "F1 Type", "f1_score": "F1 Score", "f1_typ_sco": "F1 Typ+Sco"}
    hard = {names[name]: value for name, value in official.items()}
    # There is one annotator, whose annotations are final, so the expected figures are the same.
    assert values(mine) == pytest.approx(hard | {f"Expected {name}": value for name, value in hard.items()})
    assert 0 < values(mine)["F1 Typ+Sco"] < values(mine)["F1 Ali"] < 1


@pytest.mark.nightly
@pytest.mark.django_db
def test_a_pair_that_a_system_leaves_out_counts_as_one_without_links() -> None:
    study = opened(chunk_study())
    answer_all(study)
    first = WA[: WA.index('<sentence id="2"')]
    mine = submitted(study, first.encode(), "mine.wa")
    expected = ists_scores(parse_wa(WA).pairs, parse_wa(first).pairs).as_dict()
    assert values(mine)["F1 Ali"] == pytest.approx(expected["f1_ali"])
    assert "Annotated pairs that are not in the file: 1." in mine.result["notes"][0]


@pytest.fixture
def paraphrases(db: None) -> Study:
    """In the domain “shops”, “branch” is good, and in the domain “farms”, “slope” is good."""
    study = paraphrase_study(judgements=1, gold_block=0, quality=0)
    yes = {
        f"{domain}-{phrase}": [f"{phrase} {word}"]
        for domain, word in (("shop", "branch"), ("farm", "slope"))
        for phrase in ("bank", "post", "mill")
    }
    work_through(make_annotator(study), yes)
    return study


LISTED = """\
phrase,paraphrase,domain
bank,Bank  Branch,shop
bank,bank slope,shop
post,post branch,
mill,mill wheel,farm
"""


@pytest.mark.nightly
def test_a_list_of_paraphrases_is_scored_by_domain(paraphrases: Study) -> None:
    mine = submitted(paraphrases, LISTED.encode(), parameters={"domain": "shop"})
    # By hand: of bank branch, bank slope and post branch the first and the last are good; mill branch is missed.
    assert values(mine) == pytest.approx({"F1": 2 / 3, "Precision": 2 / 3, "Recall": 2 / 3, "Coverage": 1.0})
    both = submitted(paraphrases, LISTED.encode())
    # post branch is bad on farms, where three slopes are good, and nobody has judged a mill wheel.
    assert values(both) == pytest.approx({"F1": 4 / 10, "Precision": 2 / 4, "Recall": 2 / 6, "Coverage": 4 / 5})
    assert [table["title"] for table in both.result["tables"]][-1] == "Good in one domain and bad in another"
    # With scores, the first and the last of three pairs are good: 1 · 1/3 + 2/3 · 1/3 of the three good pairs.
    scored = [f"{line},{score}" for line, score in zip(LISTED.splitlines(), ("score", 3, 2, 1, 0), strict=True)]
    table = submitted(paraphrases, "\n".join(scored).encode(), parameters={"domain": "shop"}).result["tables"][-1]
    assert table["title"] == "Thresholds for the scores"
    assert table["rows"][0][:3] == ["shop", 3, pytest.approx(5 / 9)]


@pytest.mark.nightly
def test_one_domain_has_the_figures_of_the_command_line(paraphrases: Study) -> None:
    labels = {
        "shop": {
            (f"{p}", f"{p} {word}"): "good" if word == "branch" else "bad"
            for p in ("bank", "post", "mill")
            for word in ("branch", "slope", "lender")
        }
    }
    listed = {"shop": {("bank", "bank branch"), ("bank", "bank slope"), ("post", "post branch")}}
    expected = table_scores(labels, listed, resamples=1_000, seed=1)["domains"]["shop"]
    mine = submitted(paraphrases, LISTED.encode(), parameters={"domain": "shop"})
    for measure in mine.measures[:3]:
        of = expected[measure["name"].lower()]
        assert [measure[key] for key in ("value", "low", "high")] == pytest.approx(
            [of[key] for key in ("value", "low", "high")]
        )


@pytest.mark.nightly
def test_lists_with_different_settings_are_not_compared(paraphrases: Study) -> None:
    one = submitted(paraphrases, LISTED.encode(), parameters={"domain": "shop"})
    other = submitted(paraphrases, LISTED.encode(), parameters={"domain": "farm"})
    with pytest.raises(Refused, match="different settings"):
        systems.compare_systems(one, other)
    none = submitted(paraphrases, b"phrase,paraphrase\nbank,bank lender\n", parameters={"domain": "shop"})
    f1 = systems.compare_systems(one, none)[0]
    assert f1.value == pytest.approx(2 / 3)


# ── rejected requests ─────────────────────────────────────────────────────────────────────────────────────────
def refusal_of(study: Study, data: bytes, filename: str, **more: object) -> Refused:
    with pytest.raises(Refused) as refusal:
        systems.submit_system(study, system="Mine", filename=filename, data=data, user=SYSTEM, **more)
    assert not Submission.objects.exists()
    assert not study.jobs.exists()
    return refusal.value


def test_an_item_without_a_prediction_is_named_and_nothing_is_kept(relatedness: Study) -> None:
    refusal = refusal_of(relatedness, predictions(relatedness, without=2), "scores.csv")
    assert [text.split()[0] for text in refusal.fields["file"]] == ["p0", "p1"]


def test_every_fault_of_a_file_is_told_by_its_line(relatedness: Study) -> None:
    broken = predictions(relatedness).replace(b"p1,1\n", b"p1,much\n").replace(b"p3,3\n", b"p3,nan\n")
    refusal = refusal_of(relatedness, broken, "scores.csv")
    assert [text.split(",")[0] for text in refusal.fields["file"]] == ["line 3", "line 5"]


@pytest.mark.nightly
@pytest.mark.django_db
def test_a_link_outside_its_sentence_is_told() -> None:
    study = words_study()
    refusal = refusal_of(study, LINKS.replace("3-4", "3-9").encode(), "x.pharaoh")
    assert refusal.fields["file"] == ["line 3: link 3-9: the target sentence has no token 9, only tokens 0 to 4"]


@pytest.mark.django_db
def test_a_broken_wa_file_is_told_by_its_line() -> None:
    study = opened(chunk_study())
    answer_all(study)
    broken = WA.replace("// SIMI // 3", "// SAME // 3")
    line = 1 + broken[: broken.index("SAME")].count("\n")
    assert refusal_of(study, broken.encode(), "x.wa").fields["file"][0].startswith(f"line {line}")


def test_a_domain_that_the_study_does_not_have_is_told(paraphrases: Study) -> None:
    refusal = refusal_of(paraphrases, LISTED.replace("farm", "ship").encode(), "list.csv")
    assert refusal.fields["file"][0].startswith("line 5, column domain: the domain “ship” has no labels")
    refusal = refusal_of(paraphrases, LISTED.encode(), "list.csv", parameters={"domain": "ship"})
    assert "no domain “ship”" in refusal.fields["file"][0]


@pytest.mark.django_db
def test_before_anything_is_judged_there_is_nothing_to_score_against() -> None:
    assert "no item of the study has a score yet" in str(refusal_of(make_study(), b"item,score\ni0,1\n", "s.csv"))
    assert refusal_of(make_study(state="draft"), b"item,score\ni0,1\n", "s.csv").code == "draft"


# ── jobs and stored data ──────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.nightly
def test_a_score_is_computed_once_however_often_the_job_is_run(relatedness: Study) -> None:
    mine = submitted(relatedness, predictions(relatedness))
    job = relatedness.jobs.get(kind=mine.job_kind)
    jobs.run(job.pk)
    job.refresh_from_db()
    assert job.attempts == 1
    scored_at = mine.scored_at
    mine.refresh_from_db()
    assert mine.scored_at == scored_at


@pytest.mark.nightly
def test_two_systems_wait_beside_each_other_and_one_only_once(relatedness: Study) -> None:
    for name in ("One", "Other"):
        systems.submit_system(relatedness, system=name, filename="s.csv", data=predictions(relatedness), user=SYSTEM)
    one = Submission.objects.get(number=1)
    first = relatedness.jobs.get(kind=one.job_kind)
    assert systems.score_again(one, user=SYSTEM) == first
    assert do_jobs(relatedness) == ["done", "done"]
    assert [row.submission.number for row in history(relatedness).rows] == [2, 1]


@pytest.mark.nightly
def test_the_file_is_kept_as_it_came(relatedness: Study) -> None:
    data = predictions(relatedness) + b"\n"
    assert systems.file_of(submitted(relatedness, data)) == data


@pytest.mark.nightly
def test_a_score_names_the_report_on_the_same_annotations_and_is_stale_on_others(relatedness: Study) -> None:
    report = report_on(relatedness)
    before = submitted(relatedness, predictions(relatedness))
    assert report_on_same(before) == report
    item = relatedness.participations.first().assignments.filter(state="done").first()
    item.state = "void"
    type(item).objects.filter(pk=item.pk).update(state="void")
    after = submitted(relatedness, predictions(relatedness))
    assert report_on_same(after) is None
    assert {row.submission.number: row.stale for row in history(relatedness).rows} == {1: True, 2: False}
    systems.score_again(before, user=SYSTEM)
    do_jobs(relatedness)
    assert not any(row.stale for row in history(relatedness).rows)


@pytest.mark.nightly
def test_the_seed_makes_the_same_digits(relatedness: Study) -> None:
    one, other = (submitted(relatedness, predictions(relatedness)) for _ in range(2))
    assert one.result == other.result


def test_a_file_is_checked_without_resampling(relatedness: Study) -> None:
    asked = {"name": "s.csv", "seed": 1, "resamples": 0, "by": "source"}
    found = tasktypes.get("bws").systems.evaluate(study_data(relatedness), predictions(relatedness), asked)
    assert found.measures[0].low is None
    assert found.measures[0].value > 0.5


@pytest.mark.django_db
def test_a_kind_of_job_that_no_application_has_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    study = make_study()
    with pytest.raises(Refused, match="Accord has no jobs of kind “bake"):
        jobs.request_job(study, "bake:3", user=SYSTEM)
    baked = []
    bakery = extensions.Extension(
        jobs={"bake": extensions.Work(lambda job, progress: baked.append(job.parameters["work"]), Action.REVIEW)}
    )
    monkeypatch.setitem(extensions._registry, "bakery", bakery)
    jobs.request_job(study, "bake:3", user=SYSTEM)
    assert do_jobs(study) == ["done"]
    assert baked == ["bake:3"]
