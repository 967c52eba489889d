"""Tests of the four F1 measures of interpretable STS, compared with a second implementation of their definition and
with results by hand.
"""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.chunks.numerics.scores import MEASURES, ists_scores
from tests.ists_pairs import link, pair, two_annotations

VERSIONS = st.sampled_from([2015, 2016])


def f1_by_definition(gold_pairs, system_pairs, measure, version):
    """Calculate the measures in a slow and simple way, which looks up every link each time."""

    def expanded(chunk_links, source, target):
        links = {}
        for one in chunk_links:
            for i in one.source:
                for j in one.target:
                    if source[i] not in tuple(".,:'`?;\"-") and target[j] not in tuple(".,:'`?;\"-"):
                        links[(i, j)] = ([one.type.lower()] + [flag.lower() for flag in one.flags], one.score or 0)
        return links

    def weight(links, i, j):
        fan_out_of_i = sum(1 for a, _ in links if a == i)
        fan_out_of_j = sum(1 for _, b in links if b == j)
        return 1 / max(fan_out_of_i, fan_out_of_j)

    def type_match(types, score, other_types, other_score):
        union, shared = set(types) | set(other_types), set(types) & set(other_types)
        if version == 2015 and measure == "f1_typ_sco":
            equi_first = (
                "equi" in types and any(t in other_types for t in ("simi", "spe1", "spe2")) and other_score >= 4
            )
            equi_second = "equi" in other_types and any(t in types for t in ("simi", "spe1", "spe2")) and score >= 4
            close = {"simi", "spe1", "spe2", "rel"}
            low = (
                close & set(types) and close & set(other_types) and not close & shared and score < 3 and other_score < 3
            )
            if equi_first or equi_second or low:
                return (1 + len(shared)) / (len(union) - 1)
        return len(shared) / len(union)

    def share(link_value, other_value):
        by_type = type_match(*link_value, *other_value)
        by_score = 1 - abs(link_value[1] - other_value[1]) / 5
        return {"f1_ali": 1, "f1_type": by_type, "f1_score": by_score, "f1_typ_sco": by_type * by_score}[measure]

    def borne_out(ones, others):
        found = total = 0
        for one, other in zip(ones, others, strict=True):
            for i, j in one:
                total += weight(one, i, j)
                if (i, j) in other:
                    found += weight(one, i, j) * share(one[(i, j)], other[(i, j)])
        return found / total if total else 0

    gold = [expanded(each.links, each.source, each.target) for each in gold_pairs]
    system = [expanded(each.links, each.source, each.target) for each in system_pairs]
    precision, recall = borne_out(system, gold), borne_out(gold, system)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0


class TestAgainstTheDefinition:
    @given(two_annotations(), VERSIONS)
    def test_all_four(self, both, version):
        gold, system = both
        found = ists_scores(gold, system, version=version).as_dict(by_pair=True)
        for measure in MEASURES:
            assert found[measure] == pytest.approx(f1_by_definition(gold, system, measure, version), abs=1e-12)
            for each, one, other in zip(found["by_pair"], gold, system, strict=True):
                assert each["id"] == one.id
                expected = f1_by_definition([one], [other], measure, version)
                assert each[measure] == pytest.approx(expected, abs=1e-12)


class TestWhateverTheAnnotations:
    @given(two_annotations(), VERSIONS)
    def test_a_file_against_itself_is_perfect(self, both, version):
        gold, _ = both
        scores = ists_scores(gold, gold, version=version)
        perfect = 1 if scores.total.gold else 0
        # From Python 3.12, `sum` compensates rounding, so a product of two sums can differ in the last digit.
        assert scores.as_dict() == pytest.approx(dict.fromkeys(MEASURES, perfect), abs=1e-12)

    @given(two_annotations(), VERSIONS)
    def test_turned_round_precision_and_recall_change_places(self, both, version):
        there, back = (ists_scores(*order, version=version).total for order in (both, both[::-1]))
        for measure in MEASURES:
            one, other = there.figures(measure), back.figures(measure)
            assert (one.precision, one.recall) == pytest.approx((other.recall, other.precision))
            assert one.f1 == pytest.approx(other.f1)

    @given(two_annotations())
    def test_each_penalty_only_lowers_and_2015_only_forgives(self, both):
        strict = ists_scores(*both, version=2016).as_dict()
        lenient = ists_scores(*both, version=2015).as_dict()
        tiny = 1e-12
        assert 0 <= strict["f1_typ_sco"] <= min(strict["f1_type"], strict["f1_score"]) + tiny
        assert max(strict["f1_type"], strict["f1_score"]) <= strict["f1_ali"] + tiny <= 1 + 2 * tiny
        assert strict["f1_typ_sco"] <= lenient["f1_typ_sco"] + tiny
        assert lenient["f1_typ_sco"] <= lenient["f1_score"] + tiny
        assert all(strict[measure] == lenient[measure] for measure in ("f1_ali", "f1_type", "f1_score"))

    @given(two_annotations())
    def test_the_order_of_pairs_and_the_comments_do_not_matter(self, both):
        gold, system = both
        other = [replace(each, links=tuple(replace(one, comment="!") for one in each.links)) for each in system[::-1]]
        assert ists_scores(gold, other).as_dict() == pytest.approx(ists_scores(gold, system).as_dict())


