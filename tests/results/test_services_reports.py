"""Tests of reports: their numbers, the calculation from stored columns, and the figures of a small study by hand."""

import pytest

from annotate.annotator.simulation import draw_truth, simulate
from annotate.core.permissions import SYSTEM
from annotate.models import Item
from annotate.results.services import make_report
from annotate.studies.services.study import open_study
from tests.factories import do_hit, make_annotator, make_study

pytestmark = pytest.mark.django_db


def report(study, kind="results", **parameters):
    return make_report(
        study.pk, kind=kind, parameters={"splits": 20} | parameters, user=SYSTEM, progress=lambda share, text: None
    )


def test_reports_are_numbered_by_study_and_kind():
    one, other = make_study(), make_study()
    assert [report(one).number, report(one).number, report(one, "progress").number, report(other).number] == [
        1,
        2,
        1,
        1,
    ]


@pytest.mark.nightly
def test_scores_are_counted_from_the_answers_that_count():
    study = make_study(judgements=2, gold=6)
    simulate(study, user=SYSTEM, annotators=3, seed=2)
    result = report(study).result
    keys = result["scores"]["key"]
    best, worst, shown = (dict.fromkeys(keys, 0) for _ in range(3))
    for assignment in study.assignments.filter(state="done"):
        for answer in assignment.answers.filter(question__kind="regular").select_related("question"):
            best[answer.value["best"]] += 1
            worst[answer.value["worst"]] += 1
            for key in answer.question.payload["items"]:
                shown[key] += 1
    assert result["judgements"] == sum(best.values()) == 32
    assert dict(zip(keys, result["scores"]["score"], strict=True)) == pytest.approx(
        {key: (best[key] - worst[key]) / shown[key] for key in keys}, abs=1e-6
    )
    assert result["scores"]["unit"] == pytest.approx([(s + 1) / 2 for s in result["scores"]["score"]], abs=1e-6)
    assert sum(result["positions"]["best"]) == 32


@pytest.mark.nightly
def test_scores_follow_the_truth_of_simulated_annotators():
    study = make_study(items=40, judgements=2)
    truth = draw_truth(study, 4)
    simulate(study, user=SYSTEM, annotators=4, seed=4)
    scores = report(study).result["scores"]
    ranked = sorted(truth, key=truth.get)
    found = dict(zip(scores["key"], scores["score"], strict=True))
    assert sum(found[key] for key in ranked[:10]) < -2
    assert sum(found[key] for key in ranked[-10:]) > 2


@pytest.mark.nightly
def test_gold_accuracy_is_told_by_annotator_and_by_question():
    study = make_study(items=40, gold=6)
    good, bad = make_annotator(study), make_annotator(study)
    for ann, right in ((good, True), (bad, False)):
        do_hit(ann, right=right)
        do_hit(ann, right=right)
    result = report(study).result
    people = {row["pseudonym"]: (row["gold_right"], row["gold_given"]) for row in result["people"]}
    assert people == {good.pseudonym: (2, 2), bad.pseudonym: (0, 2)}
    assert sum(row["given"] for row in result["gold"]) == 4
    assert sum(row["right"] for row in result["gold"]) == 2


@pytest.mark.nightly
def test_groups_are_summarised_by_metadata():
    study = make_study(items=40, state="draft")
    Item.objects.filter(study=study).update(metadata={"source": "news"})
    half = study.items.order_by("pk").values_list("pk", flat=True)[:20]
    Item.objects.filter(pk__in=list(half)).update(metadata={"source": "forum"})
    open_study(study.pk, user=study.members.get())
    simulate(study, user=SYSTEM, annotators=2, seed=2)
    groups = report(study).result["groups"]["source"]
    assert [(row["group"], row["items"], len(row["quantiles"])) for row in groups] == [
        ("forum", 20, 5),
        ("news", 20, 5),
    ]
