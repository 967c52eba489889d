"""The questions of an adaptive round: sentence pairs on which annotators differ get a further annotation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Any

from accord_core.chunks.numerics.chunks import IstsPair
from accord_core.chunks.numerics.scores import MEASURES, overlap, token_links
from alignment_ui.chunks.columns import collected
from alignment_ui.pairs.disputed import Disputes
from annotate.tasktypes import Columns, Progress, ReportResult, Rounds

ROUNDS = Rounds(
    choice="Accord chooses the sentence pairs on which annotators differ in the most links, types and scores. Each of "
    "these pairs gets further annotations from annotators who have not seen the pair.",
    results="Final annotations use all judgements. The agreement between annotators uses only the design's judgements, "
    "because adaptive rounds consist mainly of difficult pairs.",
    gain="In simulations with two annotations per pair, a third annotation of the most disputed pairs saved 8% to 17% "
    "of the annotations at the same F1 of type and score.",
    per_item=0.25,
)


def choose(columns: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress) -> ReportResult:
    """Choose up to `questions` sentence pairs that get further annotations in the adaptive round number `round`.

    The pairs with the largest `disputed_weight` come first. Each pair gets one more annotation. Pairs without all
    annotations of the design, pairs with a single annotation, and pairs with a decision of a researcher are not chosen.
    """
    inputs, wanted = collected(columns), max(2, int(columns["judgements"]))
    complete = {place: answers for place, answers in inputs.answers.items() if len(answers) >= wanted}
    progress(0.3, f"differences in {len(complete):,} sentence pairs")
    weights = {
        inputs.asked[place].ref: disputed_weight([answer.pair for answer in answers])
        for place, answers in sorted(complete.items())
        if not inputs.asked[place].is_decided
    }
    disputes = Disputes(weights, len(complete), len(inputs.asked), len(inputs.judgements))
    return disputes.chosen(parameters, seed, judgements_each=1)


def disputed_weight(annotations: Sequence[IstsPair]) -> float:
    """Return the weight of the token links that two annotators do not share, as a mean over pairs of annotators.

    A link with another type or another score is shared in part, as in the F1 of type and score. Therefore, this is the
    amount by which the sentence pair lowers the F1 of all pairs, and long pairs with many differences have the largest
    amounts.
    """
    links = [token_links(each.links, each.source, each.target) for each in annotations]
    overlaps = [overlap(one, other, 2016) for one, other in combinations(links, 2)]
    return fmean(max(0.0, each.system + each.gold - sum(each.found[MEASURES[-1]])) for each in overlaps)
