"""Tests of rule 8: random choices come from a stored seed, and the same input and versions always produce the same
digits.
"""

import numpy as np
import pytest

from accord_core.exchange.arrays import pack, unpack
from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.core.services.standing import stop
from annotate.data.services.design import build_design
from annotate.models import Report
from annotate.results.services import make_report, recompute
from annotate.server.refusals import Refused
from tests.factories import answers_to, do_hit, make_annotator, make_study, take

pytestmark = [pytest.mark.rules, pytest.mark.django_db]

SPLITS = {"splits": 20}


def quiet(share, message):
    assert 0 <= share <= 1
    assert message


def answered_study():
    study = make_study(judgements=2, gold=6)
    simulate(study, user=SYSTEM, annotators=3, seed=5)
    return study


def test_a_report_is_computed_again_from_its_own_input_to_the_last_digit():
    study = answered_study()
    made = make_report(study.pk, kind="results", parameters=SPLITS, user=SYSTEM, progress=quiet)
    kept = Report.objects.get(pk=made.pk)  # as the database gives it back
    assert kept.result["judgements"] > 0
    assert recompute(kept) == kept.result
    assert set(kept.versions) == {"python", "accord", "numpy", "scipy"}
    assert kept.seed == study.seed


@pytest.mark.nightly
def test_later_answers_do_not_change_an_earlier_report():
    study = answered_study()
    made = make_report(study.pk, kind="results", parameters=SPLITS, user=SYSTEM, progress=quiet)
    person = study.participations.order_by("pk").first()
    stop(person.pk, reason="careless", user=SYSTEM)
    kept = Report.objects.get(pk=made.pk)
    assert recompute(kept) == kept.result
    again = make_report(study.pk, kind="results", parameters=SPLITS, user=SYSTEM, progress=quiet)
    assert again.number == made.number + 1
    assert again.result["judgements"] < made.result["judgements"]


@pytest.mark.nightly
def test_the_same_answers_give_the_same_report_and_the_same_input():
    study = answered_study()
    first, second = (
        make_report(study.pk, kind="results", parameters=SPLITS, user=SYSTEM, progress=quiet) for _ in range(2)
    )
    assert first.result == second.result
    assert first.input_sha256 == second.input_sha256


def test_a_report_of_no_answers_can_be_computed_again_too():
    study = make_study()
    for kind in ("results", "progress"):
        made = make_report(study.pk, kind=kind, parameters={}, user=SYSTEM, progress=quiet)
        assert recompute(Report.objects.get(pk=made.pk)) == made.result
        assert made.result["judgements"] == 0


def test_input_that_was_tampered_with_is_detected():
    made = make_report(answered_study().pk, kind="progress", parameters={}, user=SYSTEM, progress=quiet)
    columns = unpack(bytes(made.input))
    columns["best"] = np.roll(columns["best"], 1)
    made.input = pack(columns)
    with pytest.raises(Refused, match="has changed since the report was calculated") as refused:
        recompute(made)
    assert refused.value.code == "damaged"


def test_a_design_report_says_that_it_was_not_computed_from_answers():
    with pytest.raises(Refused, match="was not calculated from answers"):
        recompute(make_study().design)


def test_packing_depends_on_the_columns_alone():
    columns = {"b": np.arange(5), "a": np.linspace(0, 1, 3), "text": np.frombuffer("é".encode(), dtype=np.uint8)}
    assert pack(columns) == pack(dict(reversed(columns.items())))
    assert {name: column.tolist() for name, column in unpack(pack(columns)).items()} == {
        name: column.tolist() for name, column in columns.items()
    }


def test_the_same_seed_and_items_give_the_same_questions():
    def questions(seed):
        study = make_study(seed=seed)
        rows = study.hits.order_by("number", "hit_questions__position")
        return list(rows.values_list("number", "hit_questions__question__payload"))

    assert questions(7) == questions(7)
    assert questions(7) != questions(8)


def test_building_a_design_again_gives_the_same_one():
    study = make_study(state="draft")
    before = list(study.questions.order_by("pk").values_list("ref", "payload"))
    build_design(study.pk, user=SYSTEM)
    assert list(study.questions.order_by("pk").values_list("ref", "payload")) == before
    assert study.reports.filter(kind="design").count() == 2, "the former report stays"


def test_gold_and_screen_order_come_from_the_seeds_of_study_and_participation():
    def shown(study_seed, own_seed):
        study = make_study(gold=8, seed=study_seed)
        mine = take(make_annotator(study, seed=own_seed))
        return list(mine.answers.order_by("position").values_list("question__ref", "shown"))

    assert shown(1, 2) == shown(1, 2)
    assert shown(1, 2) != shown(1, 3)
    assert shown(1, 2) != shown(4, 2)


def test_a_simulation_gives_the_same_judgements_again():
    def judgements():
        study = make_study(judgements=2, gold=6)
        outcome = simulate(study, user=SYSTEM, annotators=4, careless=0.5, seed=11)
        rows = study.assignments.filter(state="done").order_by("pk", "answers__position")
        return outcome, list(rows.values_list("answers__question__ref", "answers__value", "answers__seconds"))

    assert judgements() == judgements()


def test_what_stood_where_is_kept_with_each_answer():
    study = make_study()
    mine = take(make_annotator(study))
    do_hit(mine.participation)
    for answer, sent in zip(mine.answers.order_by("position"), answers_to(mine), strict=True):
        keys = answer.question.payload["items"]
        assert sorted(answer.shown) == [0, 1, 2, 3]
        assert answer.value["best"] == keys[answer.shown[sent.value["best"] - 1]]
