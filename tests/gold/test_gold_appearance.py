"""The design check that compares what annotators can see of gold questions and of other questions."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import ks_2samp, mannwhitneyu

from accord_core.numerics.gold_appearance import auc, differences, distance
from annotate import tasktypes
from annotate.core.services.gold_sets import deal_gold
from annotate.gold.selectors.appearance import gold_appearance
from annotate.models import Item, Study
from tests.console_study import browser_of, page_of
from tests.factories import make_study
from tests.layout_study import PLAIN
from tests.markup import markup

CONTEXT = {"sentence": "The bank is open.", "start": 4, "end": 8, "phrase": "bank", "paraphrases": ["shore", "lender"]}
WORDS = {"source": ["a", "b", "c"], "target": ["d"], "prealignment": {"sure": [[0, 0]], "possible": [[1, 0]]}}
CHUNKS = {"source": ["a", "b"], "target": ["d"], "chunks": {"source": [[0], [1]], "target": [[0]]}, "links": [{}]}


@pytest.mark.parametrize(
    ("slug", "payload", "items", "expected"),
    [
        (
            "bws",
            {"items": ["x", "y"]},
            {"x": {"text": "four"}, "y": {"sentence1": "ab", "sentence2": "c"}},
            [2, 7, 3, 4],
        ),
        ("paraphrase", {"content": CONTEXT}, {}, [2, 5.5, 4, 17]),
        ("words", WORDS, {}, [3, 1, 0.5]),
        ("chunks", CHUNKS, {}, [2, 1, 3, 1]),
        ("layout", {"item": "x"}, {"x": {"text": "four", "place": "Rome!"}}, [4, 5]),
    ],
)
def test_each_task_type_names_what_annotators_see_of_a_question(
    slug: str, payload: Any, items: Any, expected: list[float]
) -> None:
    task = tasktypes.get(slug)
    options = task.clean_options({"layout": PLAIN} if slug == "layout" else {})
    features = task.features(payload, task.shuffle(payload, np.random.default_rng(1)), items, options)
    assert sorted(features.values()) == sorted(expected)


def test_the_distance_and_the_auc_are_those_of_scipy() -> None:
    generator = np.random.default_rng(1)
    for size in (3, 30, 200):
        one, other = np.sort(generator.poisson(3, size)), np.sort(generator.poisson(4, 150))
        assert distance(one, other) == pytest.approx(ks_2samp(one, other).statistic)
        assert auc(one, other) == pytest.approx(mannwhitneyu(one, other).statistic / size / 150)


@pytest.mark.parametrize("gold", [3, 10, 40, 300])
def test_equal_distributions_seldom_cause_a_warning(gold: int) -> None:
    generator, warnings = np.random.default_rng(1), 0
    for _ in range(400):
        both = [{"a": generator.normal(size=n), "b": generator.poisson(3, n), "c": np.ones(n)} for n in (gold, 500)]
        warnings += bool(differences(*both))
    assert warnings <= 8  # of 400, at a level of 1%


def test_a_shift_and_a_lack_of_variation_cause_a_warning() -> None:
    generator = np.random.default_rng(1)
    others = {"shifted": generator.poisson(4, 400), "constant": generator.poisson(9, 400), "same": np.ones(400)}
    gold = {"shifted": generator.poisson(9, 20), "constant": np.full(20, 9), "same": np.ones(20)}
    shifted, constant = differences(gold, others)
    assert (shifted.feature, constant.feature) == ("shifted", "constant")
    assert shifted.auc > 0.8
    assert constant.auc == pytest.approx(0.5, abs=0.1)
    assert constant.gold == (9, 9, 9)


@pytest.mark.django_db
def test_the_check_is_part_of_the_design_page_and_the_api() -> None:
    study = make_study(items=100, gold=30, state="draft", hits_per_annotator=2)
    Item.objects.filter(study=study).update(content={"text": "All texts have the same length."})
    same = gold_appearance(study)
    assert same is not None
    assert (same.state, same.value) == ("ok", "alike")
    Item.objects.filter(study=study, held_out=True).update(content={"text": "A much longer text. " * 9})
    different = gold_appearance(study)
    assert different is not None
    assert different.state == "advice"
    assert "characters (720 instead of 124 on average" in different.detail
    assert "AUC 1.00" in different.detail
    client = browser_of(study)
    page = markup(client.get(page_of(study, "design/")))
    assert different.name in page
    assert "with a recommendation." in markup(client.get(page_of(study)))
    assert "AUC 1.00" in page
    checks = client.get(f"/api/v1/studies/{study.public_id}/design").json()["result"]["checks"]
    assert [check for check in checks if check["name"] == different.name] == [vars(different)]


@pytest.mark.nightly
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("items", "own_items", "differs"),
    [
        (60, False, False),  # annotators know all items after a few HITs
        (60, True, True),
        (400, False, True),  # the items of most questions are new
        (400, True, False),
    ],
)
def test_the_check_compares_how_often_annotators_see_the_items(items: int, own_items: bool, differs: bool) -> None:
    study = make_study(items=items, gold=40, state="draft")  # HITs share gold sets
    keys = list(study.items.filter(held_out=False).order_by("pk").values_list("key", flat=True))
    for number, question in enumerate(study.questions.filter(kind="gold").order_by("pk")):
        drawn = np.random.default_rng(number).choice(keys, 4, replace=False).tolist()
        question.payload = {"items": [f"own-{number}-{place}" for place in range(4)] if own_items else drawn}
        question.save()
    Item.objects.filter(study=study).update(content={"text": "Same length."})
    add_own_items(study, 40)
    deal_gold(study)
    check = gold_appearance(study)
    assert check is not None
    assert ("items from earlier HITs, relative to other questions (" in check.detail) == differs
    assert "items in other questions of the HIT (" not in check.detail


def add_own_items(study: Study, questions: int) -> None:
    upload = study.uploads.first()
    Item.objects.bulk_create(
        Item(
            study=study,
            upload=upload,
            key=f"own-{number}-{place}",
            content={"text": "Same length."},
            held_out=True,
        )
        for number in range(questions)
        for place in range(4)
    )


@pytest.mark.django_db
def test_a_study_without_a_design_or_without_gold_questions_has_no_check() -> None:
    assert gold_appearance(make_study(items=8, gold=3, state="draft", design=False)) is None
    assert gold_appearance(make_study(items=8, state="draft")) is None
