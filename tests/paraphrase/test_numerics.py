"""Tests of labels by domain, comparisons of domains, phrases in sentences, and the accuracy on quality control."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.numerics.agreement import TOO_FEW
from accord_core.numerics.bootstrap import Coefficient
from accord_core.numerics.labels import Labels
from accord_core.paraphrase.numerics.domains import BAD, GOOD, UNDECIDED, compare_domains, contrasts, domain_labels
from accord_core.paraphrase.numerics.find_phrases import find_phrases
from accord_core.paraphrase.numerics.worker_accuracy import balanced_accuracy, plain_accuracy, tally
from paraphrase.headline import headline
from paraphrase.people import agreement_with_others

# Candidates in sentences: (label, yes, votes, pair, domain).
SENTENCES = st.lists(
    st.tuples(
        st.sampled_from([GOOD, BAD, UNDECIDED]),
        st.integers(0, 5),
        st.integers(0, 5),
        st.integers(0, 4),
        st.integers(0, 2),
    ).map(lambda row: (row[0], min(row[1], row[2]), *row[2:])),
    max_size=40,
)


def domain_labels_of(rows, **rule):
    columns = zip(*rows, strict=True) if rows else [()] * 5
    return domain_labels(*(np.array(column, dtype=np.int64) for column in columns), **rule)


def label_by_the_rule(labels, good_sentences):
    if labels.count(GOOD) >= good_sentences:
        return GOOD
    return UNDECIDED if labels.count(GOOD) + labels.count(UNDECIDED) >= good_sentences else BAD


class TestDomains:
    @pytest.mark.parametrize(
        ("labels", "expected"),
        [
            ([GOOD, BAD, BAD], GOOD),  # the paper: good in at least one sentence
            ([BAD, BAD], BAD),
            ([BAD, UNDECIDED], UNDECIDED),
            ([GOOD, UNDECIDED], GOOD),
        ],
    )
    def test_good_in_one_sentence_is_good_in_the_domain(self, labels, expected):
        found = domain_labels_of([(label, 1, 2, 0, 0) for label in labels])
        assert found.label.tolist() == [expected]

    @given(SENTENCES, st.integers(1, 3))
    def test_against_the_rule_pair_by_pair(self, rows, good_sentences):
        found = domain_labels_of(rows, good_sentences=good_sentences)
        judged = [row for row in rows if row[2]]
        groups = sorted({row[3:] for row in judged})
        assert list(zip(found.pair.tolist(), found.domain.tolist(), strict=True)) == groups
        for number, group in enumerate(groups):
            own = [row for row in judged if row[3:] == group]
            labels = [row[0] for row in own]
            assert found.label[number] == label_by_the_rule(labels, good_sentences)
            counts = found.good[number], found.bad[number], found.undecided[number]
            assert counts == (labels.count(GOOD), labels.count(BAD), labels.count(UNDECIDED))
            assert found.share[number] == max(row[1] / row[2] for row in own)
            assert rows[found.first[number]] == own[0]
        assert [int(row) >= 0 for row in found.row_of] == [row[2] > 0 for row in rows]

    @given(SENTENCES)
    def test_comparisons_and_contrasts_against_every_two_rows(self, rows):
        found = domain_labels_of(rows)
        label = {
            (pair, domain): value for pair, domain, value in zip(found.pair, found.domain, found.label, strict=True)
        }
        for one in range(3):
            for other in range(one + 1, 3):
                both = [pair for pair in range(5) if (pair, one) in label and (pair, other) in label]
                said = Counter((int(label[pair, one]), int(label[pair, other])) for pair in both)
                (compared,) = [c for c in compare_domains(found) if (c.one, c.other) == (one, other)] or [None]
                if not both:
                    assert compared is None
                    continue
                assert compared.both == len(both)
                assert (compared.good_in_both, compared.bad_in_both) == (said[GOOD, GOOD], said[BAD, BAD])
                assert (compared.good_in_one, compared.good_in_other) == (said[GOOD, BAD], said[BAD, GOOD])
        ways = contrasts(found).tolist()
        expected = {
            (good, bad)
            for good in range(len(found.pair))
            for bad in range(len(found.pair))
            if found.pair[good] == found.pair[bad] and (found.label[good], found.label[bad]) == (GOOD, BAD)
        }
        assert {tuple(way) for way in ways} == expected
        assert len(ways) == len(expected)
        differences = [found.share[good] - found.share[bad] for good, bad in ways]
        assert differences == sorted(differences, reverse=True)

    def test_the_papers_table(self):
        """As in Table 1, “plant/factory” is good in general and bad in biology, and “ground/earth” is the opposite."""
        found = domain_labels_of([(GOOD, 5, 5, 0, 0), (BAD, 0, 5, 0, 1), (BAD, 1, 5, 1, 0), (GOOD, 4, 5, 1, 1)])
        (general_against_biology,) = compare_domains(found)
        assert (general_against_biology.good_in_one, general_against_biology.good_in_other) == (1, 1)
        assert [(int(found.pair[good]), int(found.domain[good])) for good, _ in contrasts(found)] == [(0, 0), (1, 1)]

    def test_no_sentence_at_all_is_refused(self):
        with pytest.raises(ValueError, match="must be at least 1, not 0"):
            domain_labels_of([], good_sentences=0)


class TestWorkerAccuracy:
    def test_the_papers_accuracy_counts_every_candidate(self):
        sums = tally([True, True, True, False, False, False], [True, True, False, True, False, False])
        assert sums == {"synonyms_chosen": 2, "synonyms": 3, "random_chosen": 1, "random_words": 3}
        assert plain_accuracy(sums) == pytest.approx(4 / 6)
        assert balanced_accuracy(sums) == pytest.approx((2 / 3 + 2 / 3) / 2)

    @given(st.lists(st.booleans(), min_size=1), st.booleans())
    def test_choosing_all_or_nothing_is_one_half_when_balanced(self, expected, vote):
        sums = tally(expected, [vote] * len(expected))
        assert plain_accuracy(sums) == pytest.approx(sum(good == vote for good in expected) / len(expected))
        assert balanced_accuracy(sums) == (0.5 if len(set(expected)) == 2 else float(expected[0] == vote))

    def test_nothing_seen_is_no_accuracy(self):
        assert plain_accuracy({}) is None
        assert balanced_accuracy({}) is None

    @given(
        st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 1)), unique_by=lambda vote: vote[:2])
    )
    def test_agreement_with_the_majority_of_the_others(self, votes):
        item, annotator, label = (np.array([vote[n] for vote in votes], dtype=np.int64) for n in range(3))
        alike, compared = agreement_with_others(Labels(item, annotator, label, 6, 4, 2))
        expected = np.zeros((2, 4), dtype=int)
        for what, who, said in votes:
            others = [vote for place, person, vote in votes if place == what and person != who]
            if 2 * sum(others) != len(others):
                expected[1, who] += 1
                expected[0, who] += said == (2 * sum(others) > len(others))
        assert (alike.tolist(), compared.tolist()) == (expected[0].tolist(), expected[1].tolist())


class TestFindPhrases:
    def found(self, sentences, phrases, **rule):
        pairs = [(text, "d") if isinstance(text, str) else text for text in sentences]
        return [
            (each.sentence, pairs[each.sentence][0][each.start : each.end])
            for each in find_phrases(pairs, phrases, **rule)
        ]

    @pytest.mark.parametrize(
        ("sentence", "expected"),
        [
            ("They cut back the vines.", "cut back"),  # the longest
            ("They cut\n back the vines.", "cut\n back"),
            ("Cut the grass.", "Cut"),
            ("A haircut for Cutler.", None),  # whole words only
            ("Cut, back and forth.", "Cut"),
            ("He’ll cut-back.", "cut"),
            ("Après l’été.", "l’été"),
            ("", None),
        ],
    )
    def test_whole_words_and_the_longest(self, sentence, expected):
        found = self.found([sentence], ["cut", "cut back", "l’été"])
        assert found == ([(0, expected)] if expected else [])

    def test_one_phrase_a_sentence_and_so_many_sentences_a_phrase_and_domain(self):
        sentences = [(f"A cat saw a dog {n}.", domain) for n in range(20) for domain in ("home", "farm")]
        found = find_phrases(sentences, ["cat", "dog"], per=3, seed=4)
        assert len({each.sentence for each in found}) == len(found)
        assert Counter((sentences[each.sentence][1], each.phrase) for each in found) == {
            (domain, phrase): 3 for domain in ("home", "farm") for phrase in ("cat", "dog")
        }

    @pytest.mark.parametrize(
        ("limit", "expected"), [(5, {"home": 5, "farm": 5}), ({"farm": 2}, {"home": 20, "farm": 2})]
    )
    def test_so_many_sentences_a_domain(self, limit, expected):
        sentences = [(f"A cat saw a dog {n}.", domain) for n in range(20) for domain in ("home", "farm")]
        found = find_phrases(sentences, ["cat", "dog"], per_domain=limit, seed=4)
        assert Counter(sentences[each.sentence][1] for each in found) == expected
        # The limit keeps the first of the sentences that are chosen without a limit, in their random order.
        assert {each.sentence for each in found} <= {each.sentence for each in find_phrases(sentences, ["cat", "dog"])}
        with pytest.raises(ValueError, match="The limit for the domain farm must be at least one sentence, not 0"):
            find_phrases(sentences, ["cat"], per_domain={"farm": 0})

    def test_a_rare_phrase_is_not_passed_over_for_a_common_one(self):
        sentences = [("A cat.", "d")] * 9 + [("A cat and a newt.", "d")]
        assert "newt" in {each.phrase for each in find_phrases(sentences, ["cat", "newt"], seed=1)}

    def test_the_same_seed_chooses_the_same_and_another_one_others(self):
        sentences = [(f"The cat number {n}.", "d") for n in range(200)]
        chosen = [[each.sentence for each in find_phrases(sentences, ["cat"], per=10, seed=seed)] for seed in (1, 1, 2)]
        assert chosen[0] == chosen[1] != chosen[2]
        assert chosen[0] == sorted(chosen[0])

    @given(
        st.lists(st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=8).map(" ".join), max_size=6),
        st.lists(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=3).map(" ".join), max_size=4),
    )
    def test_a_sentence_is_used_exactly_when_a_phrase_is_in_it(self, sentences, phrases):
        found = self.found(sentences, phrases)
        assert all(text in phrases for _, text in found)
        expected = {
            number
            for number, text in enumerate(sentences)
            if any(re.search(rf"(?<!\w){phrase}(?!\w)", text) for phrase in phrases)
        }
        assert {number for number, _ in found} == expected
        for number, text in found:
            # No longer phrase begins at any place of the one that was chosen.
            longer = [phrase for phrase in phrases if phrase.startswith(text + " ")]
            assert all(sentences[number].count(text) > sentences[number].count(each) for each in longer)

    def test_no_sentence_for_a_phrase_is_refused(self):
        with pytest.raises(ValueError, match="at least one sentence per phrase and domain, not 0"):
            find_phrases([], [], per=0)


def test_an_undefined_headline_speaks_of_votes_on_candidates():
    assert headline(Coefficient(None, reason=TOO_FEW), 1000).doubt == "Undefined: no candidate has two votes."
    assert headline(Coefficient(1.0, 1.0, 1.0), 1000).doubt == "Without an interval."
    assert headline(Coefficient(None, reason="all labels are equal"), 1000).doubt == "Undefined: all labels are equal."
