"""Tests of the features that correlate with scores: features by hand, and correlations compared with scipy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

from annotate.tasktypes import ItemDraft
from bws.features import features, goes_with


def pair(key: str, one: str, other: str, **metadata: str) -> ItemDraft:
    return ItemDraft(key, {"sentence1": one, "sentence2": other}, metadata)


ITEMS = [
    pair("a", "The cat sleeps.", "The cat is asleep!", similarity="3.5", source="x"),
    pair("b", "It rains", "It rains", similarity="5", source="y"),
    pair("c", "One two three four", "five", similarity="", source="x"),
]


def test_overlap_and_length_are_those_of_the_sentences() -> None:
    found = features(ITEMS)
    assert found["dice"] == pytest.approx([2 * 2 / 7, 1, 0])
    assert found["words"] == pytest.approx([7, 4, 5])
    assert found["length_difference"] == pytest.approx([1 / 4, 0, 3 / 4])
    assert 0 < found["idf_dice"][0] < 1


def test_a_column_of_numbers_is_a_feature_and_words_or_constants_are_none() -> None:
    items = [*ITEMS, pair("d", "a", "b", similarity="1", source="z", year="2020")]
    found = features(items)
    assert found["column:similarity"] == pytest.approx([3.5, 5, np.nan, 1], nan_ok=True)
    assert not {"column:source", "column:year"} & found.keys()


def test_single_texts_have_a_length_and_no_overlap() -> None:
    assert set(features([ItemDraft("a", {"text": "a b c"}), ItemDraft("b", {"text": "a"})])) == {"words"}


def test_a_dash_between_spaces_is_not_a_word_and_a_contraction_is_one() -> None:
    texts = ["My bad – totally forgot about lunch!", "I'll grab the 2 keys .", "कितनी किताबें हैं ?"]
    assert features([ItemDraft(text, {"text": text}) for text in texts])["words"].tolist() == [6, 5, 3]


def test_correlations_are_scipys_and_the_strongest_comes_first() -> None:
    random = np.random.default_rng(5)
    scores = random.random(60)
    scores[7] = np.nan
    strong = scores + 0.2 * random.random(60)
    weak = np.where(random.random(60) < 0.2, np.nan, random.random(60))
    rows = goes_with({"weak": weak, "strong": strong, "few": np.full(60, np.nan)}, scores, resamples=50, seed=1)
    assert [row["name"] for row in rows] == ["strong", "weak"]
    told = ~np.isnan(weak) & ~np.isnan(scores)
    assert rows[1]["value"] == pytest.approx(scipy.stats.spearmanr(weak[told], scores[told]).statistic)
    assert rows[1]["items"] == told.sum()
    assert rows[0]["low"] < rows[0]["value"] <= rows[0]["high"] <= 1
