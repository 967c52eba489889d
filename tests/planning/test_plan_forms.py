"""Tests of the form on the page Plan: ranges of assumptions, and stored values that the form shows again."""

import pytest

from annotate.planning.forms import ASSUMPTION, initial_of
from annotate.tasktypes.plan_parameters import range_of

STORED = {"items": 100, "answers": [2, 4], "design": {}, "pilot": None}


@pytest.mark.parametrize("limits", [(0.1, 0.1), (0.05, 0.2), (0.00001, 0.00001), (0.00001, 0.00002), (0.1234567, 0.5)])
def test_the_form_accepts_each_range_that_it_shows(limits: tuple[float, float]) -> None:
    shown = initial_of(STORED | {"assumptions": {"careless": limits}})[ASSUMPTION + "careless"]
    assert range_of(shown, 0, 0.95) == limits


@pytest.mark.nightly
@pytest.mark.parametrize("text", ["0.2-0.1", "nan", "-0.1", "0.1-", "few", "1e-", "0.1-0.2-0.3", "inf"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"range such as|lower bound first"):
        range_of(text, 0, 0.95)
