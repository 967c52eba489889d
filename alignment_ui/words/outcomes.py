"""The alignments of a word alignment study, for the comparison with a repeat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord_core.numerics.bootstrap import ratio
from accord_core.numerics.group_agreement import f1_of_sums
from accord_core.numerics.labels import Floats
from accord_core.pairs.numerics.links import Alignment, identical_links, link_counts, without
from accord_core.words.numerics.repeat_links import draw_repeat, fit_repeats
from alignment_ui.words.columns import collected, columns
from alignment_ui.words.final import final_alignment
from annotate.tasktypes import AnnotationFigures, Outcome, StudyData

FIGURES = {"f1": "F1 of links", "aer": "Alignment error rate"}


def outcomes(data: StudyData) -> list[Outcome]:
    """Return the alignment of each pair, combined from its annotators. Links between identical words are excluded if
    the study ignores them.
    """
    study = collected(columns(data))
    keys = [question.payload["item"] for question in data.questions]
    ignored = [
        identical_links(pair.source, pair.target) if study.ignore_identical else frozenset() for pair in study.pairs
    ]
    pairs = [pair._replace(known=None) for pair in study.annotated]
    model = None

    def combined(drawn: Sequence[Sequence[Alignment]]) -> list[Alignment | None]:
        final = [final_alignment(None, alignments) for alignments in drawn]
        return [each and without(each, links) for each, links in zip(final, ignored, strict=True)]

    def redraw(generator: np.random.Generator) -> Sequence[Alignment | None]:
        nonlocal model
        model = model or fit_repeats(pairs, len(study.names))
        return combined(draw_repeat(model, generator))

    can_redraw = any(len(pair.answers) > 1 for pair in pairs)
    values = combined([list(pair.answers.values()) for pair in pairs])
    return [
        Outcome(
            "Alignments",
            "sentence pairs",
            keys,
            keys,
            values,
            redraw if can_redraw else None,
            annotations=AnnotationFigures(FIGURES, _counts, _estimate, frozenset({"aer"})),
        )
    ]


def _counts(original: Alignment, repeat: Alignment) -> Sequence[float]:
    counts = link_counts(original, repeat)
    gold = link_counts(repeat, original)  # for the AER, the original is the reference
    return counts.sp, counts.sure_a, counts.ps, counts.sure_b, gold.ps + gold.pp, gold.all_a + gold.sure_b


def _estimate(sums: Floats) -> Floats:
    """Return F1 as in the reports, and AER (Och and Ney 2003) of the repeat's links against the original's."""
    return np.concatenate([f1_of_sums(sums[:, :4]), 1 - ratio(sums[:, 4:5], sums[:, 5:6]).T])
