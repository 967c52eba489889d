"""The annotations of a chunk-alignment study as a pilot, and the agreement between annotators."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from accord_core.chunks.numerics.pilot import Pilot
from accord_core.chunks.numerics.scores import TokenLinks, added, overlap, token_links
from accord_core.numerics.bootstrap import percentile_intervals, ratio
from accord_core.numerics.labels import Floats
from accord_core.numerics.unfinished import Measured, PilotAnswers, require_answers
from alignment_ui.chunks.columns import Collected, Judgement, collected
from alignment_ui.chunks.report import QUICK_RESAMPLES
from annotate.tasktypes import Columns


def pilot(columns: Columns) -> PilotAnswers:
    """Return the annotations of all sentence pairs with at least two annotators as a pilot. Raises TooFewAnswers if the
    pilot would be too small.
    """
    inputs = collected(columns)
    numbers = {judgement.annotator for judgement in inputs.judgements}
    require_answers([len(each) for each in inputs.design_answers.values()], len(numbers), questions="sentence pairs")
    several = _several(inputs)
    first = [answers[0].pair for answers in several]
    return PilotAnswers(
        Pilot(
            [(max(1, len(pair.source_chunks)), max(1, len(pair.target_chunks))) for pair in first],
            [[judgement.annotator for judgement in answers] for answers in several],
            [[_links(judgement) for judgement in answers] for answers in several],
        ),
        sum(map(len, inputs.design_answers.values())),
        len(inputs.design_answers),
        len(numbers),
    )


def measured(columns: Columns, seed: int) -> Measured:
    """Return the F1 Ali between annotators of the same sentence pair, with an interval from resampled pairs.

    The links of all comparisons are pooled, as in the figure of a plan. The figure of reports is a mean over pairs of
    annotators instead.
    """
    rows = []
    for answers in _several(collected(columns)):
        links = [_links(judgement) for judgement in answers]
        total = added(overlap(one, other, 2016) for one, other in combinations(links, 2))
        rows.append([total.system, total.gold, *total.found["f1_ali"]])
    sums = np.array(rows, dtype=np.float64).reshape(-1, 4)
    value = float(_pooled_f1(np.ones((1, len(sums))) @ sums)[0])
    if np.isnan(value):
        return Measured(None)
    (interval,) = percentile_intervals(
        lambda weights: _pooled_f1(weights @ sums)[None],
        np.ones(len(sums), dtype=np.int64),
        resamples=QUICK_RESAMPLES,
        seed=seed,
        width=sums.shape[1],
    )
    return Measured(value, interval.low, interval.high)


def _several(inputs: Collected) -> list[list[Judgement]]:
    return [answers for answers in inputs.design_answers.values() if len(answers) > 1]


def _links(judgement: Judgement) -> TokenLinks:
    return token_links(judgement.pair.links, judgement.pair.source, judgement.pair.target)


def _pooled_f1(sums: Floats) -> Floats:
    """Return F1 (B,) from sums (B, 4): the weights of both annotations, and the confirmed weights of both."""
    first, second, by_first, by_second = sums.T
    precision, recall = ratio(by_first, first), ratio(by_second, second)
    return np.where(precision + recall == 0, 0.0, ratio(2 * precision * recall, precision + recall))
