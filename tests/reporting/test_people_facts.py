"""Tests of the facts about annotators, training and the quality rule, which releases contain."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from annotate.core.permissions import SYSTEM
from annotate.core.services.claim import claim
from annotate.core.services.returns import withdraw
from annotate.core.services.standing import restore, stop, stop_by_rule, stop_unqualified
from annotate.core.services.submit import submit_and_claim
from annotate.gold.selectors.rule import current_rule, operating_figures
from annotate.models import Annotator, Participation, Study
from annotate.questions.selectors.data import study_data
from reporting.selectors.reported import people_facts
from tests.factories import answers_to, make_annotator, make_study

pytestmark = pytest.mark.django_db


def test_each_way_to_leave_a_study_is_counted_once() -> None:
    study = make_study(items=12, judgements=6, gold=12, practice=2)
    by_rule, by_researcher, unqualified, restored, withdrawn, _ = [
        make_annotator(study, standing=Participation.Standing.ACTIVE) for _ in range(6)
    ]
    stop_by_rule(by_rule, 0.1)
    stop(by_researcher.pk, reason="same answers", user=SYSTEM)
    stop_unqualified(unqualified, "not qualified: 0 of 2")
    stop(restored.pk, reason="by mistake", user=SYSTEM)
    restore(restored.pk, reason="by mistake", user=SYSTEM)
    withdraw(withdrawn.pk, keep_answers=False)
    make_annotator(study, platform=Annotator.Platform.SIMULATED)
    make_annotator(study, platform=Annotator.Platform.TRY)
    facts = people_facts(study, study_data(study))
    people = facts["people"]
    assert (people["joined"], people["simulated"]) == (7, 1)
    stops = people["stopped_by_rule"], people["stopped_by_researchers"], facts["training"]["not_qualified"]
    assert stops == (1, 1, 1)
    assert (people["withdrawn"], people["withdrawn_excluded"]) == (1, 1)
    assert people["platforms"] == {"simulated": 1, "web": 6}
    text = json.dumps(facts)
    named = study.participations.values_list("pseudonym", "annotator__external_id")
    assert [name for names in named for name in names if name and name in text] == []


def test_training_counts_who_finished_and_who_did_not_qualify() -> None:
    study = make_study(gold=4, practice=4, qualification_mark=Decimal("0.75"), qualification_tries=1)
    for right in (True, False):
        annotator = make_annotator(study)
        assignment = claim(annotator.pk).assignment
        assert assignment is not None
        submit_and_claim(annotator.pk, assignment.public_id, answers_to(assignment, right=right))
    make_annotator(study)  # has not begun
    assert people_facts(study, study_data(study))["training"] == {
        "practice_questions": 4,
        "practised": 2,
        "pass_mark": 0.75,
        "tries": 1,
        "not_qualified": 1,
    }


def test_the_quality_rule_has_the_figures_of_its_page() -> None:
    study = make_study(items=24, judgements=2, gold=12, rule_minimum=4)
    facts = people_facts(study, study_data(study))["quality_rule"]
    page = operating_figures(study, current_rule(study))
    for kind in page["annotators"]:
        if kind["name"] in facts:
            assert facts[kind["name"]] == {"accuracy": kind["accuracy"], "stopped": kind["stopped"]}
    assert facts["guesser"]["stopped"] > facts["careful"]["stopped"]
    Study.objects.filter(pk=study.pk).update(rule_threshold=0)
    assert people_facts(Study.objects.get(pk=study.pk), study_data(study))["quality_rule"] is None
