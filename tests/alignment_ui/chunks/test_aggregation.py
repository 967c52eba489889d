"""Tests of the methods that combine chunk annotations: majority, medoid and the models of links, types and scores."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.chunks.formats.ists_guidelines import guideline_faults
from accord_core.chunks.numerics.aggregation import METHODS, majority, medoid, pair_f1
from accord_core.chunks.numerics.chunks import RELATIONS, ChunkLink, IstsPair
from accord_core.chunks.numerics.common_chunks import common_chunks, votes_of
from accord_core.chunks.numerics.link_cells import AnnotatedPair, cells_of, compared
from accord_core.chunks.numerics.link_choice import best_links
from accord_core.chunks.numerics.link_model import error_rates, fit_links
from accord_core.chunks.numerics.modelled import aggregated, modelled
from accord_core.chunks.numerics.score_model import fit_scores
from accord_core.chunks.numerics.scores import ists_scores
from accord_core.chunks.numerics.type_model import fit_types
from alignment_ui.chunks.grading import grade
from tests.chunk_annotators import simulated
from tests.ists_pairs import link, pair

SOURCE, TARGET = "a b c d e".split(), "a q c s t u".split()


def chunked(draw, words):
    """Divide a sentence of `words` words into chunks of one to three words."""
    chunks, start = [], 0
    while start < words:
        end = min(words, start + draw(st.integers(1, 3)))
        chunks.append(tuple(range(start, end)))
        start = end
    return chunks


@st.composite
def annotations(draw, *, many=False):
    """Return an annotation that follows the guidelines, with one-to-one or many-to-many links."""
    sides = chunked(draw, len(SOURCE)), chunked(draw, len(TARGET))
    cells = [(a, b) for a in range(len(sides[0])) for b in range(len(sides[1]))]
    links, used = [], (set(), set())
    for cell in draw(st.permutations(cells))[: draw(st.integers(0, 5))]:
        if many or not any(place in done for place, done in zip(cell, used, strict=True)):
            kind = draw(st.sampled_from(RELATIONS))
            score = 5.0 if kind == "EQUI" else float(draw(st.sampled_from([0, 1, 2, 2.5, 3, 4])))
            flags = draw(st.frozensets(st.sampled_from(["POL", "FACT"]), max_size=1))
            links.append(ChunkLink(sides[0][cell[0]], sides[1][cell[1]], kind, flags, score))
            for place, done in zip(cell, used, strict=True):
                done.add(place)
    kinds = st.just("NOALI") if many else st.sampled_from(["NOALI", "ALIC"])
    links += [ChunkLink(chunk, (), draw(kinds)) for n, chunk in enumerate(sides[0]) if n not in used[0]]
    links += [ChunkLink((), chunk, draw(kinds)) for n, chunk in enumerate(sides[1]) if n not in used[1]]
    return IstsPair("1", tuple(SOURCE), tuple(TARGET), tuple(links))


@pytest.fixture(scope="module")
def data():
    return simulated(120, seed=4)


def same(one, other):
    return frozenset(one.links) == frozenset(other.links)


@pytest.mark.parametrize("many", [False, True])
@given(st.data(), st.integers(1, 4))
def test_unanimous_annotators_get_their_own_annotation_by_each_method(many, data, people) -> None:
    drawn_once = data.draw(st.lists(annotations(many=many), min_size=1, max_size=3))
    pairs = [AnnotatedPair(dict.fromkeys(range(people), one)) for one in drawn_once]
    for method in METHODS:
        combined = aggregated(pairs, people, method, many_to_many=many)
        assert all(same(one, other) for one, other in zip(combined, drawn_once, strict=True))


@pytest.mark.nightly
@pytest.mark.parametrize("many", [False, True])
@given(st.data())
def test_combined_annotations_follow_the_guidelines_and_ignore_the_order_of_annotators(many, data) -> None:
    answers = data.draw(st.lists(st.lists(annotations(many=many), min_size=3, max_size=3), min_size=1, max_size=3))
    order = data.draw(st.permutations(range(3)))
    before = [AnnotatedPair(dict(enumerate(each))) for each in answers]
    after = [AnnotatedPair({order[who]: each[who] for who in order}) for each in answers]
    for method in METHODS:
        combined = aggregated(before, 3, method, many_to_many=many)
        assert [guideline_faults(one, many_to_many=many) for one in combined] == [[] for _ in answers]
        again = aggregated(after, 3, method, many_to_many=many)
        assert all(same(one, other) for one, other in zip(combined, again, strict=True))


def test_the_model_is_closer_to_the_truth_than_majority_and_medoid(data) -> None:
    pairs, truth = data
    f1 = {}
    for method in METHODS:
        total = ists_scores(truth, aggregated(pairs, 3, method, many_to_many=False)).total
        f1[method] = [total.figures(name).f1 for name in ("f1_ali", "f1_type", "f1_score", "f1_typ_sco")]
    assert (np.array(f1["model"]) > np.maximum(f1["majority"], f1["medoid"]) + 0.003).all()


@pytest.mark.nightly
def test_the_more_reliable_of_two_annotators_wins() -> None:
    pairs, _ = simulated(150, seed=5)
    two = [AnnotatedPair({0: each.answers[0], 1: each.answers[2]}) for each in pairs]
    combined = aggregated(two, 2, "model", many_to_many=False)
    to_good, to_poor = (
        np.mean([pair_f1(one, each.answers[who]) for one, each in zip(combined, two, strict=True)]) for who in (0, 1)
    )
    assert to_good > 0.85 > to_poor + 0.3


@pytest.mark.nightly
def test_the_rates_of_annotators_are_close_to_the_true_figures(data) -> None:
    pairs, truth = data
    rates = modelled(pairs, 3, many_to_many=False).annotators(seed=1)
    for who in range(3):
        true, own = (
            [{(each.source, each.target): each for each in of.links if each.source and each.target} for of in side]
            for side in (truth, [pair.answers[who] for pair in pairs])
        )
        common = [(one[key], other[key]) for one, other in zip(true, own, strict=True) for key in one.keys() & other]
        precision, recall = (len(common) / sum(map(len, side)) for side in (own, true))
        accuracy = np.mean([one.type == other.type for one, other in common])
        differences = [other.score - one.score for one, other in common if "EQUI" not in (one.type, other.type)]
        for name, expected in (("precision", precision), ("recall", recall), ("type_accuracy", accuracy)):
            error = getattr(rates, {"type_accuracy": "type"}.get(name, name) + "_error")[who]
            assert abs(getattr(rates, name)[who] - expected) < max(0.015, 3 * error), name
        assert rates.score_sd[who] == pytest.approx(np.std(differences), abs=0.25)
    assert (np.diff(rates.recall) < 0).all()
    assert (np.diff(rates.type_accuracy) < 0).all()
    assert (np.diff(rates.score_sd) > 0).all()
    assert rates.score_bias[1] > rates.score_bias[0] > rates.score_bias[2]


def test_error_rates_of_known_annotations_are_the_counted_shares() -> None:
    pairs, truth = simulated(40, seed=7)
    known = [each._replace(known=true) for each, true in zip(pairs, truth, strict=True)]
    model = modelled(known, 3, many_to_many=False)
    assert model.annotations() == truth
    links, types = np.zeros((3, 2, 2)), np.zeros((3, 6, 6))
    for each, true in zip(pairs, truth, strict=True):
        correct = {(one.source[0], one.target[0]): one for one in true.links if one.source and one.target}
        for who, answer in each.answers.items():
            own = {(one.source[0], one.target[0]): one for one in answer.links if one.source and one.target}
            for cell in np.ndindex(len(true.source), len(true.target)):
                links[who, int(cell in correct), int(cell in own)] += 1
                if cell in correct and cell in own:
                    types[who, RELATIONS.index(correct[cell].type), RELATIONS.index(own[cell].type)] += 1
    pooled = links.sum(axis=0) + np.array([[9.5, 0.5], [1, 9]])
    expected = links + 10 * pooled / pooled.sum(axis=1, keepdims=True)
    assert model.links.confusion[:, 0] == pytest.approx(expected / expected.sum(axis=2, keepdims=True))
    assert error_rates(model.cells, model.links.linked, np.ones(len(model.cells.pair))) == pytest.approx(
        model.links.confusion
    )
    pooled = types.sum(axis=0) + 0.4 + 7.6 * np.eye(6)
    expected = types + 10 * pooled / pooled.sum(axis=1, keepdims=True)
    assert model.types.confusion == pytest.approx(expected / expected.sum(axis=2, keepdims=True))


def test_the_posteriors_are_a_fixed_point_of_bayes_rule(data) -> None:
    """Calculate the probabilities of single cells from the estimated rates, without arrays."""
    pairs, _ = data
    cells = cells_of(pairs, compared(pairs), 3)
    links = fit_links(cells, tolerance=1e-9)
    types = fit_types(cells, links.linked, tolerance=1e-9)
    for row in (0, 17, 200):
        votes = np.flatnonzero(cells.row == row)
        joint = links.prior[cells.group[row]].copy()
        for vote in votes:
            joint *= links.confusion[cells.annotator[vote], cells.initial[row], :, cells.linked[vote]]
        assert links.linked[row] == pytest.approx(joint[1] / joint.sum(), abs=1e-6)
    row = int(np.flatnonzero(cells.shares == 1)[0])
    other = int(np.flatnonzero((cells.shares == 1) & (cells.overlap == cells.overlap[row]))[1])
    evidence = []
    for place in (row, other):
        votes = np.flatnonzero(cells.row == place)
        evidence.append(np.prod([types.confusion[cells.annotator[vote], :, cells.type[vote]] for vote in votes], 0))
    # The prior of the types is the same for both links, so it cancels out.
    ratio = types.posterior[row] / evidence[0] * evidence[1] / types.posterior[other]
    likely = (types.posterior[[row, other]] > 1e-9).all(axis=0)
    assert ratio[likely] == pytest.approx(ratio[likely][0], rel=1e-3)


def test_scores_are_weighted_by_the_precision_of_their_annotators() -> None:
    draw = np.random.default_rng(1)
    true = draw.normal(2.5, 1.0, 400)
    bias, error = np.array([0.5, -0.5, 0.0]), np.array([0.2, 0.6, 1.2])
    row, annotator = np.repeat(np.arange(400), 3), np.tile(np.arange(3), 400)
    score = true[row] + bias[annotator] + draw.normal(size=1200) * error[annotator]
    model = fit_scores(row, annotator, score, np.ones(400), np.zeros(400, dtype=np.int64), 3)
    assert model.converged
    assert model.bias == pytest.approx(bias, abs=0.1)
    assert model.error == pytest.approx(error, abs=0.1)
    means = np.bincount(row, score) / 3
    assert np.abs(model.score - true).mean() < 0.5 * np.abs(means - true).mean()


@given(st.dictionaries(st.tuples(st.integers(0, 3), st.integers(0, 3)), st.integers(-5, 9).map(float), max_size=9))
def test_one_to_one_links_have_the_highest_total_weight(weights) -> None:
    chosen = best_links(weights, many_to_many=False)
    highest = max(
        sum(max(weights.get((a, b), 0.0), 0.0) for a, b in enumerate(order)) for order in permutations(range(4))
    )
    assert sum(weights[cell] for cell in chosen) == highest
    assert all(len({cell[side] for cell in chosen}) == len(chosen) for side in (0, 1))
    assert best_links(weights, many_to_many=True) == sorted(cell for cell, weight in weights.items() if weight > 0)


class TestOfDifferentChunks:
    ONE = pair(link([0, 1], [0, 1]), link([2, 3], [2]), link([4], [], "NOALI", None), link([], [3, 4], "NOALI", None))
    SPLIT = replace(
        ONE,
        links=(
            link([0], [0], "REL", 2.0),
            link([1], [1]),
            link([2, 3], [2], "EQUI", 5.0),
            link([4], [], "ALIC", None),
            link([], [3, 4], "NOALI", None),
        ),
    )

    def test_the_most_typical_division_is_common(self) -> None:
        chunks = common_chunks([self.SPLIT, self.ONE, self.ONE])
        assert chunks.source == [(0, 1), (2, 3), (4,)]
        assert chunks.target == [(0, 1), (2,), (3, 4)]
        assert common_chunks([self.SPLIT, self.ONE]).source == chunks.source, "the division with fewer chunks"
        assert common_chunks([self.SPLIT, self.ONE], self.SPLIT).source == [(0,), (1,), (2, 3), (4,)]

    def test_links_count_between_the_common_chunks_that_they_cover(self) -> None:
        votes = votes_of(self.SPLIT, common_chunks([self.ONE]))
        assert list(votes.links) == [(0, 0), (1, 1)]
        assert votes.links[1, 1].type == "EQUI"
        assert (votes.unlinked_source, votes.unlinked_target) == ({2: "ALIC"}, {2: "NOALI"})
        half = replace(self.ONE, links=(link([0], [0]), link([1], [], "NOALI", None)))
        assert votes_of(half, common_chunks([self.ONE])).links == {}, "half of the words are not more than half"

    def test_the_majority_joins_the_links_of_annotators_with_other_chunks(self) -> None:
        answers = AnnotatedPair({0: self.ONE, 1: self.SPLIT, 2: self.ONE})
        [combined] = aggregated([answers], 3, "majority", many_to_many=False)
        assert same(combined, self.ONE)


def test_ties_of_two_annotators() -> None:
    base = "a b", "c d"
    longer = pair(link([0], [0], "EQUI", 5.0), link([1], [1]), source=base[0], target=base[1])
    shorter = replace(longer, links=(longer.links[0], link([1], [], "NOALI", None), link([], [1], "NOALI", None)))
    assert medoid([longer, shorter]) == medoid([shorter, longer]) == shorter
    [majority_of_two] = aggregated([AnnotatedPair({0: longer, 1: shorter})], 2, "majority", many_to_many=False)
    assert same(majority_of_two, shorter)


def test_equal_annotations_with_links_between_punctuation_marks_only_agree() -> None:
    base = IstsPair("1", ("dogs", "."), ("cats", "."))
    stops = replace(base, links=(link([1], [1], "EQUI", 5.0),))
    assert pair_f1(stops, stops) == pair_f1(stops, base) == 1
    assert pair_f1(stops, replace(base, links=(link([0], [0]),))) == 0


def test_an_answer_that_equals_an_expected_answer_without_links_between_words_passes() -> None:
    payload = {"source": ["dogs", "."], "target": ["cats", "."]}
    chunks = {"source": [[0], [1]], "target": [[0], [1]]}
    stop = {"source": 1, "target": 1, "type": "EQUI", "flags": [], "score": 5}
    expected = {"chunks": chunks, "links": [stop], "left": []}
    assert grade(payload, expected, expected, {"f1": 0.7}).passed
    words = {**expected, "links": [stop, {**stop, "source": 0, "target": 0}]}
    assert not grade(payload, expected, words, {"f1": 0.7}).passed


def test_a_chunk_whose_match_has_another_link_is_alic() -> None:
    """Two annotators link “a” and one links “b” with the only target chunk."""
    base = IstsPair("1", ("a", "b"), ("x",))
    first = replace(base, links=(link([0], [0]), link([1], [], "NOALI", None)))
    second = replace(base, links=(link([1], [0]), link([0], [], "ALIC", None)))
    answers = AnnotatedPair({0: first, 1: first, 2: second})
    [comparison] = compared([answers])
    combined = majority(first, comparison, many_to_many=False)
    assert same(combined, first), "most of the annotators who left “b” unlinked chose NOALI"
    linked_twice = replace(base, links=(link([0], [0]), link([1], [0], "REL", 1.0)))
    [comparison] = compared([AnnotatedPair({0: linked_twice, 1: linked_twice})])
    assert majority(base, comparison, many_to_many=True).links == linked_twice.links
    one_each = majority(base, comparison, many_to_many=False)
    assert {each.type for each in one_each.links} - {"SIMI", "REL"} == {"ALIC"}


def test_pairs_without_annotators_have_no_annotation() -> None:
    for method in METHODS:
        assert aggregated([AnnotatedPair({})], 1, method, many_to_many=False) == [None]
    assert modelled([AnnotatedPair({})], 1, many_to_many=False).estimates() == [{}]