class TestByHand:
    def scores(self, gold, system, version=2016):
        return ists_scores([pair(*gold)], [pair(*system)], version=version)

    def test_weights_of_long_chunks(self):
        """A link of 2 × 3 tokens has six token links of weight 1/3. The system has one of these token links, with a
        different weight.
        """
        total = self.scores([link([0, 1], [0, 1, 2])], [link([0], [0])]).total
        assert (total.gold, total.system) == (pytest.approx(2), 1)
        assert total.figures("f1_ali").precision == 1
        assert total.figures("f1_ali").recall == pytest.approx(1 / 6)

    def test_punctuation_is_no_word_before_fan_outs_are_counted(self):
        dotted = {"source": "a . c", "target": "p - r"}
        gold = pair(link([0, 1, 2], [0, 1]), **dotted)
        total = ists_scores([gold], [gold]).total
        assert total.gold == 1, "a–p and c–p, each by half"

    def test_what_is_punctuation_is_read_off_gold(self):
        gold = pair(link([0], [0]), link([1], [1]), source="a .", target="p .")
        system = replace(gold, source=("a", "b"), target=("p", "q"))
        assert ists_scores([gold], [system]).total.system == 1
        assert ists_scores([system], [gold]).total.system == 2

    def test_left_over_chunks_do_not_count(self):
        gold = [link([0], [0]), link([1], [], "NOALI", None), link([], [1], "ALIC", None)]
        assert self.scores(gold, gold[:1]).as_dict()["f1_typ_sco"] == 1

    def test_of_two_links_between_the_same_tokens_the_later_counts(self):
        system = [link([0], [0], "REL", 1), link([0], [0], "EQUI", 5)]
        assert self.scores([link([0], [0], "EQUI", 5)], system).as_dict() == dict.fromkeys(MEASURES, 1)
        assert self.scores([link([0], [0], "EQUI", 5)], system[::-1]).as_dict()["f1_score"] == pytest.approx(0.2)

    def test_nil_counts_as_nought(self):
        found = self.scores([link([0], [0], "NOALI", None)], [link([0], [0], "NOALI", 2)]).as_dict()
        assert found["f1_score"] == pytest.approx(0.6)

    def test_flags_are_types_like_others(self):
        found = self.scores([link([0], [0], "SIMI", 3, ["FACT"])], [link([0], [0], "SIMI", 3, ["POL"])]).as_dict()
        assert found["f1_type"] == pytest.approx(1 / 3)

    @pytest.mark.parametrize(
        ("gold", "system", "share"),
        [
            (("EQUI", 5), ("SIMI", 4), 1),
            (("EQUI", 5), ("SPE2", 5), 1),
            (("EQUI", 5), ("SPE1", 3), 0),
            (("EQUI", 4), ("REL", 4), 0),
            (("EQUI", 4), ("OPPO", 4), 0),
            (("SIMI", 2), ("REL", 2), 1),
            (("SPE1", 0), ("SPE2", 2.5), 1),
            (("SIMI", 2), ("REL", 3), 0),
            (("SIMI", 2), ("OPPO", 2), 0),
            (("SIMI", 2, ["FACT"]), ("REL", 2), 1 / 2),
            (("SIMI", 2, ["FACT"]), ("REL", 2, ["FACT"]), 1),
            (("SIMI", 2, ["FACT"]), ("SIMI", 2), 1 / 2),
            (("EQUI", 5, ["POL"]), ("SIMI", 4, ["POL"]), 1),
        ],
    )
    def test_near_types_in_2015(self, gold, system, share):
        found = self.scores([link([0], [0], *gold)], [link([0], [0], *system)], version=2015).as_dict()
        assert found["f1_typ_sco"] == pytest.approx(share * (1 - abs(gold[1] - system[1]) / 5))

    def test_no_links_score_nought(self):
        assert self.scores([], []).as_dict(by_pair=True)["by_pair"] == [{"id": "1", **dict.fromkeys(MEASURES, 0)}]

    def test_pairs_that_one_side_lacks_count_against_it(self):
        one, two, three = (pair(link([0], [0]), name=name) for name in "123")
        found = ists_scores([one, two], [one, three, replace(three, id="4")])
        figures = found.total.figures("f1_ali")
        assert (figures.precision, figures.recall) == (pytest.approx(1 / 3), 1 / 2)
        assert list(found.pairs) == ["1", "2", "3", "4"]

    def test_pairs_with_the_same_id_are_one(self):
        halves = [pair(link([0], [0])), pair(link([1], [1]))]
        assert ists_scores(halves, [pair(link([0], [0]), link([1], [1]))]).as_dict()["f1_ali"] == 1

    def test_tokens_that_gold_does_not_have_are_words(self):
        found = self.scores([link([0], [0])], [link([0], [0]), link([77], [88])])
        assert found.total.figures("f1_ali").precision == 1 / 2

    def test_there_is_no_other_scorer(self):
        with pytest.raises(ValueError, match="2017"):
            ists_scores([], [], version=2017)
