"""Tests of the texts of best–worst scaling in the console: the headline, the warnings about annotators, and answers in
words.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.bws.numerics.scoring import Judgements
from annotate.models import Report
from bws.annotator_model import AnnotatorModel
from bws.console.items import rows_of
from bws.headline import headline
from bws.people import annotator_figures
from bws.tasktype import BestWorstScaling
from tests.console_study import browser_of, collected, page_of, report_on

TASK = BestWorstScaling()
PAYLOAD = {"items": ["a", "b", "c", "d"]}


def figures_of(best_places: list[int], worst_places: list[int]) -> dict:
    """Return the row of one annotator who chose these positions in the same number of questions on items 0 to 3."""
    best, worst = np.array(best_places), np.array(worst_places)
    items = np.tile(np.arange(4), (len(best), 1))
    who = np.zeros(len(best), dtype=np.int64)
    columns = {
        "annotator": who,
        "seconds": np.full(len(best), 5.0),
        "best_place": best,
        "worst_place": worst,
        "gold_annotator": np.array([0, 0]),
        "gold_passed": np.array([1, 0]),
    }
    judgements = Judgements(items, best, worst, 4, who)
    (row,) = annotator_figures(columns, judgements, ["one"], seed=1, model=AnnotatorModel(judgements, 1))
    return row.as_json()


def test_who_always_chooses_one_place_is_flagged_with_the_counts() -> None:
    row = figures_of([1] * 40, [3] * 40)
    assert row["places"] == [0, 40, 0, 0]
    assert row["flag"]["title"] == "Position bias"
    assert row["flag"]["detail"].startswith(
        "The best item was at position 2 in 40 of 40 answers. By chance alone, the best item would be at this "
        "position in about 10 answers (χ² = 440.0"
    )
    assert row["flag"]["detail"].endswith("11 df, p < .001).")
    assert (row["gold_given"], row["gold_right"]) == (2, 1)


def test_who_chooses_every_place_is_not_flagged() -> None:
    places = [(best, worst) for best in range(4) for worst in range(4) if best != worst] * 4
    row = figures_of(*(list(side) for side in zip(*places, strict=True)))
    assert row["flag"] is None
    assert row["places_note"] == "χ² = 0.0, p = 1.000, with a cautious significance level"


def test_too_few_answers_to_tell_are_no_flag() -> None:
    row = figures_of([1, 1], [3, 3])
    assert (row["flag"], row["position_bias_p"]) == (None, None)
    assert row["places_note"] == "Too few answers for a test"


@pytest.mark.nightly
@pytest.mark.django_db
def test_the_headline_has_both_ways_of_splitting_and_the_bracket_of_the_forecasts() -> None:
    result = report_on(collected(items=16, annotators=4)).result
    found, reliability = result["headline"], result["reliability"]
    assert {end["name"]: end["value"] for end in found["ends"]} == {
        f"{name}_of_all": 2 * half / (1 + half)
        for name in ("whole", "within")
        if (half := reliability[name]["spearman"]["mean"])
    }
    assert found["target"] == 0.85
    assert found["name"] == TASK.reports.headline

    interval = reliability["whole"]["interval"] | {"spearman": {"low": 0.81, "high": 0.89}}
    precise = headline(reliability | {"whole": reliability["whole"] | {"interval": interval}})
    assert precise.needed == tuple(sorted(reliability["forecast"][name] for name in ("whole", "within")))
    assert "is .895–.942" in precise.doubt  # the interval also describes all judgements: 2 · .81/1.81, 2 · .89/1.89


@pytest.mark.parametrize(("low", "high", "rough"), [(0.55, 0.9, True), (None, None, True), (0.7, 0.9, False)])
def test_a_study_with_few_judgements_has_no_forecast(low: float | None, high: float | None, rough: bool) -> None:
    half = {"spearman": {"mean": 0.8, "sd": 0.1}, "same_annotators": {"low": None, "high": None}}
    interval = {"spearman": {"low": low, "high": high}, "generalises_to": "tuples"}
    forecast = {"target": 0.85, "within": 40, "whole": 50, "within_of_all": 0.9, "whole_of_all": 0.89}
    found = headline({"within": half, "whole": half | {"interval": interval}, "forecast": forecast})
    assert (found.needed is None) == rough
    assert found.doubt.startswith("These figures are only rough estimates") == rough


def test_a_headline_without_figures_says_so() -> None:
    interval = {"spearman": {"low": None, "high": None}}
    half = {"spearman": {"mean": None, "sd": None}, "interval": interval, "same_annotators": None}
    forecast = {"target": 0.85, "within": None, "whole": None, "within_of_all": None, "whole_of_all": None}
    found = headline({"within": half, "whole": half, "forecast": forecast})
    assert [end.value for end in found.ends] == [None, None]
    assert found.needed is None
    assert found.doubt == "These figures are only rough estimates."


FEW = "too few to trust the intervals: 40 questions instead of at least 200"


@pytest.mark.nightly
@pytest.mark.django_db
def test_a_report_marks_items_whose_standard_error_is_unknown() -> None:
    study = collected(items=8, annotators=2)
    scores = report_on(study).result["scores"]
    one_tuple_identical_known = [None, 0.0, 0.2, *scores["standard_error"][3:]]
    rows = rows_of(study, scores | {"standard_error": one_tuple_identical_known}, [0, 1, 2])
    assert [(row["error"], row["unknown"]) for row in rows] == [(None, True), (None, True), (0.1, False)]


@pytest.mark.django_db
def test_a_report_does_not_conclude_from_an_interval_that_is_not_trustworthy() -> None:
    study = collected(items=16, annotators=4)
    report = report_on(study)
    within, whole = (report.result["reliability"][name] for name in ("within", "whole"))
    whole["interval"] |= {"spearman": {"low": 0.3679, "high": 0.9194}, "caution": FEW}
    headline_of = report.result["headline"]
    headline_of["ends"] = [
        end | {"value": value} for end, value in zip(headline_of["ends"], (0.926, 0.990), strict=True)
    ]
    needed = {"whole": 73, "whole_of_all": 0.926, "within_of_all": 0.990}
    report.result["reliability"]["forecast"] |= needed
    within["annotations"] = 64
    browser = browser_of(study)

    def page() -> str:
        report.pk, report.number = None, report.number + 1
        report.public_id = Report._meta.get_field("public_id").get_default()
        report.save(force_insert=True)
        return " ".join(browser.get(page_of(study, f"results/{report.number}/")).content.decode().split())

    said = (
        "reliability .926–.990: it reaches the usual target of .85, "
        "but 40 questions are too few for a reliable interval."
    )
    first = page()
    assert said in first
    assert "95% interval of the lower value" not in first, "it is too wide"
    assert "The additional judgements" in first

    within["annotations"] = 73
    whole["interval"] |= {"caution": f"{FEW} and 5 annotators instead of at least 20"}
    second = page()
    assert "but 40 questions and 5 annotators are too few for a reliable interval." in second
    assert "additional judgements" not in second, "the target is reached"

    # Without a third annotator, the interval is only for other tuples, and its caution does not name the annotators.
    both = whole["interval"]
    whole["interval"] = both | {"generalises_to": "tuples", "annotators": 2, "caution": FEW}
    assert "but 40 questions and 2 annotators are too few for a reliable interval." in page()
    whole["interval"] = both | {"generalises_to": "tuples", "annotators": 1, "caution": ""}
    assert "but 1 annotator is too few for a reliable interval." in page()
    whole["interval"] = both

    del whole["interval"]["caution"]
    assert (
        "probably enough to rank, because both estimates reach the usual target of .85. The 95% interval begins"
        in page()
    )


@given(st.permutations("abcd"))
def test_an_answer_is_told_by_places_in_the_question_and_marked_at_its_items(keys: list[str]) -> None:
    value = {"best": keys[0], "worst": keys[1]}
    places = {key: place for place, key in enumerate("abcd", start=1)}
    assert TASK.in_words(PAYLOAD, [], value, {}) == f"best {places[keys[0]]}, worst {places[keys[1]]}"
    assert [(mark.item, mark.label) for mark in TASK.marks(PAYLOAD, value, {})] == [
        (keys[0], "best"),
        (keys[1], "worst"),
    ]
