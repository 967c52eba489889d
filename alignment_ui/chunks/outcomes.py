"""The annotations of a chunk alignment study, for the comparison with a repeat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord_core.chunks.numerics.chunks import IstsPair
from accord_core.chunks.numerics.repeat_links import draw_repeat, fit_repeats, same_chunks
from accord_core.chunks.numerics.scores import MEASURES, ists_scores
from accord_core.numerics.bootstrap import ratio
from accord_core.numerics.labels import Floats
from alignment_ui.chunks.columns import collected, columns, final_annotation
from annotate.tasktypes import AnnotationFigures, Outcome, StudyData

FIGURES: dict[str, str] = dict(zip(MEASURES, ("F1 Ali", "F1 Type", "F1 Score", "F1 Typ+Sco"), strict=True))

NOTE = "In simulations, the predicted intervals of F1 Type and F1 Typ+Sco contain 92 to 93% of repeats instead of 95%."


def outcomes(data: StudyData) -> list[Outcome]:
    """Return the final annotation of each pair."""
    study = collected(columns(data))
    keys = [question.payload["item"] for question in data.questions]
    pairs = [pair._replace(known=None) for pair in study.annotated]
    model = None

    def redraw(generator: np.random.Generator) -> Sequence[IstsPair | None]:
        nonlocal model
        model = model or fit_repeats(pairs, len(study.names), many_to_many=study.many_to_many)
        return [final_annotation(None, drawn) for drawn in draw_repeat(model, generator)]

    can_redraw = any(len(pair.answers) > 1 for pair in pairs) and same_chunks(pairs)
    values = [final_annotation(None, list(pair.answers.values())) for pair in pairs]
    return [
        Outcome(
            "Annotations",
            "sentence pairs",
            keys,
            keys,
            values,
            redraw if can_redraw else None,
            annotations=AnnotationFigures(FIGURES, _counts, _estimate, note=NOTE),
        )
    ]


def _counts(original: IstsPair, repeat: IstsPair) -> Sequence[float]:
    total = ists_scores([original], [repeat]).total
    found = [weight for measure in MEASURES for weight in total.found[measure]]
    return [total.system, total.gold, *found]


def _estimate(sums: Floats) -> Floats:
    """Return the four official F1 values (4, B), with the original as gold."""
    figures = []
    for place in range(len(MEASURES)):
        precision, recall = ratio(sums[:, 2 + 2 * place], sums[:, 0]), ratio(sums[:, 3 + 2 * place], sums[:, 1])
        f1 = ratio(2 * precision * recall, precision + recall)
        figures.append(np.where(np.isnan(f1) & (sums[:, 0] + sums[:, 1] > 0), 0.0, f1))
    return np.stack(figures)
