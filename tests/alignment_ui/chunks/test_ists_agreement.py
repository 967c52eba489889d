"""Tests of the agreement on chunk links: the official measures for each two annotators, and the confusion of types."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from accord_core.chunks.numerics.agreement import ChunkAnnotation, chunk_agreement
from accord_core.chunks.numerics.scores import ists_scores
from alignment_ui.chunks.headline import headline
from tests.ists_pairs import link, pair, two_annotations


def agreement(*annotations, resamples=0, **options):
    return chunk_agreement([ChunkAnnotation(*each) for each in annotations], resamples=resamples, **options)


def by_two(first, second, dataset=""):
    return [("ann", each, dataset) for each in first] + [("bob", each, dataset) for each in second]


def many(kind, count=30, name=""):
    """Return sentence pairs with two links each. The annotator determines the second link."""
    return [pair(link([0], [0]), link([1, 2], [n % 4 + 1], kind), name=f"{name}{n}") for n in range(count)]


class TestOfTwoAnnotators:
    @given(two_annotations())
    def test_f1_is_the_official_one(self, both):
        found = agreement(*by_two(*both))
        [two] = found["annotator_pairs"]
        assert (two["first"], two["second"], two["pairs"]) == ("ann", "bob", len(both[0]))
        scores = ists_scores(*both)
        for measure, expected in scores.as_dict().items():
            if scores.total.gold + scores.total.system:
                assert two[measure]["value"] == pytest.approx(expected, abs=1e-12)
                assert found["overall"][measure]["value"] == pytest.approx(expected, abs=1e-12)
            else:
                assert two[measure] == {"value": None, "low": None, "high": None, "reason": "nothing to compare"}

    @given(two_annotations())
    def test_it_does_not_matter_who_is_who(self, both):
        one, other = agreement(*by_two(*both)), agreement(*by_two(*both[::-1]))
        for part in ("overall", "by_type"):
            for name, figure in one[part].items():
                assert figure["value"] == (other[part][name]["value"] and pytest.approx(other[part][name]["value"]))
        assert np.allclose(one["confusion"]["weights"], other["confusion"]["weights"])

    def test_no_interval_where_all_resamples_agree(self):
        found = agreement(*by_two(many("SIMI"), many("SIMI")), resamples=200)
        assert found["by_type"]["SIMI"] == {"value": 1.0, "low": None, "high": None}

    def test_the_scorer_of_2015_is_there_too(self):
        both = [pair(link([0], [0], "EQUI", 5))], [pair(link([0], [0], "SIMI", 4))]
        assert agreement(*by_two(*both), version=2015)["overall"]["f1_typ_sco"]["value"] == pytest.approx(0.8)
        assert agreement(*by_two(*both))["overall"]["f1_typ_sco"]["value"] == 0

    def test_differences_of_scores_where_both_have_the_link(self):
        first = pair(link([0], [0], score=4), link([1], [1], score=1), link([2], [2], score=5))
        second = pair(link([0], [0], score=3), link([1], [1], score=3), link([3], [3], score=0))
        [two] = agreement(*by_two([first], [second]))["annotator_pairs"]
        assert two["score_difference"]["value"] == pytest.approx(1.5)
        assert two["score_lead"] == pytest.approx(-0.5)

    def test_long_chunks_weigh_more_but_not_by_all_their_token_links(self):
        """A link of two words with two words has four token links of weight ½. A second link has one token link of
        weight 1.
        """
        first, second = (pair(link([0, 1], [0, 1], score=score), link([2], [2], score=5)) for score in (4, 1))
        [two] = agreement(*by_two([first], [second]))["annotator_pairs"]
        assert two["score_difference"]["value"] == pytest.approx((2 * 3 + 1 * 0) / 3)

    def test_without_a_link_in_common_there_is_no_difference(self):
        found = agreement(*by_two([pair(link([0], [0]))], [pair(link([1], [1]))]))
        assert found["overall"]["f1_ali"]["value"] == 0
        assert found["overall"]["score_difference"]["reason"] == "no link is shared by two annotators"
        assert found["annotator_pairs"][0]["score_lead"] is None


class TestOfMany:
    def test_the_mean_goes_by_sentence_pairs_in_common(self):
        same, other = pair(link([0], [0]), name="s1"), pair(link([1], [1]), name="s1")
        found = agreement(
            *[("ann", same), ("bob", same), ("cy", other)],
            *[("ann", replace(same, id="s2")), ("bob", replace(same, id="s2"))],
            ("cy", replace(other, id="s3")),
        )
        values = {
            (two["first"], two["second"]): (two["pairs"], two["f1_ali"]["value"]) for two in found["annotator_pairs"]
        }
        assert values == {("ann", "bob"): (2, 1), ("ann", "cy"): (1, 0), ("bob", "cy"): (1, 0)}
        assert found["overall"]["f1_ali"]["value"] == pytest.approx(2 / 4)
        assert (found["annotations"], found["annotators"], found["pairs"], found["pairs_left_out"]) == (6, 3, 2, 1)

    def test_by_dataset(self):
        alike = by_two(many("SIMI", 3, "n"), many("SIMI", 3, "n"), "news")
        apart = by_two(many("SIMI", 5, "c"), many("REL", 5, "c"), "captions")
        found = agreement(*alike, *apart)["datasets"]
        assert {name: (part["pairs"], part["f1_type"]["value"]) for name, part in found.items()} == {
            "captions": (5, pytest.approx(1 / 2)),
            "news": (3, 1),
        }
        assert agreement(*by_two(many("SIMI", 2), many("SIMI", 2)))["datasets"] == {}

    def test_nothing_said_twice_is_no_agreement(self):
        found = agreement(("ann", pair(link([0], [0]))))
        assert found["pairs_left_out"] == 1
        assert found["annotator_pairs"] == []
        assert found["overall"]["f1_ali"]["value"] is None
        assert agreement()["overall"]["f1_ali"]["reason"] == "nothing to compare"

    def test_nobody_annotates_a_sentence_pair_twice(self):
        with pytest.raises(ValueError, match="annotator ann has two annotations of sentence pair 1"):
            agreement(("ann", pair()), ("ann", pair()))


class TestByType:
    first = pair(
        link([0, 1], [0], "EQUI", 5), link([2], [1], "REL"), link([3], [2], "SIMI"), link([4], [], "NOALI", None)
    )
    second = pair(link([0, 1], [0], "EQUI", 5), link([2], [1], "OPPO"), link([3, 4], [], "NOALI", None))

    def test_f1_of_the_links_of_one_type(self):
        found = agreement(*by_two([self.first], [self.second]))["by_type"]
        assert {name: figure["value"] for name, figure in found.items()} == {
            "EQUI": 1,
            "OPPO": 0,
            "SPE1": None,
            "SPE2": None,
            "SIMI": 0,
            "REL": 0,
            "NOALI": pytest.approx(2 / 3),
            "ALIC": None,
        }

    def test_what_is_taken_for_what(self):
        found = agreement(*by_two([self.first], [self.second]))["confusion"]
        weights = {
            (row, column): weight
            for row, line in zip(found["types"], found["weights"], strict=True)
            for column, weight in zip(found["types"], line, strict=True)
            if weight
        }
        assert weights == {
            ("EQUI", "EQUI"): 1,
            ("REL", "OPPO"): 0.5,
            ("OPPO", "REL"): 0.5,
            ("SIMI", "none"): 0.5,
            ("none", "SIMI"): 0.5,
        }

    def test_punctuation_left_over_says_nothing(self):
        dotted = pair(link([0], [0]), link([1], [], "NOALI", None), source="a .", target="p")
        assert agreement(*by_two([dotted], [dotted]))["by_type"]["NOALI"]["value"] is None


class TestIntervals:
    def test_they_hold_the_figure_and_narrow_with_more(self):
        def interval(count):
            first = [pair(link([0], [0]), link([1], [n % 5]), name=str(n)) for n in range(count)]
            second = [pair(link([0], [0]), link([1], [n % 3]), name=str(n)) for n in range(count)]
            figure = agreement(*by_two(first, second), resamples=400)["overall"]["f1_ali"]
            assert figure["low"] < figure["value"] < figure["high"]
            return figure["high"] - figure["low"]

        assert interval(20) > 1.5 * interval(180)

    def test_they_are_seeded(self):
        both = by_two(many("SIMI"), many("REL", 15) + many("SIMI")[15:])
        one, again, other = (agreement(*both, resamples=50, seed=seed)["overall"]["f1_type"] for seed in (1, 1, 2))
        assert one == again
        assert one != other

    def test_the_bootstrap_of_a_mean_is_that_of_the_textbook(self):
        """Every sentence pair has one link of weight 1, so F1 Type is a share with a known standard error."""
        first = [pair(link([0], [0], "SIMI"), name=str(n)) for n in range(400)]
        second = [pair(link([0], [0], "SIMI" if n % 4 else "REL"), name=str(n)) for n in range(400)]
        figure = agreement(*by_two(first, second), resamples=2000)["overall"]["f1_type"]
        error = np.sqrt(0.75 * 0.25 / 400)
        assert figure["value"] == pytest.approx(0.75)
        assert [figure["low"], figure["high"]] == pytest.approx([0.75 - 1.96 * error, 0.75 + 1.96 * error], abs=0.006)

    def test_two_annotators_with_little_in_common_get_none(self):
        few, enough = many("SIMI", 9, "few"), many("REL", 10, "enough")
        found = agreement(
            *[("ann", each) for each in few + enough],
            *[("bob", each) for each in many("REL", 4, "few") + few[4:]],
            *[("cy", each) for each in many("SIMI", 4, "enough") + enough[4:]],
            resamples=20,
        )
        others = {two["second"]: two["f1_type"] for two in found["annotator_pairs"] if two["first"] == "ann"}
        assert others["bob"]["value"] < 1
        assert others["bob"]["low"] is None
        assert others["cy"]["low"] < others["cy"]["value"]
        assert found["overall"]["f1_type"]["low"] < found["overall"]["f1_type"]["value"]


@pytest.mark.parametrize(("low", "doubt"), [(1.0, ""), (0.9, "95% confidence interval .900–1.000, from resampled")])
def test_complete_agreement_has_no_interval(low, doubt):
    shown = headline({"overall": {"f1_typ_sco": {"value": 1.0, "low": low, "high": 1.0}}}).doubt
    assert shown.startswith(doubt)
    assert bool(shown) == bool(doubt)
