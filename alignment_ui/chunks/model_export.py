"""The download of the annotations that are most probable under the annotator error model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from accord_core.chunks.formats.ists import write_wa
from alignment_ui.chunks.columns import collected, columns
from annotate.tasktypes import Export, StudyData


def model(data: StudyData, result: Mapping[str, Any] | None) -> Iterator[bytes]:
    """Export the most probable annotation of each pair that has a final annotation, in design order."""
    inputs = collected(columns(data))
    combined = inputs.modelled.annotations()
    pairs = (pair for place, pair in enumerate(combined) if place in inputs.final and pair is not None)
    return (text.encode() for text in write_wa(pairs))


MODEL = Export(
    "alignment.model.wa",
    "text/plain; charset=utf-8",
    "most probable annotations under a model of the annotators’ errors",
    model,
    note="The model estimates the error rates of each annotator. A researcher’s decision replaces the annotation. If a "
    "pair has only one annotator, the annotation does not change.",
)
