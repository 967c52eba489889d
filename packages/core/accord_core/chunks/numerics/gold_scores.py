"""Scores of the aggregation methods, compared with the expected annotations of gold questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from accord_core.chunks.numerics.aggregation import METHODS, Method
from accord_core.chunks.numerics.chunks import IstsPair
from accord_core.chunks.numerics.link_cells import AnnotatedPair
from accord_core.chunks.numerics.modelled import aggregated
from accord_core.chunks.numerics.score_sums import FIGURES, WIDTH, f1_of_sums, sums_by_pair
from accord_core.chunks.numerics.scores import ists_scores
from accord_core.evaluation.measure import Measure
from accord_core.evaluation.measures import measures_of_sums
from accord_core.numerics.draws import generator

FEWEST_QUESTIONS = 10
"""If fewer gold questions have two annotators, the methods are not compared, because the figures would be too
imprecise.
"""


class GoldQuestion(NamedTuple):
    """The expected annotation of a gold question, and each annotator's annotation."""

    expected: IstsPair
    annotated: AnnotatedPair


@dataclass(frozen=True)
class MethodScores:
    """Each method's four F1 values on gold questions.

    `questions` is the number of gold questions with at least two annotators. `annotators` is the number of annotations
    that each method combines at a time. `scores` is empty if there are fewer than `FEWEST_QUESTIONS` questions.
    """

    questions: int
    annotators: int
    scores: dict[Method, list[Measure]]


def method_scores(
    pairs: Sequence[AnnotatedPair],
    gold: Sequence[GoldQuestion],
    n_annotators: int,
    *,
    many_to_many: bool,
    resamples: int,
    seed: int,
) -> MethodScores:
    """Score the majority, medoid and model methods against the expected annotations of the gold questions.

    The annotators of a gold question are divided at random into groups as large as the median number of annotators per
    pair in `pairs`, but at least 2. Larger groups would make each method look better than it is on the pairs.
    Annotators in an incomplete group are excluded, unless the incomplete group is the only group. The model is
    estimated from `pairs` and from these groups, without the expected annotations. The 95% intervals come from
    resampled questions.
    """
    answered = [len(pair.answers) for pair in pairs if pair.answers]
    size = max(2, round(float(np.median(answered)))) if answered else 2
    questions = [each for each in gold if len(each.annotated.answers) > 1]
    if len(questions) < FEWEST_QUESTIONS:
        return MethodScores(len(questions), size, {})
    groups, place_of = [], []
    for place, question in enumerate(questions):
        parts = _groups(question.annotated, size, generator("gold groups", seed, question.expected.id))
        groups += parts
        place_of += [place] * len(parts)
    scores = {}
    for method in METHODS:
        # Majority and medoid combine each pair separately, but the model also learns from the other pairs.
        others = list(pairs) if method == "model" else []
        combined = aggregated([*others, *groups], n_annotators, method, many_to_many=many_to_many)[len(others) :]
        sums = np.zeros((len(questions), WIDTH))
        for place, annotation in zip(place_of, combined, strict=True):
            expected = questions[place].expected
            if annotation is not None:
                sums[place] += sums_by_pair(ists_scores([expected], [annotation]), [expected.id])[0]
        scores[method] = measures_of_sums(FIGURES, sums, f1_of_sums, resamples=resamples, seed=seed)
    return MethodScores(len(questions), size, scores)


def _groups(pair: AnnotatedPair, size: int, draw: np.random.Generator) -> list[AnnotatedPair]:
    """Return several copies of the pair, each with the annotations of `size` annotators."""
    who = draw.permutation(sorted(pair.answers)).tolist()
    starts = range(0, max(1, len(who) - size + 1), size)
    return [pair._replace(answers={one: pair.answers[one] for one in who[start : start + size]}) for start in starts]
