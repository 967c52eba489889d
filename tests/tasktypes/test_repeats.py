"""Reports of all task types state how often annotators give the same answer to a repeated question."""

from itertools import product

import numpy as np
import pytest

from accord_core.numerics.group_agreement import f1_of_sums
from annotate import tasktypes
from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.models import Answer, Report, Study
from annotate.questions.selectors.data import study_data
from annotate.results.services import make_report, recompute
from annotate.studies.services.settings import change_settings
from annotate.tasktypes import AnswerAgreement
from annotate.tasktypes.repeats import _figures as repeat_figures
from releases.contents.raw import raw_files
from releases.contents.raw import study_data as released_data
from tests.factories import make_study
from tests.layout_study import layout_study
from tests.paraphrasing import item_rows, paraphrase_study
from tests.rules.test_no_oracle import chunk_study
from tests.word_study import word_study

pytestmark = pytest.mark.django_db
WORDS = ("bank", "post", "mill", "pond", "gate", "hill", "lane", "yard")
STUDIES = {
    "bws": (lambda: make_study(items=30, judgements=2), {"best", "worst"}),
    "paraphrase": (lambda: paraphrase_study(rows=item_rows(WORDS)), {"raw", "kappa"}),
    "words": (lambda: word_study(questions_per_hit=1), {"f1"}),
    "chunks": (lambda: chunk_study("links"), {"f1"}),
    "layouts": (lambda: layout_study(judgements=2, questions_per_hit=1), {"similarity"}),
}
FAST = ("paraphrase",)


def answered(kind: str) -> Study:
    make, _figures = STUDIES[kind]
    study, annotators = make(), 2 if kind == "chunks" else 6  # two annotators share the few HITs of chunks
    change_settings(study.pk, repeat_share="0.25", repeat_after_hits=1, user=SYSTEM)
    simulate(study, annotators=annotators, careless=0.4, seed=2, user=SYSTEM)
    return Study.objects.get(pk=study.pk)


def report_on(study: Study) -> Report:
    return make_report(
        study.pk, kind=tasktypes.RESULTS, parameters={}, user=SYSTEM, progress=lambda share, message: None
    )


def pairs_of(study: Study) -> list[tuple[Answer, Answer]]:
    """Return the first and the second answer to each repeated question, straight from the tables."""
    second = Answer.objects.filter(participation__study=study, replaces__isnull=False, assignment__state="done")
    counting = Answer.objects.counting()
    return [
        (first, each)
        for each in second.select_related("question", "participation")
        for first in counting.filter(participation=each.participation, question=each.question)
    ]


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[] if kind in FAST else [pytest.mark.nightly]) for kind in STUDIES]
)
def test_a_report_has_the_agreement_of_annotators_with_themselves(kind: str) -> None:
    study = answered(kind)
    report = report_on(study)
    figures, pairs = report.result["repeats"], pairs_of(study)
    assert pairs
    assert (figures["questions"], figures["annotators"]) == (
        len(pairs),
        len({each.participation_id for _first, each in pairs}),
    )
    task = tasktypes.get(study.task_type)
    assert figures["same"] == sum(task.agreed([first.value, each.value]) is not None for first, each in pairs)
    assert figures["share"]["low"] <= figures["share"]["value"] <= figures["share"]["high"]
    assert {each["name"] for each in figures["figures"]} == STUDIES[kind][1]
    for each in figures["figures"]:
        assert each["low"] is None or (each["name"] == "kappa" or each["low"] >= 0)
    assert recompute(report) == report.result
    released = released_data(raw_files(study_data(study)))
    columns = tasktypes.report_columns(task, released)
    again = tasktypes.report_result(task, "results", columns, {}, report.seed, lambda share, message: None)
    assert again["repeats"] == figures, "a release contains everything that the figures need"


