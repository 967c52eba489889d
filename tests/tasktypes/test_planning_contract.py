"""The plans of all task types: their labels, fields and usual values agree with the simulated studies."""

from __future__ import annotations

import pytest

from accord_core.numerics.planning import forecast
from annotate import tasktypes
from annotate.tasktypes import PlanInput, Planning
from annotate.tasktypes.options import clean_options

PLANNINGS = {task.slug: task.planning for task in tasktypes.installed() if task.planning}


def plan_of(planning: Planning, items: int = 12) -> PlanInput:
    return PlanInput(items, clean_options(planning.design, {}), annotators=8)


def test_the_four_kinds_of_studies_have_plans_and_layouts_have_none() -> None:
    assert set(PLANNINGS) == {"bws", "paraphrase", "words", "chunks"}
    assert tasktypes.get("layout").planning is None


@pytest.mark.parametrize("slug", PLANNINGS)
def test_labels_and_fields_agree_with_the_model(slug: str) -> None:
    planning = PLANNINGS[slug]
    model = planning.model(plan_of(planning))
    assert list(planning.figures) == list(model.figures)
    assert model.target_figure in planning.figures
    assert list(planning.labels) == [each.name for each in model.assumptions]
    assert planning.alternatives.keys() <= {option.name for option in planning.design}


@pytest.mark.parametrize("slug", PLANNINGS)
def test_the_usual_values_are_the_defaults_of_the_model(slug: str) -> None:
    planning = PLANNINGS[slug]
    for stated, assumed in zip(planning.assumptions, planning.model(plan_of(planning)).assumptions, strict=True):
        assert assumed.low == assumed.high
        assert stated.usual in (assumed.low, None)
        assert stated.smallest <= assumed.low <= stated.largest


@pytest.mark.parametrize("slug", PLANNINGS)
def test_stated_ranges_reach_the_model(slug: str) -> None:
    planning = PLANNINGS[slug]
    plan = PlanInput(12, plan_of(planning).design, annotators=8, assumptions={"careless": (0.2, 0.3)}, caught=0.5)
    model = planning.model(plan)
    assert [(each.low, each.high) for each in model.assumptions if each.name == "careless"] == [(0.2, 0.3)]
    level = planning.fewest
    assert forecast(model, [level], studies=4).levels[0].answers == level


@pytest.mark.parametrize("slug", PLANNINGS)
def test_a_study_of_one_item_cannot_be_planned(slug: str) -> None:
    planning = PLANNINGS[slug]
    with pytest.raises(ValueError, match=r"\b1\b|one"):
        planning.model(plan_of(planning, 1))


def test_defaults_come_from_the_items_and_the_options() -> None:
    assert PLANNINGS["bws"].questions(PlanInput(100, {"size": 4, "factor": 1.5})) == 150
    defaults = PLANNINGS["bws"].defaults
    assert defaults is not None
    assert defaults([], {"size": 5, "factor": 3.0, "most": "best"}) == {"size": 5, "factor": 3.0}
    candidates = PLANNINGS["paraphrase"].defaults
    assert candidates is not None
    items = [
        tasktypes.ItemDraft("a", {"paraphrases": ["x", "y", "z"]}),
        tasktypes.ItemDraft("b", {"paraphrases": ["x"]}),
    ]
    assert candidates(items, {}) == {"possible_labels": 2, "labels_per_question": 2.0}
