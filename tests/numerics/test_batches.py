"""Tests of fixed batches: their composition, the labels that can be published, and attacks by differences."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.numerics.batches import deal_batches, publishable, published_agreement
from accord_core.numerics.grouped import agreement_by_group
from accord_core.numerics.labels import Labels
from bench.group_batches import FIXED_BATCHES, REPORT_BY_REPORT, differences, given_away

QUESTIONS = 40


def labelled(people: int, *, wrong: float = 0.3, seed: int = 1) -> Labels:
    """Return labels by people who answer all questions."""
    generator = np.random.default_rng(seed)
    truth = generator.random(QUESTIONS) < 0.5
    label = truth[:, None] ^ (generator.random((QUESTIONS, people)) < wrong)
    item, annotator = (each.ravel() for each in np.indices(label.shape))
    return Labels(item, annotator, label.astype(np.int64).ravel(), QUESTIONS, people, 2)


# ── dealing ───────────────────────────────────────────────────────────────────────────────────────────────────────
@given(
    st.dictionaries(st.text(min_size=1, max_size=3), st.sets(st.sampled_from("abcdef"), min_size=1), max_size=40),
    st.integers(0, 5),
    st.integers(1, 6),
)
def test_everybody_is_in_one_batch_as_soon_as_one_is_possible(answered, seed, smallest):
    batches = deal_batches(answered, seed, smallest)
    assert sorted(name for batch in batches for name in batch) == (
        sorted(answered) if len(answered) >= smallest else []
    )
    assert len(batches) == len(answered) // smallest
    assert all(smallest <= len(batch) < 2 * smallest for batch in batches)
    assert len({len(batch) for batch in batches}) <= 2
    assert batches == deal_batches(dict(reversed(answered.items())), seed, smallest)


def test_people_who_share_questions_come_into_the_same_batch() -> None:
    answered = {f"{block} {number}": [f"q{block}"] for number in range(5) for block in range(4)}
    batches = deal_batches(answered, 1)
    assert sorted(sorted(batch) for batch in batches) == [
        [f"{block} {number}" for number in range(5)] for block in range(4)
    ]


# ── labels that can be published ──────────────────────────────────────────────────────────────────────────────────
def test_the_agreement_of_whole_batches_is_that_of_their_members_alone() -> None:
    labels = labelled(12)
    batch = np.array([0] * 5 + [1] * 5 + [-1] * 2)
    published = published_agreement(labels, np.zeros(12), batch, (1,)).within[0]
    members = agreement_by_group(labels, np.where(batch >= 0, 0, -1), (1,)).within[0]
    assert set(published) == {name for name in members if not name.startswith("cohen")}
    for name, figure in published.items():
        exact = members[name]
        assert figure.value == round(exact.value, 2)
        assert figure.low <= exact.low < figure.low + 0.01, "rounded outwards"
        assert figure.high - 0.01 < exact.high <= figure.high


def test_labels_of_annotators_without_a_batch_change_nothing() -> None:
    labels, batch = labelled(8), np.array([0] * 5 + [-1] * 3)
    changed = Labels(
        labels.item, labels.annotator, np.where(labels.annotator > 4, 1 - labels.label, labels.label), QUESTIONS, 8, 2
    )
    one, other = (published_agreement(each, np.zeros(8), batch, (1,)) for each in (labels, changed))
    assert one == other


@pytest.mark.parametrize(("disagreements", "shown"), [(0, 0), (1, 0), (4, 0), (5, 5), (40, 5)])
def test_members_must_disagree_on_enough_items(disagreements: int, shown: int) -> None:
    labels = labelled(5, wrong=0)
    label = labels.label.reshape(QUESTIONS, 5).copy()
    label[:disagreements, 2] = 1 - label[:disagreements, 2]
    labels = Labels(labels.item, labels.annotator, label.ravel(), QUESTIONS, 5, 2)
    assert len(np.unique(publishable(labels, [0] * 5).annotator)) == shown


def test_enough_members_must_share_items_inside_their_batch() -> None:
    """Four members of a batch share items. The fifth shares items only with a member of another batch."""
    labels = labelled(10)
    batch = np.repeat([0, 1], 5)
    own = labels.annotator != 0
    apart = own | (labels.item >= QUESTIONS // 2)
    together = ~np.isin(labels.annotator, [1, 2, 3, 4]) | (labels.item < QUESTIONS // 2)
    rows = apart & together
    split = Labels(labels.item[rows], labels.annotator[rows], labels.label[rows], QUESTIONS, 10, 2)
    assert set(publishable(split, batch).annotator) == set(range(5, 10))
    assert set(publishable(labels, batch).annotator) == set(range(10))


def test_each_batch_is_published_by_its_own_labels_alone() -> None:
    """The published labels of any union of batches are those of each batch, at items with several of them."""
    labels = labelled(20, seed=3)
    careful = labelled(20, wrong=0, seed=3)
    label = np.where(labels.annotator < 5, careful.label, labels.label)  # the members of the first batch agree
    labels = Labels(labels.item, labels.annotator, label, QUESTIONS, 20, 2)
    batch = np.repeat(range(4), 5)
    for number in range(1, 5):
        for union in combinations(range(4), number):
            published = publishable(labels, np.where(np.isin(batch, union), batch, -1))
            assert set(batch[published.annotator]) == set(union) - {0}


def test_labels_without_company_are_left_out() -> None:
    labels = labelled(5)
    rows = (labels.item != 7) | (labels.annotator == 0)
    alone = Labels(labels.item[rows], labels.annotator[rows], labels.label[rows], QUESTIONS, 5, 2)
    assert 7 not in publishable(alone, [0] * 5).item


# ── attacks ───────────────────────────────────────────────────────────────────────────────────────────────────────
def test_no_difference_between_reports_consists_of_few_people() -> None:
    found = differences(300, seed=2)
    assert found[FIXED_BATCHES] == (1_500, 0)
    assert found[REPORT_BY_REPORT][1] > 500, "hiding small groups report by report fails, so the attack works"


@pytest.mark.nightly
def test_reports_by_group_alone_give_away_no_answer() -> None:
    assert given_away(4, REPORT_BY_REPORT, knows_majorities=False) > 0.001
    assert given_away(4, FIXED_BATCHES, knows_majorities=False) == 0


@pytest.mark.nightly
def test_majorities_beside_the_reports_give_away_few_answers() -> None:
    assert given_away(3, REPORT_BY_REPORT, knows_majorities=True) > 0.4
    assert given_away(3, FIXED_BATCHES, knows_majorities=True) < 0.002