@pytest.mark.nightly
def test_figures_of_best_worst_scaling_are_shares_of_equal_choices() -> None:
    study = answered("bws")
    figures, pairs = report_on(study).result["repeats"], pairs_of(study)
    for figure in figures["figures"]:
        same = [first.value[figure["name"]] == each.value[figure["name"]] for first, each in pairs]
        assert figure["value"] == pytest.approx(np.mean(same))
        others = []
        for first, each in pairs:
            values = Answer.objects.counting().filter(question=each.question).exclude(participation=each.participation)
            if values:
                others.append(np.mean([one.value[figure["name"]] == first.value[figure["name"]] for one in values]))
        assert figure["others"] == pytest.approx(np.mean(others))
    assert figures["median_days"] == pytest.approx(
        np.median([(each.given_at - first.given_at).total_seconds() / 86_400 for first, each in pairs])
    )


def test_figures_of_paraphrases_are_votes_on_candidates() -> None:
    study = answered("paraphrase")
    figures, pairs = report_on(study).result["repeats"], pairs_of(study)
    votes = [pair for first, each in pairs for pair in zip(first.value["votes"], each.value["votes"], strict=True)]
    raw = np.mean([one == other for one, other in votes])
    yes = [np.mean([pair[place] for pair in votes]) for place in (0, 1)]
    chance = sum(np.prod([share if vote else 1 - share for share in yes]) for vote in (0, 1))
    by_name = {figure["name"]: figure["value"] for figure in figures["figures"]}
    assert by_name["raw"] == pytest.approx(raw)
    assert by_name["kappa"] == pytest.approx((raw - chance) / (1 - chance))


@pytest.mark.nightly
def test_annotators_have_their_own_counts() -> None:
    study = answered("bws")
    rows = {person["pseudonym"]: person for person in report_on(study).result["people"]}
    for who in {each.participation.pseudonym for _first, each in pairs_of(study)}:
        own = [(first, each) for first, each in pairs_of(study) if each.participation.pseudonym == who]
        assert rows[who]["repeated"] == len(own)
        assert rows[who]["repeated_same"] == sum(first.value == each.value for first, each in own)


@pytest.mark.nightly
def test_a_report_without_repeated_questions_says_nothing_about_them() -> None:
    study = make_study(items=30)
    simulate(study, annotators=3, careless=0.0, seed=2, user=SYSTEM)
    report = report_on(study)
    assert "repeats" not in report.result
    assert not [person for person, name in product(report.result["people"], ("repeated",)) if name in person]
    assert report.columns_sha256  # the stored columns are those of a study that has never heard of repeats
    assert set(tasktypes.get("bws").reports.columns(study_data(study))) == set(
        tasktypes.report_columns(tasktypes.get("bws"), study_data(study))
    )


@pytest.mark.nightly
def test_a_pair_counts_only_while_its_first_answer_counts() -> None:
    study = answered("bws")
    before = report_on(study).result["repeats"]["questions"]
    first, _second = pairs_of(study)[0]
    Answer.objects.filter(pk=first.pk).update(excluded="test")
    assert report_on(study).result["repeats"]["questions"] == before - 1


def test_an_interval_does_not_extend_below_the_least_value() -> None:
    """The two F1 values of 1 and 0 for three annotators would give an interval from −1."""
    counts = np.array([[1.0, 1, 1, 1], [0, 1, 0, 1], [0, 1, 0, 1]])
    columns = {
        "repeat_annotator": np.arange(3),
        "repeat_same": np.array([1, 0, 0]),
        "repeat_days": np.zeros(3),
        "repeat_counts": counts,
        "repeat_others_same": np.full(3, np.nan),
        "repeat_others_counts": np.full((3, 4), np.nan),
    }
    lows = [
        repeat_figures(AnswerAgreement({"f1": "F1"}, list, estimate=f1_of_sums, least=least), columns, 1)["figures"][0][
            "low"
        ]
        for least in ({"f1": -1.0}, {}, {"another figure": -1.0})
    ]
    assert lows[0] < 0
    assert lows[1:] == [0, 0]
